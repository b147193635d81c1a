import Messages

extension Invocation {
    /// Adds a row for each walk of the owner's dogs that isn't billed yet, and says which are left out.
    ///
    /// - Throws: ``CLIError/usage(_:)`` for what isn't configured, ``CLIError/failure(_:)`` where there is nothing to
    ///   bill, and what asking throws.
    func bill(
        walksOf owner: Customer,
        in span: DaySpan,
        on order: inout Order,
        key: Identifier?
    ) async throws(CLIError) {
        let billing = configuration.walkBilling
        guard let name = billing.service else {
            throw .usage(
                "How walks are billed isn't configured: set DAYBOOK_WALKS_SERVICE to a service, or write "
                    + #""walks": {"service": "Walk", "per": "hour"} into \#(configuration.file)."#
            )
        }
        let service = try await resolver.record(SoldService.self, name)
        let price = try price(of: service, billing, in: order.currency)
        let dogs = try await all(Dog.self, .equal("owner", .id(owner.id)))
        guard !dogs.isEmpty else {
            throw .failure(
                "\(quoted(owner.name)) has no dogs; 'daybook dogs edit NAME --owner \(owner.id.tail(4))' says whose one is."
            )
        }
        let selection = try await walks(of: dogs, in: span, billing)
        for walk in selection.running {
            StandardError.write("Walk \(walk.number) with \(quoted(walk.dogNames)) goes on and isn't billed.\n")
        }
        for walk in selection.endless {
            StandardError.write(
                "Walk \(walk.number) with \(quoted(walk.dogNames)) has no end and isn't billed: "
                    + "'daybook walks edit \(walk.number) --for 45min' says how long it took.\n"
            )
        }
        guard !selection.billable.isEmpty else {
            let names = dogs.map(\.name).joined(separator: ", ")
            throw .failure("There is nothing to bill: no such walks of \(quoted(owner.name)) (\(names)) are left.")
        }
        let before = order.rows.count
        var billed: [BilledWalk] = []
        for (index, item) in selection.billable.enumerated() {
            var row = OrderRow(id: .made(by: key, before + index + 1), service: service.id, sum: 0)
            (row.text, row.taxRate) = (
                WalkBilling.label(of: item, on: .today(at: item.walk.start)), configuration.taxRate
            )
            (row.quantity, row.unitPrice) = (billing.quantity(of: item), price)
            do throws(AmountError) {
                try row.settle(order.currency)
            } catch {
                throw .usage("Walk \(item.walk.number): \(error.description)")
            }
            order.rows.append(row)
            billed += item.dogs.map { dog in
                BilledWalk(walk: item.walk.id, dog: dog.dog, row: row.id, number: item.walk.number)
            }
        }
        order.walks = billed
    }

    private func price(
        of service: SoldService,
        _ billing: WalkBilling,
        in currency: Currency
    ) throws(CLIError) -> Int64 {
        if let text = billing.price {
            do throws(AmountError) {
                return try DecimalText.minorUnits(text, decimals: currency.decimals)
            } catch {
                throw .usage("The price of walks, \(quoted(text)): \(error.description)")
            }
        }
        guard let price = service.price, price.currency == currency else {
            let found = service.price.map { "costs \($0)" } ?? "has no price"
            throw .usage(
                "The service \(quoted(service.name)) \(found), and the order is in \(currency): set DAYBOOK_WALKS_PRICE, "
                    + "or 'price' of 'walks' in \(configuration.file)."
            )
        }
        return price.amount
    }

    /// What is left to bill of the walks with these dogs that began in the span.
    private func walks(
        of dogs: [Dog],
        in span: DaySpan,
        _ billing: WalkBilling
    ) async throws(CLIError) -> WalkBilling.Selection {
        var walks: [Identifier: Walk] = [:]
        let days = try Filter.walks(in: span)
        for dog in dogs {
            let filters = [Filter.walks(with: dog)] + (days.map { [$0] } ?? [])
            for walk in try await all(Walk.self, .and(filters)) { walks[walk.id] = walk }
        }
        var billed: Set<BilledWalk> = []
        var ids = walks.keys.sorted()[...]
        while !ids.isEmpty {
            let request = FindBilledWalks(walks: Array(ids.prefix(FindBilledWalks.mostWalks)))
            billed.formUnion(try await send(request).billed)
            ids = ids.dropFirst(FindBilledWalks.mostWalks)
        }
        return billing.selection(of: Array(walks.values), with: Set(dogs.map(\.id)), billed: billed)
    }

    /// All records that the filter holds for, page by page.
    private func all<R: Record>(_ type: R.Type, _ filter: Filter) async throws(CLIError) -> [R] {
        var records: [R] = []
        var cursor: [UInt8]?
        repeat {
            let page = try await send(List<R>(filter: filter, after: cursor, limit: 1000))
            records += page.rows
            cursor = page.next
        } while cursor != nil
        return records
    }
}
