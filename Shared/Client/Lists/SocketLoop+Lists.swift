import LiveList
import Messages
import ZeroMQ

/// Live lists: a SUB socket each; their openings go through the table like any other request.
extension SocketLoop {
    mutating func follow(_ id: UInt64, _ order: ListSubscription.Order) {
        do throws(ClientError) {
            lists[id] = try ListSubscription(order, dialer, now: now)
            advance(list: id) { $0.start(now: $1) }
        } catch {
            order.mailbox.end(error)
        }
    }

    mutating func remove(list id: UInt64) {
        guard let list = lists.removeValue(forKey: id) else { return }
        list.subscriber.socket.close()
        cancelOpening(of: list)
    }

    /// Takes a list a step further, at the time now: sends the opening that comes of it; one that is over goes.
    mutating func advance(list id: UInt64, _ step: (inout ListSubscription, Int64) -> UInt64?) {
        guard var list = lists[id] else { return }
        let opening = step(&list, now)
        lists[id] = list
        if list.isOver { return remove(list: id) }
        if let opening { send(opening, of: list, id) }
    }

    /// Sends an opening instead of the one before.
    private mutating func send(_ opening: UInt64, of list: ListSubscription, _ id: UInt64) {
        cancelOpening(of: list)
        let order = list.order
        let outgoing = Outgoing(
            service: order.service,
            endpoint: order.endpoints.requests,
            operation: OpenList.operation,
            kind: OpenList.kind,
            key: nil,
            after: order.after,
            body: order.body
        )
        let request = exchange.nextID()
        lists[id]?.request = request
        openings[request] = (id, opening)
        perform(table.submit(request, outgoing, timeout: ListSubscription.patience, at: clock()))
    }

    private mutating func cancelOpening(of list: ListSubscription) {
        guard let request = list.request, openings.removeValue(forKey: request) != nil else { return }
        perform(table.cancel(request))
    }

    mutating func tickLists() {
        let now = now
        for id in lists.filter({ $0.value.deadline <= now }).keys.sorted() {
            advance(list: id) { $0.tick(now: $1) }
        }
    }

    mutating func receiveLists() throws(ZeroMQError) {
        for id in lists.keys.sorted() {
            guard let list = lists[id], mayReceive(list.slot) else { continue }
            let socket = list.subscriber.socket
            for _ in 0..<Self.batch {
                guard lists[id] != nil, socket.isOpen, let message = try socket.receive() else { break }
                advance(list: id) { $0.published(message.frames, now: $1) }
            }
        }
    }
}
