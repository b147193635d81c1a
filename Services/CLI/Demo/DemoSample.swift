import Client
import Messages

/// The demonstration's books: a small trade that walks and bathes dogs, and sells what it bakes.
///
/// Every record has an id of its own choosing, so that filling twice finds all of them there; what the user deleted
/// stays deleted.
enum DemoSample {
    /// Stores what is not there yet, by ordinary requests.
    ///
    /// - Throws: what sending throws.
    static func fill(_ sender: any RequestSender) async throws(CLIError) {
        let today = CalendarDay.today()
        try await store(recipeTypes, sender)
        try await store(recipes, sender)
        try await store(customers, sender)
        try await store(services, sender)
        try await store(orders(today: today), sender)
        try await store(dogs, sender)
        try await store(walks(now: .now()), sender)
    }

    /// Whose books the demonstration's are.
    static let business = Business { key in
        switch key {
        case "name": "Paws & Loaves"
        case "address": "Mill Lane 3\n0182 Oslo"
        case "taxNumber": "NO 000 000 000 MVA"
        case "bank": "IBAN NO00 0000 0000 000"
        case "footer": "This is a sample: nothing is to be paid."
        default: nil
        }
    }

    private static func store<R: Record>(_ records: [R], _ sender: any RequestSender) async throws(CLIError) {
        for record in records where try await isMissing(record, sender) {
            _ = try await sender.send(Put(record), to: nil, key: nil)
        }
    }

    private static func isMissing<R: Record>(_ record: R, _ sender: any RequestSender) async throws(CLIError) -> Bool {
        do throws(CLIError) {
            _ = try await sender.send(Get<R>(id: record.id), to: nil, key: nil)
            return false
        } catch .client(.refused(_, .notFound, _)) {
            return true
        } catch .client(.refused(_, .gone, _)) {
            return false
        }
    }

    /// The id of the `number`th record of a kind: a version 7 UUID of 2024-01-01 whose last digits look like any.
    static func id(_ kind: Kind, _ number: Int) -> Identifier {
        // The mixing steps of SplitMix64: neighbours differ in all digits.
        var mixed = UInt64(kind.rawValue) << 32 | UInt64(number)
        mixed &+= 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        let milliseconds: UInt64 = 1_704_067_200_000
        return Identifier(
            high: milliseconds << 16 | 0x7000 | UInt64(kind.rawValue) << 8 | UInt64(number),
            low: 0b10 << 62 | mixed >> 2
        )
    }

    /// What ids are made from; never renumbered. Numbers stay below 256.
    enum Kind: Int {
        case recipeType = 1
        case recipe, ingredient, customer, service, order, orderRow, dog, walk, step, walkDog
    }
}
