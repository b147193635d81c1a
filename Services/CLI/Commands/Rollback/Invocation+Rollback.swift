import Glibc
import Messages

extension Invocation {
    /// Prints copies, and for people what was entered since.
    ///
    /// - Throws: what printing throws.
    func showCopies(_ copies: [KeptCopy], limit: Int) throws(CLIError) {
        if copies.isEmpty, presentation.format == .table, !presentation.isQuiet {
            StandardError.write("\(KeptCopy.Place.missing(configuration.home).description)\n")
            return
        }
        try presentation.list(copies, of: .keptCopy)
        guard presentation.format == .table, presentation.fields == nil else { return }
        for line in copies.flatMap({ $0.lines(limit: limit) }) { try output.line(line) }
    }

    /// The copies that are meant.
    ///
    /// - Parameter before: of one service: not the newest, but that from before this schema.
    /// - Throws: ``CLIError/failure(_:)`` where one is not there.
    func places(of services: [ServiceName], before: Int?) throws(CLIError) -> [KeptCopy.Place] {
        let home = configuration.home
        let unfinished = try Startup.unfinishedCommand(home: home)
        return try services.map { service throws(CLIError) in
            let places = KeptCopy.Place.all(of: service, home: home)
            if let before {
                // What was cut off behind the last step is finished without it.
                let place = KeptCopy.Place(service: service, before: before, home: home)
                if places.contains(place) || unfinished == place.command { return place }
                let known =
                    places.isEmpty ? "there are no others" : "there is \(places.map(\.file).joined(separator: ", "))"
                throw .failure("There is no \(place.path): \(known).")
            }
            guard let newest = places.last else {
                throw .failure(
                    "There is no copy of \(service)'s store in \(home): no upgrade has changed its schema, or the copy was "
                        + "deleted."
                )
            }
            return newest
        }
    }

    /// Returns stores to copies, once that is confirmed, and says what is called what now.
    ///
    /// - Throws: ``CLIError``. Up to the question nothing is changed. Stores are replaced one after the other, each as a
    ///   whole; one that is cut off is finished by the command that `daybook up` names.
    func rollBack(to places: [KeptCopy.Place], limit: Int, yes: Bool) throws(CLIError) {
        let stopped = try StoppedServices(places.map(\.service), configuration)
        let (home, unfinished) = (configuration.home, Startup.unfinishedRestore(home: configuration.home))
        if let command = try Startup.unfinishedCommand(home: home), !places.contains(where: { $0.command == command }) {
            throw Startup.cutOff(command, home: home)
        }
        let open = places.filter { File.exists($0.path) }
        var copies = open.map { KeptCopy($0) }
        for copy in copies {
            guard let problem = copy.problem else { continue }
            throw .failure("\(copy.place.path) can't be put back: \(problem). Nothing was changed.")
        }
        if presentation.format == .table { try showCopies(copies, limit: limit) }
        try output.flush()
        let suffix = StoreReplacement.suffix(of: "rollback", home: home)
        if !copies.isEmpty {
            let files = copies.map(\.place.file).joined(separator: ", ")
            try Confirmation.ask(
                "Put back \(files)? What was entered since is lost; the newer \(copies.count == 1 ? "store is" : "stores are") "
                    + "kept beside, as <store>\(suffix).",
                yes: yes
            )
        }
        for index in copies.indices {
            let place = copies[index].place
            let replacement = StoreReplacement(place.service, by: place.path, home: home, keeping: suffix)
            let isReplacing = replacement.replaces
            try DurableFile.write(place.command, to: unfinished)
            try replacement.putInPlace()
            if isReplacing { copies[index].kept = replacement.kept }
            try DurableFile.remove(unfinished)
        }
        try DurableFile.remove(unfinished)
        _ = consume stopped
        guard presentation.format == .table else { return try presentation.list(copies, of: .keptCopy) }
        for copy in copies {
            let kept = copy.kept.map { "; the newer store is \($0)" } ?? ""
            try output.line("\(copy.place.service) is as it was before schema \(copy.place.before)\(kept)")
        }
        try output.line(Self.whatToStart(copies.compactMap(\.release)))
        if places.count < ServiceName.all.count { try tellToVerify() }
    }

    /// Which programs leave the stores as they are now.
    private static func whatToStart(_ releases: [String]) -> String {
        let names = Set(releases).sorted().map { CellText.escaped($0) }
        guard names.count == 1, let release = names.first else {
            return "Start the programs of before the upgrade: newer ones change the stores again."
        }
        guard release != Release.version else { return "Start the programs of Daybook \(release)." }
        return "Start the programs of Daybook \(release): these, of \(Release.version), change the stores again."
    }
}
