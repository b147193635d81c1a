import Support

extension FuzzTarget {
    /// Every message: what one reads is written in one way.
    static let messages = FuzzTarget(
        name: "messages",
        seeds: Golden.messages.compactMap { try? $0.encode() }
    ) { (bytes) throws(Finding) in
        for message in Golden.messages {
            guard let written = try? message.recode(bytes) else { continue }
            guard let again = try? message.recode(written) else {
                throw Finding("\(message.rule): what was written of it can't be read")
            }
            try require(again == written, "\(message.rule) is written in another way the second time")
        }
    }
}
