// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import HTTPTransfer
package import Logging
import Media
import Subscriptions
package import TerminalInterface

/// A run of `earshot subscribe` with words: searches the directory of the settings, and subscribes to a result.
package enum DirectorySession {
    /// - Parameter number: the number of the result to subscribe to without a question.
    package static func run(
        _ words: [String], number: Int?, json: Bool, _ level: Logger.Level
    ) async -> TerminalInterface.ExitStatus {
        SignalWatcher.leaveToSystem()
        let words = words.joined(separator: " ")
        let transport = CompositionRoot.transport(logger: CompositionRoot.logger(level))
        defer { transport.shutdown() }
        do throws(MediaFailure) {
            let answer = try await search(words, transport)
            guard !answer.entries.isEmpty else {
                throw MediaFailure(.missing, "the directory has no podcast for these words")
            }
            let canAsk = Terminal.standardInputIsTerminal && Terminal.standardErrorIsTerminal && !json
            guard let chosen = await choose(answer, words, number: number, canAsk: canAsk, json: json) else {
                return .missing
            }
            return await SubscribeSession.run([chosen.feedURL], reach: answer.reach, json: json, level)
        } catch {
            StandardStreams.write([FailureText.line(error, about: words)])
            return ExitStatus(error.kind)
        }
    }

    private static func search(
        _ words: String, _ transport: any HTTPTransport
    ) async throws(MediaFailure) -> PodcastDirectory.Answer {
        let setting: SettingValue
        do throws(LibraryError) {
            setting = try await DiskWork.run { () throws(LibraryError) in
                guard let library = try CompositionRoot.existingLibrary() else { return .off }
                let value = try library.effectiveSettings()[.directory]
                try library.close()
                return value
            }
        } catch {
            throw MediaFailure(error)
        }
        // Earshot asks no third party that the listener did not choose.
        guard case .search(let address) = setting else { throw MediaFailure(.missing, noDirectory) }
        do throws(MediaFailure) {
            return try await PodcastDirectory(address: address, transport: transport).search(words)
        } catch {
            throw MediaFailure(error.kind, "the directory \(host(of: address)): \(error.reason)")
        }
    }

    private static let noDirectory = """
        not a URL; to search for podcasts by name, set a directory first: earshot settings set directory \
        \"https://itunes.apple.com/search?media=podcast&term={words}\"
        """

    /// The query is left out: it may contain a key.
    private static func host(of address: String) -> String {
        WebURL(address).host.map { "\($0)" } ?? RedactedURL(address).description
    }

    private static func choose(
        _ found: PodcastDirectory.Answer, _ words: String, number: Int?, canAsk: Bool, json: Bool
    ) async -> PodcastDirectory.Entry? {
        let results = found.entries
        if let number, number > results.count {
            StandardStreams.write([DirectoryText.missing(number, of: results.count)])
        }
        switch DirectoryText.step(results, for: words, number: number, canAsk: canAsk) {
        case .subscribe(let entry): return entry
        case .confirm(let entry):
            if DirectoryText.isYes(await answer(to: DirectoryText.question(entry))) { return entry }
        case .list:
            StandardStreams.write(json ? DirectoryText.json(results) : DirectoryText.plain(results))
            if found.isCut { StandardStreams.write([DirectoryText.cut(after: results.count)]) }
            guard canAsk else {
                if !json { StandardStreams.write([DirectoryText.advice]) }
                return nil
            }
            let answer = await answer(to: DirectoryText.choice)
            if let entry = DirectoryText.chosen(answer, from: results) { return entry }
        }
        StandardStreams.write([DirectoryText.nothingChosen])
        return nil
    }

    /// Asks a question.
    /// - Returns: the typed line; empty at the end of the input.
    private static func answer(to question: ReportText) async -> String {
        StandardStreams.write([question])
        var splitter = LineSplitter()
        for await bytes in StandardStreams.input() {
            for case .text(let line) in splitter.consume(bytes) { return line }
        }
        return ""
    }
}
