public import CBOR
import Messages

/// A message of a fixed value.
public struct Golden: Sendable, CustomStringConvertible {
    /// The rule of `daybook.cddl` that it obeys.
    public let rule: String
    /// The value's bytes.
    public let encode: @Sendable () throws -> [UInt8]
    /// Decodes bytes as the value's type, and encodes that again.
    public let recode: @Sendable ([UInt8]) throws -> [UInt8]
    /// What bytes are as the value's type, by the shortcuts and by `Codable` alone: encoded again either way, or an error.
    public let bothWays: @Sendable ([UInt8]) -> (shortcut: BothWays, codable: BothWays)

    public typealias BothWays = Result<[[UInt8]], CBORError>

    init<Value: Codable & Sendable>(_ rule: String, _ value: Value) {
        self.rule = rule
        encode = { try CBOREncoder().encode(value) }
        recode = { try CBOREncoder().encode(try CBORDecoder(profile: .wire).decode(Value.self, from: $0)) }
        bothWays = { bytes in
            var (decoder, encoder) = (CBORDecoder(), CBOREncoder())
            (decoder.takesShortcuts, encoder.takesShortcuts) = (false, false)
            let (codable, long) = (decoder, encoder)
            func read(by decoder: CBORDecoder) -> BothWays {
                Result { () throws(CBORError) in
                    let value = try decoder.decode(Value.self, from: bytes)
                    return [try CBOREncoder().encode(value), try long.encode(value)]
                }
            }
            return (read(by: CBORDecoder()), read(by: codable))
        }
    }

    public var description: String { rule }
}

extension Golden {
    /// All messages, each with every optional field somewhere.
    public static let messages: [Golden] = envelope + records + reports + others + events + lists

    private static let envelope = [
        Golden(
            "request-header",
            RequestHeader(
                id: 300,
                operation: "order.put",
                key: id(1),
                timeout: 5000,
                after: ["catalog": Position(epoch: id(2), sequence: 70_000)],
                traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
            )
        ),
        Golden(
            "reply-header",
            ReplyHeader(
                id: .max,
                status: .ok,
                positions: ["orders": Position(epoch: id(2), sequence: 5_000_000_000)],
                run: id(3),
                replayed: true,
                retryAfter: 1000
            )
        ),
        Golden(
            "error-body",
            ErrorBody(
                code: "conflict",
                message: "the dog was changed meanwhile",
                field: "name",
                found: "Rex",
                current: EncodedCBOR(trusted: encoded(dog))
            )
        ),
    ]

    private static let records =
        entity(customer, List(filter: .contains("name", "li"), sort: [SortKey("name")], limit: 13))
        + entity(service, List(filter: .equal("reference", nil)))
        + entity(recipeType, List(filter: .startsWith("name", "De")))
        + entity(recipe, List(filter: .and([.not(.equal("type", .id(id(4)))), .search("ingredients", "flour")])))
        + entity(
            order,
            List(
                filter: .and([
                    .range("date", from: .text("2024-03-01"), through: nil),
                    .or([.equal("paid", .boolean(false)), .equal("total", .integer(-1050))]),
                ]),
                sort: [SortKey("customer.name"), SortKey("date", descending: true)],
                after: [1, 2, 3],
                limit: 10_000
            )
        )
        + parts(
            of: order.id,
            order.rows[0],
            in: .eur,
            List(filter: .equal("order", .id(id(5))), sort: [SortKey("service.name")])
        )
        + parts(
            of: order.id,
            order.payments?[0] ?? Payment(date: day, amount: 0),
            in: .eur,
            List(sort: [SortKey("date")])
        )
        + parts(of: recipe.id, recipe.ingredients[0], List(sort: [SortKey("position")]))
        + parts(of: recipe.id, recipe.steps[0], List(limit: 2))
        + entity(dog, List(asOf: AsOf(sequence: 17)), asOf: AsOf.Listed(sequence: 17, time: time))
        + entity(walk, List(limit: 1, asOf: AsOf(time: time)), asOf: AsOf.Listed(sequence: 0, time: nil))
        + parts(of: walk.id, walk.dogs[0], List(filter: .equal("dog", .id(id(15)))))

    /// The eight messages of an entity.
    private static func entity<R: Record>(_ record: R, _ list: List<R>, asOf: AsOf.Listed? = nil) -> [Golden] {
        [
            Golden("\(Put<R>.operation)-request", Put(record)),
            Golden("\(Put<R>.operation)-reply", record),
            Golden("\(Delete<R>.operation)-request", Delete<R>(id: record.id, version: 2, force: true)),
            Golden("\(Delete<R>.operation)-reply", record),
            Golden("\(Get<R>.operation)-request", Get<R>(id: record.id)),
            Golden("\(Get<R>.operation)-reply", record),
            Golden("\(List<R>.operation)-request", list),
            Golden("\(List<R>.operation)-reply", Page(rows: [record], next: [0x81, 0x01], asOf: asOf)),
        ]
    }

    /// The messages of a part of a record.
    private static func parts<P>(
        of owner: Identifier,
        _ part: P,
        in currency: Currency? = nil,
        _ list: List<ListedPart<P>>
    ) -> [Golden] {
        let row = ListedPart(owner: owner, position: 1, currency: currency, part: part)
        return [
            Golden("\(List<ListedPart<P>>.operation)-request", list),
            Golden("\(List<ListedPart<P>>.operation)-reply", Page(rows: [row], next: [0x81, 0x01])),
        ]
    }

    private static let reports = [
        Golden(
            "\(UnpaidReport.operation)-request",
            UnpaidReport(from: day, through: day, customer: id(6), service: id(8), asOf: AsOf(sequence: 17))
        ),
        Golden(
            "\(UnpaidReport.operation)-reply",
            UnpaidReport.Reply(
                orders: [
                    ReportedOrder(
                        id: id(5),
                        number: 7,
                        numberYear: 2024,
                        date: day,
                        due: day,
                        customer: id(6),
                        customerName: "Lind",
                        total: money,
                        open: money
                    )
                ],
                totals: [money],
                asOf: AsOf.Reached(orders: 17, catalog: 4, time: time)
            )
        ),
        Golden(
            "\(StatementReport.operation)-request",
            StatementReport(customer: id(6), from: day, through: day, asOf: AsOf(time: time))
        ),
        Golden(
            "\(StatementReport.operation)-reply",
            StatementReport.Reply(
                customerName: "Lind",
                entries: [
                    StatementEntry(
                        date: day,
                        kind: .payment,
                        order: id(5),
                        number: 7,
                        numberYear: 2024,
                        amount: money,
                        balance: money
                    )
                ],
                balances: [StatementBalance(opening: money, charged: money, paid: money, closing: money)]
            )
        ),
        Golden(
            "\(TotalsReport.operation)-request",
            TotalsReport(
                by: .customer,
                from: day,
                through: day,
                customer: id(6),
                service: id(8),
                made: true,
                paid: false,
                limit: 10,
                asOf: AsOf(sequence: 17)
            )
        ),
        Golden(
            "\(TotalsReport.operation)-reply",
            TotalsReport.Reply(
                groups: [
                    TotalsGroup(id: id(6), label: "Lind", reference: "L-1", orders: 2, total: money, tax: money),
                    TotalsGroup(id: nil, label: "2024", reference: nil, start: day, orders: 2, total: money),
                ],
                totals: [money],
                orders: 2,
                asOf: AsOf.Reached(orders: 0, catalog: 0, time: nil)
            )
        ),
        Golden(
            "\(WalksReport.operation)-request",
            WalksReport(
                by: .week,
                zone: "Europe/Berlin",
                from: day,
                through: day,
                dog: id(7),
                owner: id(6),
                asOf: AsOf(sequence: 17)
            )
        ),
        Golden(
            "\(WalksReport.operation)-reply",
            WalksReport.Reply(
                groups: [
                    WalksGroup(id: id(7), label: "Rex", walks: 2, seconds: 2700, untimed: 1),
                    WalksGroup(label: "2024-W13", start: day, walks: 1, seconds: 2700, untimed: 0),
                ],
                total: WalksGroup(walks: 2, seconds: 2700, untimed: 1),
                asOf: AsOf.Reached(walks: 17, time: time)
            )
        ),
    ]

    private static let others = [
        Golden("\(Erase<Customer>.operation)-request", Erase<Customer>(id: id(6))),
        Golden(
            "\(Erase<Customer>.operation)-reply",
            Erase<Customer>.Reply(
                record: Customer(id: id(6), version: 4, name: Erased.name),
                wasErased: false,
                copies: ["/home/ada/.local/share/daybook/catalog.db.before-2"]
            )
        ),
        Golden("\(PrintOrder.operation)-request", PrintOrder(id: id(5))),
        Golden(
            "\(PayOrder.operation)-request",
            PayOrder(
                number: 17,
                year: 2024,
                currency: .eur,
                payment: Payment(id: id(17), date: day, amount: 1250, note: "cash")
            )
        ),
        Golden("\(PayOrder.operation)-reply", order),
        Golden("\(StopWalk.operation)-request", StopWalk(dog: "Rex", end: time, note: "rain")),
        Golden("\(StopWalk.operation)-reply", walk),
        Golden("\(PrintOrder.operation)-reply", order),
        Golden(
            "\(SetOrders.operation)-request",
            SetOrders(
                orders: [SetOrders.Target(id: id(5), version: 4), SetOrders.Target(id: id(17))],
                change: SetOrders.Change(
                    made: true,
                    madeOn: day,
                    paid: true,
                    paidOn: day,
                    cancelled: false,
                    due: day
                )
            )
        ),
        Golden("\(SetOrders.operation)-reply", SetOrders.Reply(orders: 2, changed: 1)),
        Golden("\(OrderNumbers.operation)-request", OrderNumbers(year: 2024, after: 6, limit: 10)),
        Golden(
            "\(OrderNumbers.operation)-reply",
            OrderNumbers.Reply(
                numbers: [
                    OrderNumbers.Number(number: 7, id: id(5), date: day, state: .kept),
                    OrderNumbers.Number(number: 8, id: id(17), date: day, state: .deleted, deleted: time),
                ],
                years: [2023, 2024],
                next: 8
            )
        ),
        Golden("\(FindBilledWalks.operation)-request", FindBilledWalks(walks: [id(7), id(8)])),
        Golden(
            "\(FindBilledWalks.operation)-reply",
            FindBilledWalks.Reply(billed: [BilledWalk(walk: id(7), dog: id(15))])
        ),
        Golden(
            "\(AddWalk.operation)-request",
            AddWalk(id: id(7), dogs: ["Rex", "Frieda"], start: time, end: time, running: true, note: "rain")
        ),
        Golden(
            "\(AddWalk.operation)-reply",
            AddWalk.Reply(walk: walk, made: [AddWalk.MadeDog(name: "Rex", near: ["Rax"])])
        ),
        Golden(
            "\(PutBlob.operation)-request",
            PutBlob(upload: id(16), size: 524_291, offset: 524_288, bytes: [1, 2, 3])
        ),
        Golden(
            "\(PutBlob.operation)-reply",
            PutBlob.Reply(digest: digest, contentType: "image/png", thumbnail: digest)
        ),
        Golden("\(GetBlob.operation)-request", GetBlob(digest: digest, offset: 0)),
        Golden("\(GetBlob.operation)-reply", GetBlob.Reply(size: 3, bytes: [1, 2, 3])),
        Golden(
            "\(ImportStage.operation)-request",
            ImportStage(
                batch: id(8),
                chunk: 0,
                entity: "customer",
                items: [EncodedCBOR(trusted: encoded(ImportItem(record: customer, line: 2)))]
            )
        ),
        Golden("\(ImportStage.operation)-reply", Empty()),
        Golden("\(ImportCommit.operation)-request", ImportCommit(batch: id(8), chunks: 1, dryRun: true)),
        Golden(
            "\(ImportCommit.operation)-reply",
            ImportCommit.Reply(counts: ["customer": ImportCounts(created: 1, updated: 2, unchanged: 300)])
        ),
        Golden("\(ListArchiveParts.operation)-request", ListArchiveParts()),
        Golden(
            "\(ListArchiveParts.operation)-reply",
            ListArchiveParts.Reply(
                format: 1,
                parts: ["imported", "dog", "event"],
                entities: ["dog"],
                epoch: id(2),
                sequence: 70_000,
                floor: 300,
                archive: id(9)
            )
        ),
        Golden("\(ReadArchive.operation)-request", ReadArchive(part: "event", after: [1, 2], limit: 10)),
        Golden(
            "\(ReadArchive.operation)-reply",
            ReadArchive.Reply(
                rows: [archivedEvent],
                next: [0, 0, 0, 0, 0, 0, 0, 12],
                epoch: id(2),
                sequence: 70_000,
                log: archivedLog,
                reactions: ["catalog": Position(epoch: id(3), sequence: 5)]
            )
        ),
        Golden("archived-log", archivedLog),
        Golden(
            "\(StageArchive.operation)-request",
            StageArchive(archive: id(9), chunk: 0, part: "event", rows: [archivedEvent])
        ),
        Golden("\(StageArchive.operation)-reply", Empty()),
        Golden(
            "\(LoadArchive.operation)-request",
            LoadArchive(archive: id(9), chunks: 1, reactions: ["catalog": Position(epoch: id(3), sequence: 5)])
        ),
        Golden(
            "\(LoadArchive.operation)-reply",
            LoadArchive.Reply(epoch: id(2), sequence: 70_000, records: ["dog": 3])
        ),
        Golden("\(GetReply.operation)-request", GetReply(key: id(1))),
        Golden(
            "\(GetReply.operation)-reply",
            GetReply.Reply(operation: "dog.put", reply: EncodedCBOR(trusted: encoded(dog)))
        ),
        Golden("\(ReadHistory.operation)-request", ReadHistory(subject: id(15), before: 13, limit: 10)),
        Golden(
            "\(ReadHistory.operation)-reply",
            ReadHistory.Reply(
                events: [EncodedCBOR(trusted: encoded(event))],
                more: false,
                keys: [id(1), nil],
                since: time
            )
        ),
        Golden("\(ListCommands.operation)-request", ListCommands(limit: 10)),
        Golden(
            "\(ListCommands.operation)-reply",
            ListCommands.Reply(commands: [ListCommands.Command(key: id(1), operation: "dog.put", sequence: 12)])
        ),
        Golden("\(UndoCommand.operation)-request", UndoCommand(key: id(1))),
        Golden(
            "\(UndoCommand.operation)-reply",
            UndoCommand.Reply(operation: "dog.put", events: ["dog.updated"])
        ),
        Golden("\(RebuildProjection.operation)-request", RebuildProjection(source: .catalog)),
        Golden(
            "\(RebuildProjection.operation)-reply",
            RebuildProjection.Reply(position: Position(epoch: id(2), sequence: 11))
        ),
        Golden("\(HashProjection.operation)-request", HashProjection(source: .catalog)),
        Golden("\(HashProjection.operation)-reply", HashProjection.Reply(hash: .max, rows: 300)),
        Golden(
            "\(BeginBackup.operation)-request",
            BeginBackup(backup: id(30), within: ["orders": Position(epoch: id(31), sequence: 12)])
        ),
        Golden(
            "\(BeginBackup.operation)-reply",
            BeginBackup.Reply(
                bytes: 1_048_576,
                position: Position(epoch: id(32), sequence: 7),
                follows: ["orders": Position(epoch: id(31), sequence: 12)]
            )
        ),
        Golden("\(ReadBackup.operation)-request", ReadBackup(backup: id(30), offset: 524_288)),
        Golden("\(ReadBackup.operation)-reply", ReadBackup.Reply(bytes: [0x53, 0x51, 0x4c])),
        Golden("\(EndBackup.operation)-request", EndBackup(backup: id(30))),
        Golden("\(EndBackup.operation)-reply", Empty()),
        Golden("\(RepairReferences.operation)-request", RepairReferences()),
        Golden("\(RepairReferences.operation)-reply", RepairReferences.Reply(records: 3)),
        Golden("\(VerifyLog.operation)-request", VerifyLog()),
        Golden(
            "\(VerifyLog.operation)-reply",
            VerifyLog.Reply(
                floor: 3,
                sequence: 12,
                events: 9,
                records: 2,
                differences: 1,
                dangling: 2,
                examples: ["event 5 is missing"]
            )
        ),
        Golden("\(StatusRequest.operation)-request", StatusRequest()),
        Golden(
            "\(StatusRequest.operation)-reply",
            ServiceStatus(
                service: .orders,
                version: "0.1.0",
                epoch: id(2),
                run: id(3),
                sequence: 12,
                storeBytes: 40_960,
                uptime: 1500,
                process: 4711,
                sources: [
                    SourceStatus(service: .catalog, state: .catchingUp, sequence: 3, reason: "reading what it missed")
                ],
                erasing: true
            )
        ),
        Golden("\(ReadKeys.operation)-request", ReadKeys()),
        Golden(
            "\(ReadKeys.operation)-reply",
            KeysInForce(
                own: "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7",
                keys: [
                    KeysInForce.Key(
                        name: "anna",
                        role: .writer,
                        publicKey: "Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID"
                    )
                ]
            )
        ),
    ]

    private static let archivedEvent = EncodedCBOR(
        trusted: encoded(
            ArchivedEvent(
                digest: 0x1fff_ffff_ffff_fffe,
                chain: .max,
                key: id(1),
                erased: true,
                event: EncodedCBOR(trusted: encoded(event))
            )
        )
    )

    private static let archivedLog = ArchivedLog(
        sequence: 70_000,
        chain: .max,
        floor: .init(sequence: 300, chain: 7, transaction: 299, time: Instant(microseconds: 1_711_900_000_000_000)),
        counters: ["number/order": 830]
    )

    private static let events = [
        Golden("event", event),
        Golden("events", [EncodedCBOR(trusted: encoded(event))]),
        Golden(
            "events-header",
            EventsHeader(epoch: id(2), run: id(3), first: 12, through: 12, chain: .max, chains: [.max])
        ),
        Golden("heartbeat", Heartbeat(epoch: id(2), run: id(3), sequence: 12, entities: ["dog": 12])),
        Golden(
            "\(ReadEvents.operation)-request",
            ReadEvents(epoch: id(2), sequence: 11, chain: 0x0123_4567_89AB_CDEF, limit: 100)
        ),
        Golden(
            "\(ReadSnapshot.operation)-request",
            ReadSnapshot(entity: "dog", after: id(14), limit: 100)
        ),
        Golden(
            "\(ReadSnapshot.operation)-reply",
            ReadSnapshot.Reply(
                rows: [EncodedCBOR(trusted: encoded(dog))],
                next: dog.id,
                epoch: id(2),
                sequence: 12,
                chain: .max
            )
        ),
        Golden(
            "\(ReadEvents.operation)-reply",
            EventPage(
                epoch: id(2),
                events: [EncodedCBOR(trusted: encoded(event))],
                through: 12,
                chain: .max,
                head: 13,
                resync: .diverged,
                chains: [.max]
            )
        ),
    ]

    private static let lists = [
        Golden(
            "\(OpenList.operation)-request",
            OpenList(
                ListQuery(
                    .entity(Order.entity),
                    filter: .equal("paid", .boolean(false)),
                    sort: [SortKey("date", descending: true), SortKey("customer.name")],
                    section: ListQuery.Section("date", by: .month, descending: true),
                    window: ListWindow(offset: 10, limit: 20)
                )
            )
        ),
        Golden(
            "list-query",
            ListQuery(
                .report("totals"),
                parameters: EncodedCBOR(trusted: encoded(TotalsReport(by: .month, from: day, paid: true)))
            )
        ),
        Golden(
            "\(OpenList.operation)-reply",
            OpenList.Reply(
                topic: "=walks/0123456789abcdef",
                list: id(16),
                number: 3,
                digest: 2_305_843_009_213_693_950,
                positions: ["walks": Position(epoch: id(2), sequence: 12)],
                sections: [
                    ListSection(key: null, rows: [EncodedCBOR(trusted: encoded(dog))])
                ]
            )
        ),
        Golden("statement-customer", StatementLine(customerName: "Lind")),
        Golden("statement-opening", StatementLine(opening: money)),
        Golden(
            "statement-item",
            StatementLine(.payment, date: day, order: id(5), number: 7, numberYear: 2024, amount: money)
        ),
        Golden("list-state", ListState(list: id(16), number: 3, digest: 2_305_843_009_213_693_950)),
        Golden("list-batch", batch),
    ]

    private static let null = EncodedCBOR(trusted: [0xF6])
    private static let batch = {
        let row = EncodedCBOR(trusted: encoded(dog))
        var batch = ListBatch(
            list: id(16),
            number: 4,
            positions: ["walks": Position(epoch: id(2), sequence: 13)],
            digest: 1
        )
        batch.sections = ListBatch.Sections(
            delete: [0],
            insert: [ListBatch.SectionInsert(at: 1, key: EncodedCBOR(trusted: encoded("R")))]
        )
        batch.delete = [ListPath(0, 0)]
        batch.insert = [ListBatch.Insert(to: ListPath(1, 0), row: row)]
        batch.move = [ListBatch.Change(from: ListPath(2, 300), to: ListPath(1, 1), row: row)]
        batch.update = [ListBatch.Change(from: ListPath(1, 0), to: ListPath(0, 0), row: row)]
        batch.reset = true
        return batch
    }()
}

// The values that messages are made of.
extension Golden {
    private static let customer = Customer(
        id: id(6),
        version: 2,
        name: "Björn Lind",
        info: "pays late",
        email: "lind@example.org",
        phone: "+46 70 123",
        address: "Main Street 1\nOslo",
        reference: "L-1"
    )
    private static let service = SoldService(
        id: id(9),
        version: 1,
        name: "Bath",
        info: "with a brush",
        price: money,
        reference: "B-1",
        recipe: id(10),
        recipeName: "Waffles"
    )
    private static let recipeType = RecipeType(id: id(4), version: 1, name: "Dessert")
    private static let recipe = Recipe(
        id: id(10),
        version: 3,
        name: "Waffles",
        image: RecipeImage(
            name: "waffles.jpg",
            digest: digest,
            contentType: "image/jpeg",
            size: 70_000,
            thumbnail: digest
        ),
        prepTime: "1 hr 30 min",
        prepMinutes: 90,
        cookTime: "20 min",
        cookMinutes: 20,
        totalTime: "2 h",
        totalMinutes: 120,
        yield: "12-14 waffles",
        servings: Amount(Rational(12), Rational(14)),
        type: id(4),
        typeName: "Dessert",
        source: "Aunt Vera",
        overview: "Crisp.",
        ingredients: [
            Ingredient(id: id(11), line: "For the dough", isHeading: true),
            Ingredient(
                id: id(12),
                line: "250 g flour, sifted",
                amount: Amount(Rational(250)),
                unit: "g",
                name: "flour",
                note: "sifted"
            ),
        ],
        steps: [
            RecipeStep(id: id(13), text: "Dough", isHeading: true), RecipeStep(id: id(14), text: "Mix.\nBake."),
        ]
    )
    private static let order = Order(
        id: id(5),
        version: 4,
        number: 7,
        numberYear: 2024,
        date: day,
        due: day,
        customer: id(6),
        customerName: "Björn Lind",
        currency: .eur,
        rows: [
            OrderRow(
                id: id(13),
                service: id(9),
                serviceName: "Bath",
                text: "Rex",
                quantity: Quantity(millionths: -1_500_000),
                unitPrice: 700,
                taxRate: TaxRate(hundredths: 1900),
                sum: -1050
            ),
            OrderRow(id: id(14), sum: .max),
        ],
        taxIncluded: true,
        note: "by the back door",
        made: true,
        madeOn: day,
        paid: true,
        paidOn: day,
        paidByHand: true,
        payments: [
            Payment(id: id(17), date: day, amount: -5, note: "cash"), Payment(id: id(18), date: day, amount: 1),
        ],
        cancelled: true,
        printed: time,
        net: -1000,
        tax: -50,
        total: .min,
        open: 0,
        walks: [BilledWalk(walk: id(7), dog: id(15), row: id(9), number: 12)],
        reference: "O-1"
    )
    private static let dog = Dog(id: id(15), version: 1, name: "Rex", owner: id(6), ownerName: "Björn Lind")
    private static let walk = Walk(
        id: id(7),
        version: 1,
        number: 1,
        dogs: [WalkDog(id: id(19), dog: id(15), dogName: "Rex"), WalkDog(id: id(20), dog: id(16))],
        start: time,
        end: time,
        running: true,
        note: "rain"
    )

    private static let event = Event(
        sequence: 12,
        previous: 10,
        transaction: 9,
        last: true,
        type: "dog.updated",
        subject: dog.id,
        time: time,
        version: 1,
        data: EncodedCBOR(trusted: encoded(dog)),
        before: EncodedCBOR(trusted: encoded(["name": "Rax"])),
        principal: "clerk",
        cause: "catalog:33",
        traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    )

    private static let money = Money(amount: 1250, currency: .eur)
    private static let time = Instant(microseconds: 1_711_900_800_123_456)
    private static let digest = [UInt8](0..<32)
    private static let day = CalendarDay("2024-03-31")!

    /// 018e95c2-4f00-7000-8000-0000000000NN.
    private static func id(_ number: UInt64) -> Identifier {
        Identifier(high: 0x018E_95C2_4F00_7000, low: 0x8000_0000_0000_0000 | number)
    }

    private static func encoded(_ value: some Encodable) -> [UInt8] {
        (try? CBOREncoder().encode(value)) ?? []
    }
}
