internal import Messages
internal import Service
internal import Store

/// Reports over the other services' data, made from their event logs alone.
enum Reporting {
    static var definition: ServiceDefinition {
        var routes = Routes()
        routes.query(UnpaidReport.self, unpaid)
        routes.query(TotalsReport.self, totals)
        routes.query(StatementReport.self, statement)
        routes.query(WalksReport.self, walks)
        routes.liveList(unpaidList)
        routes.liveList(totalsList)
        routes.liveList(statementList)
        routes.liveList(walksList)
        return ServiceDefinition(
            name: .reporting,
            migrations: [Migration(Facts.schema)],
            routes: routes,
            projections: [Facts.catalog, Facts.orders, Facts.walks]
        )
    }
}
