public import Messages
public import Store

/// All that makes a service what it is. Everything else is the kernel's.
public struct ServiceDefinition: Sendable {
    /// Names its store and its sockets.
    public let name: ServiceName
    /// The service's own tables; the kernel's come before them.
    let migrations: [Migration]
    let routes: Routes
    let projections: [Projection]
    /// Those of this process.
    let copies: StoreCopies

    /// - Parameters:
    ///   - migrations: in the order in which they were released; never changed afterwards.
    ///   - archived: the service's own tables that follow neither from its records and log nor from others' logs.
    public init(
        name: ServiceName,
        migrations: [Migration],
        routes: Routes,
        projections: [Projection] = [],
        archived: [ArchivedTable] = []
    ) {
        self.name = name
        var migrations = migrations
        let first = migrations.isEmpty ? "" : migrations.removeFirst().script
        self.migrations = [Migration(ServiceSchema.script + "\n" + first)] + migrations
        var routes = routes
        routes.loop(StatusRequest.self)
        routes.loop(OpenList.self)
        routes.loop(ReadKeys.self, role: .service)
        routes.command(ImportStage.self, Importer.stage)
        routes.command(ImportCommit.self, Importer.commit)
        routes.command(UndoCommand.self, History.undo)
        routes.query(ReadEvents.self, EventReader.read)
        routes.query(ReadSnapshot.self, History.snapshot)
        routes.query(ReadHistory.self, History.history)
        routes.query(ListCommands.self, History.commands)
        routes.query(GetReply.self, ReplyTable.get)
        let references = ReferenceRoutes(projections: projections)
        routes.query(VerifyLog.self) { (_, reading) throws(ServiceError) in try LogCheck.verify(reading, references) }
        let reader = ArchiveReader(tables: archived, entities: routes.registry.names)
        routes.query(ListArchiveParts.self, reader.list)
        routes.query(ReadArchive.self, role: .service, reader.read)
        let loader = ArchiveLoader(tables: archived, projections: projections)
        routes.command(StageArchive.self, role: .service, loader.stage)
        routes.command(LoadArchive.self, role: .service, loader.load)
        if !projections.isEmpty {
            let all = ProjectionRoutes(projections: projections)
            routes.command(RebuildProjection.self, all.rebuild)
            routes.query(HashProjection.self, all.hash)
            routes.command(RepairReferences.self, references.repair)
        }
        let copies = StoreCopies(projections)
        routes.query(BeginBackup.self, role: .service, copies.begin)
        routes.query(ReadBackup.self, role: .service, copies.read)
        routes.query(EndBackup.self, role: .service, copies.end)
        self.copies = copies
        self.routes = routes
        self.projections = projections
    }

    /// A store in memory alone, for a simulation of the service.
    package func storeInMemory() throws(StoreError) -> Store {
        try Store(inMemoryNamed: name.rawValue, migrations: migrations)
    }
}
