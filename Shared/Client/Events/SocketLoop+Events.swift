import Messages
import ZeroMQ

/// Subscriptions: a SUB socket each; what they read by request goes through the table like any other request.
extension SocketLoop {
    /// Milliseconds since the loop was made.
    var now: Int64 { Int64((clock() - start).wholeMilliseconds) }

    mutating func subscribe(_ id: UInt64, _ order: EventSubscription.Order) {
        do throws(ClientError) {
            subscriptions[id] = try EventSubscription(order, dialer, now: now)
            advance(id) { $0.start(now: $1) }
        } catch {
            order.mailbox.end(error)
        }
    }

    mutating func remove(_ id: UInt64) {
        guard let subscription = subscriptions.removeValue(forKey: id) else { return }
        subscription.subscriber?.socket.close()
        cancelRead(of: subscription)
    }

    /// Takes a subscription a step further, at the time now: sends the read that comes of it; one that is over goes.
    mutating func advance(_ id: UInt64, _ step: (inout EventSubscription, Int64) -> EventSubscription.Read?) {
        guard var subscription = subscriptions[id] else { return }
        let read = step(&subscription, now)
        subscriptions[id] = subscription
        if subscription.isOver { return remove(id) }
        if let read { send(read, of: subscription, id) }
    }

    /// Sends a read instead of the one before.
    private mutating func send(_ read: EventSubscription.Read, of subscription: EventSubscription, _ id: UInt64) {
        cancelRead(of: subscription)
        let order = subscription.order
        let body: [UInt8]
        do throws(ClientError) {
            body = try Wire.encode(read.request, for: order.service, limit: RequestHeader.maximumBodyBytes)
        } catch {
            subscriptions[id]?.end(error)
            return remove(id)
        }
        let outgoing = Outgoing(
            service: order.service,
            endpoint: order.endpoints.requests,
            operation: ReadEvents.operation,
            kind: ReadEvents.kind,
            key: nil,
            after: [:],
            body: Frame(body)
        )
        let request = exchange.nextID()
        subscriptions[id]?.request = request
        reads[request] = (id, read.id)
        perform(table.submit(request, outgoing, timeout: EventSubscription.patience, at: clock()))
    }

    private mutating func cancelRead(of subscription: EventSubscription) {
        guard let request = subscription.request, reads.removeValue(forKey: request) != nil else { return }
        perform(table.cancel(request))
    }

    /// Hands an outcome to the subscription whose read it was, to the list whose opening it was, or to the task that waits for it.
    mutating func finish(_ id: UInt64, _ outcome: Outcome) {
        guard let (subscription, read) = reads.removeValue(forKey: id) else {
            guard let (list, opening) = openings.removeValue(forKey: id) else { return exchange.finish(id, outcome) }
            return advance(list: list) { $0.answered(outcome, opening, now: $1) }
        }
        advance(subscription) { $0.answered(outcome, read, now: $1) }
    }

    mutating func tickSubscriptions() {
        let now = now
        for id in subscriptions.filter({ $0.value.deadline <= now }).keys.sorted() {
            advance(id) { $0.tick(now: $1) }
        }
    }

    mutating func receiveEvents() throws(ZeroMQError) {
        for id in subscriptions.keys.sorted() {
            guard let subscription = subscriptions[id], let socket = subscription.subscriber?.socket,
                mayReceive(subscription.slot)
            else { continue }
            for _ in 0..<Self.batch {
                guard socket.isOpen, let message = try socket.receive() else { break }
                advance(id) { $0.published(message.frames, now: $1) }
            }
        }
    }
}
