import Messages
import Support
import Testing

@testable import Orders

/// When an order is paid: by its payments, or by a person's word.
struct OrderPaymentTests {
    private let orders: Bench
    private static let day = CalendarDay("2024-03-31")!

    init() throws {
        orders = try Bench(Orders.definition)
    }

    private func order(_ sums: Int64...) throws -> Order {
        try orders.send(Put(Order(date: Self.day, currency: .eur, rows: sums.map { OrderRow(sum: $0) }, made: true)))
    }

    private func change(_ order: Order, _ change: (inout Order) -> Void) throws -> Order {
        var changed = order
        change(&changed)
        return try orders.send(Put(changed))
    }

    private func payment(_ amount: Int64, after days: Int = 0) throws -> Payment {
        Payment(date: try Self.day.adding(days: days), amount: amount)
    }

    @Test func isPaidOnceThePaymentsCoverTheTotal() throws {
        let first = try payment(2000)
        let second = try payment(3000, after: 2)
        let part = try change(try order(5000)) { $0.payments = [first] }
        #expect((part.paid, part.open, part.paidOn) == (false, 3000, nil))
        let paid = try change(part) { $0.payments?.append(second) }
        #expect((paid.paid, paid.open, paid.paidOn, paid.paidByHand) == (true, 0, second.date, nil))
        let over = try change(paid) { $0.payments?.append(Payment(date: second.date, amount: 50)) }
        #expect((over.paid, over.open) == (true, -50))
    }

    @Test func isUnpaidAgainWithoutAPaymentThatCovered() throws {
        let payment = try payment(5000)
        let paid = try change(try order(5000)) { $0.payments = [payment] }
        let open = try change(paid) { $0.payments = nil }
        #expect((open.paid, open.open, open.paidOn) == (false, 5000, nil))
        let grown = try change(open) {
            $0.payments = [payment]
            $0.rows.append(OrderRow(sum: 100))
        }
        #expect((grown.paid, grown.open) == (false, 100))
    }

    @Test func staysPaidByAPersonsWordWithoutPayments() throws {
        let payment = try payment(5000)
        let word = try change(try order(5000)) { ($0.paid, $0.paidOn) = (true, Self.day) }
        #expect((word.paid, word.paidByHand, word.open, word.paidOn) == (true, true, 0, Self.day))
        let both = try change(word) { $0.payments = [payment] }
        let again = try change(both) { $0.payments = [] }
        #expect((again.paid, again.paidByHand, again.open) == (true, true, 0))
        let unpaid = try change(again) { $0.paid = false }
        #expect((unpaid.paid, unpaid.paidByHand, unpaid.open, unpaid.paidOn) == (false, nil, 5000, nil))
    }

    @Test func cantBeTurnedUnpaidWhilePaymentsCoverIt() throws {
        let payment = try payment(5000)
        let paid = try change(try order(5000)) { $0.payments = [payment] }
        #expect(throws: Unexpected.self) { try change(paid) { $0.paid = false } }
        #expect(throws: Unexpected.self) { try change(paid) { $0.paidOn = CalendarDay("2024-05-01") } }
        #expect(try change(paid) { $0.note = " cash " }.note == "cash")
    }

    @Test func aReturnIsPaidByWhatIsGivenBack() throws {
        let credit = try order(-1000)
        let part = try payment(-400)
        let rest = try payment(-600)
        #expect(try change(credit) { $0.payments = [part] }.open == -600)
        #expect(try change(credit.at(2)) { $0.payments = [part, rest] }.paid)
    }

    @Test func paymentsOfTwoPeopleAreBothKept() throws {
        let read = try order(5000)
        let (mine, yours) = (try payment(2000), try payment(3000, after: 1))
        _ = try change(read) { $0.payments = [mine] }
        let merged = try change(read) { ($0.payments, $0.note) = ([yours], "by post") }
        #expect(Set((merged.payments ?? []).map(\.id)) == [mine.id, yours.id])
        #expect(merged.paid && merged.open == 0 && merged.paidOn == yours.date && merged.note == "by post")
        _ = try change(merged) { $0.payments?[0].amount = 2500 }
        let error = #expect(throws: Unexpected.self) { try change(merged) { $0.payments?[0].amount = 1500 } }
        let changed = try #require(merged.payments?.first)
        #expect(error?.description.contains("conflict") == true)
        #expect(error?.description.contains("payments/\(changed.id)") == true)
    }

    @Test func undoGivesBackWhatWasPaid() throws {
        let payment = try payment(5000)
        let before = try change(try order(5000)) { $0.payments = [payment] }
        _ = try change(before) { $0.payments = nil }
        let key = try #require(try orders.send(ListCommands(limit: 1)).commands.first?.key)
        try orders.send(UndoCommand(key: key))
        let after = try orders.send(Get<Order>(id: before.id))
        #expect(after == before.at(after.version))
    }

    @Test func nothingRemainsOfACancelledOrder() throws {
        let cancelled = try change(try order(5000)) { $0.cancelled = true }
        #expect((cancelled.open, cancelled.total, cancelled.cancelled) == (0, 5000, true))
        let back = try change(cancelled) { $0.cancelled = false }
        #expect((back.open, back.cancelled) == (5000, nil))
    }

    @Test func refusesPaymentsThatAreNone() throws {
        let order = try order(100)
        let twice = try payment(50)
        #expect(throws: Unexpected.self) { try change(order) { $0.payments = [Payment(date: Self.day, amount: 0)] } }
        #expect(throws: Unexpected.self) { try change(order) { $0.payments = [twice, twice] } }
        let most = Payment(date: Self.day, amount: .max)
        #expect(throws: Unexpected.self) { try change(order) { $0.payments = [most, twice] } }
    }

    /// Whatever is done: what is open is the total without the payments, unless a word or a cancellation settles it; and
    /// it is paid exactly by the word or by what covers it.
    @Test func paidFollowsFromTheWordAndThePayments() throws {
        var random = SeededGenerator("paidFollowsFromTheWordAndThePayments")
        for _ in 0..<20 {
            var order = try order(Int64.random(in: -50...300, using: &random))
            var isByHand = false
            for _ in 0..<25 {
                let old = order
                var wanted = order
                switch Int.random(in: 0..<6, using: &random) {
                case 0: wanted.paid.toggle()
                case 1:
                    let amount = Int64.random(in: 1...200, using: &random)
                    wanted.payments =
                        (wanted.payments ?? []) + [try payment(amount, after: Int.random(in: 0...9, using: &random))]
                case 2:
                    if let index = wanted.payments?.indices.randomElement(using: &random) {
                        wanted.payments?.remove(at: index)
                    }
                case 3: wanted.rows.append(OrderRow(sum: Int64.random(in: -100...100, using: &random)))
                case 4: wanted.cancelled = wanted.cancelled == true ? nil : true
                default: wanted.note = "\(random.next())"
                }
                guard let stored = try? orders.send(Put(wanted)) else {
                    // Only taking the word back is ever refused, where payments cover the order.
                    #expect(old.paid && !wanted.paid)
                    #expect(try old.isCoveredByPayments())
                    continue
                }
                let isCovered = try stored.isCoveredByPayments()
                if wanted.paid != old.paid { isByHand = wanted.paid && !isCovered }
                #expect(stored.paid == (isByHand || isCovered))
                #expect(stored.paidByHand == (isByHand ? true : nil))
                let left = stored.total - (stored.payments ?? []).map(\.amount).reduce(0, +)
                #expect(stored.open == (isByHand || stored.cancelled == true ? 0 : left))
                if !stored.paid { #expect(stored.paidOn == nil) }
                if stored.paid, !isByHand { #expect(stored.paidOn == stored.payments?.map(\.date).max()) }
                order = stored
            }
        }
    }
}

extension Order {
    /// The same, based on another version.
    func at(_ version: Int) -> Order {
        var order = self
        order.version = version
        return order
    }
}
