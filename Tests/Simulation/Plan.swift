import Messages

/// What a schedule is made of: drawn from its seed, so that some are calm and busy, others all faults.
struct Plan {
    /// How many steps there are before everything has to settle.
    var steps: Int
    var clients: Int
    var eventWatchers: Int
    var listWatchers: Int
    var followsPaints: Bool
    /// Whether connections are as over TCP, where silence makes others.
    var isRemote: Bool
    /// How far time goes in a step at most, in milliseconds.
    var pace: Int
    /// One message of so many is lost, told twice, or overtaken; 0: none.
    var loss: Int
    var repetition: Int
    var reordering: Int
    /// How often a step is one of these, against 100 of the others.
    var resets: Int
    var cuts: Int
    var kills: Int
    var stops: Int
    var stalls: Int
    var restarts: Int
    var putBacks: Int
    var isMarked: Bool
    var highWaterMark: Int
    var fullBytes: Int
    var retention = RetentionPolicy()

    init(_ chance: inout Chance) {
        func some(_ chance: inout Chance, in times: Int, _ most: Int) -> Int {
            chance.once(in: times) ? 1 + chance.below(most) : 0
        }
        steps = 50 + chance.below(300)
        clients = 1 + chance.below(3)
        followsPaints = !chance.once(in: 4)
        isRemote = chance.once(in: 3)
        eventWatchers = chance.below(3)
        listWatchers = chance.below(3)
        pace = [5, 40, 200, 700][chance.below(4)]
        loss = chance.once(in: 2) ? 4 + chance.below(20) : 0
        repetition = chance.once(in: 3) ? 4 + chance.below(20) : 0
        reordering = chance.once(in: 3) ? 4 + chance.below(20) : 0
        resets = some(&chance, in: 2, 6)
        cuts = some(&chance, in: 3, 4)
        kills = some(&chance, in: 2, 6)
        stops = some(&chance, in: 4, 3)
        stalls = some(&chance, in: 3, 4)
        restarts = some(&chance, in: 3, 4)
        putBacks = some(&chance, in: 4, 4)
        isMarked = !chance.once(in: 3)
        highWaterMark = chance.once(in: 3) ? 1 + chance.below(4) : 1000
        fullBytes = chance.once(in: 3) ? 300 + chance.below(2000) : 1 << 20
        if chance.once(in: 3) { retention.bytes = Int64(300 + chance.below(4000)) }
    }
}
