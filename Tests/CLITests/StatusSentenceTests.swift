import Client
import Messages
import Support
import Testing
import ZeroMQ

@testable import CLI

/// What `daybook status` says, and what deploy/RUNBOOK.md says about it.
struct StatusSentenceTests {
    private static let runbook = Support.File.text("\(Support.Environment.checkout)/deploy/RUNBOOK.md")

    /// The headings of the section about `daybook status`.
    private static var headings: [String] {
        let lines = runbook.split(separator: "\n").map(String.init)
        let section = lines.drop { $0 != "## What `daybook status` says" }.dropFirst().prefix { !$0.hasPrefix("## ") }
        return section.filter { $0.hasPrefix("### ") }.map { String($0.dropFirst(4)) }
    }

    @Test func eachHasItsHeadingAndEachHeadingItsSentence() {
        let sentences = StatusSentence.allCases.map(\.rawValue)
        #expect(Set(Self.headings) == Set(sentences))
        #expect(Self.headings.count == sentences.count)
    }

    @Test func eachHeadingHasSomethingBelow() {
        for sentence in StatusSentence.allCases {
            let parts = Self.runbook.components(between: "### \(sentence.rawValue)\n\n", and: "\n\n")
            #expect(
                parts.count == 1 && parts.allSatisfy { $0.count > 10 && !$0.hasPrefix("#") },
                "\(sentence.rawValue)"
            )
        }
    }

    private static let endpoint = Endpoint.tcp(host: "books", port: 7401)

    /// What the client says is what stands there, whatever stands for the words in capitals.
    @Test(arguments: [
        (ClientError.unreachable(.orders, endpoint, after: .seconds(2)), StatusSentence.didNotAnswer),
        (.handshake(.orders, endpoint, .noCommonGround(key: nil)), .wantsKey),
        (.handshake(.orders, endpoint, .noCommonGround(key: "anna")), .knowsNoKeys),
        (.handshake(.orders, endpoint, .refused(key: "anna")), .keyNotAdmitted),
        (.handshake(.orders, endpoint, .unfinished(publicKey: "/keys/o.key")), .otherKey),
        (.malformedReply(.orders, "it has no header"), .outsideProtocol),
        (.key(.missing("/keys/anna.key_secret")), .keyMissing),
        (.key(.unreadable("/keys/anna.key_secret", SystemError(number: 13))), .keyUnreadable),
        (.key(.malformed("/keys/anna.key_secret", "it is empty")), .keyMalformed),
        (.key(.exposed("/keys")), .keyExposed),
        (.noThread(SystemError(number: 11)), .noThread),
    ])
    func theClientsSentencesAreTheseHeadings(error: ClientError, sentence: StatusSentence) {
        #expect(StatusSentence(error) == sentence)
        #expect(error.description.fits(sentence.rawValue), "\(error.description)")
    }

    @Test func placesAreFilled() {
        #expect(
            StatusSentence.notFollowing.text("orders", "catalog", "no key")
                == "orders does not follow catalog: no key"
        )
        #expect(
            StatusSentence.queued.text("1 command is", "daybook --demo sync").hasPrefix(
                "1 command is queued: 'daybook --demo sync' "
            )
        )
        #expect(StatusSentence.silent.text("orders, walks").hasPrefix("No answer from orders, walks; 'daybook up'"))
    }

    @Test func whatIsToBeSaidOfAServiceStandsBelow() {
        func remarks(_ answer: Result<ServiceStatus, CLIError>) -> [String] {
            ServiceState(service: .orders, endpoint: "ipc:///o", answer: answer).remarks
        }
        var status = ServiceStatus(
            service: .orders,
            version: "1",
            epoch: .make(),
            run: .make(),
            sequence: 7,
            storeBytes: 1,
            uptime: 1,
            process: 1,
            sources: [SourceStatus(service: .catalog, state: .live, sequence: 3)]
        )
        #expect(remarks(.success(status)) == [])
        status.sources[0] = SourceStatus(service: .catalog, state: .stopped, sequence: 3, reason: "it can't be applied")
        status.erasing = true
        #expect(
            remarks(.success(status)) == [
                "orders does not follow catalog: it can't be applied",
                "The files of orders may hold a while longer what was erased.",
            ]
        )
        let busy = ErrorBody(code: "stopping", message: "orders is being stopped")
        #expect(
            remarks(.failure(.client(.refused(.orders, .internal, busy))))
                == ["orders does not tell how it is: orders is being stopped"]
        )
        #expect(remarks(.failure(.client(.unreachable(.orders, Self.endpoint, after: .seconds(2))))) == [])
        #expect(remarks(.failure(.client(.key(.exposed("/keys"))))).first?.hasPrefix("Others than its owner") == true)
    }
}

extension String {
    /// The texts that stand between two others.
    fileprivate func components(between start: String, and end: String) -> [String] {
        ranges(of: start).compactMap { range in
            let rest = self[range.upperBound...]
            return rest.firstRange(of: end).map { String(rest[..<$0.lowerBound]) }
        }
    }

    /// Whether it is the template with something in place of its words in capitals.
    fileprivate func fits(_ template: String) -> Bool {
        var parts = template.split(separator: /[A-Z]{2,}/, omittingEmptySubsequences: false)
        guard parts.count > 1, let last = parts.popLast(), hasPrefix(parts[0]) else { return self == template }
        var rest = self[...]
        for part in parts {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(last)
    }
}
