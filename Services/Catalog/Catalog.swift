internal import Messages
internal import Service
internal import Store

/// Who the customers are, what is sold, and the recipes it is made by.
enum Catalog {
    static var definition: ServiceDefinition {
        var routes = Routes()
        routes.entity(customers)
        routes.entity(services)
        routes.entity(recipeTypes)
        routes.entity(recipes)
        routes.command(PutBlob.self, Blobs.put)
        routes.query(GetBlob.self, Blobs.get)
        return ServiceDefinition(
            name: .catalog,
            migrations: [
                Migration(
                    customers.schema + services.schema + recipeTypes.schema + recipes.schema + Blobs.schema
                        + References.schema
                )
            ],
            routes: routes,
            projections: [References.projection],
            archived: Blobs.archived
        )
    }
}
