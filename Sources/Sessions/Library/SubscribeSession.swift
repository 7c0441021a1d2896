// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import EpisodeSources
import Glibc
package import HTTPTransfer
package import Logging
import Media
import Subscriptions
package import TerminalInterface

/// A run of `earshot subscribe`: processes the addresses in order; a failure does not stop the others.
package enum SubscribeSession {
    /// - Parameter reach: the addresses that `urls` may lead to.
    package static func run(
        _ urls: [String], reach: AddressScope = .any, json: Bool, _ level: Logger.Level
    ) async -> TerminalInterface.ExitStatus {
        let wanted: [String]
        do throws(MediaFailure) {
            wanted = try await addresses(urls)
        } catch {
            StandardStreams.write([FailureText.line(error, about: "standard input")])
            return ExitStatus(error.kind)
        }
        let transport = CompositionRoot.transport(logger: CompositionRoot.logger(level))
        defer { transport.shutdown() }
        var status = ExitStatus.success
        do throws(LibraryError) {
            let library = try await DiskWork.run { () throws(LibraryError) in try CompositionRoot.library() }
            let before = try await DiskWork.run { () throws(LibraryError) in try library.changeCount() }
            let downloads = LibraryDownloads(library, in: CompositionRoot.keepFolders(nil))
            let subscribing = Subscribing(library, transport: transport, afterRestore: downloads.synchronizeTrash)
            for url in wanted {
                do throws(MediaFailure) {
                    let result = try await subscribing.subscribe(url, reach: reach)
                    StandardStreams.write(json ? SubscribeText.json(result) : SubscribeText.plain(result))
                } catch {
                    if status == .success { status = ExitStatus(error.kind) }
                    let failure = SubscribeText.withAdvice(error)
                    StandardStreams.write([FailureText.line(failure, about: Subscribing.shown(url))])
                }
            }
            try await DiskWork.run { () throws(LibraryError) in
                CompositionRoot.keepBackup(of: library, level)
                try LibraryNews.close(library, changedSince: before)
            }
        } catch {
            StandardStreams.write([LibraryFailureText.line(error)])
            status = ExitStatus(error.kind)
        }
        return status
    }

    /// True if an argument of `subscribe` is the path of a file, not an address without its scheme.
    package static func isPath(_ argument: String) -> Bool {
        let isMarked = ["./", "../", "/"].contains(where: argument.hasPrefix) && !argument.hasPrefix("//")
        if isMarked || FileURL.path(ofURL: argument) != nil { return true }
        var status = stat()
        return stat(argument, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    private static let prompt = "Feed URLs, one per line (hidden while you type); end with an empty line:"

    /// Returns the URLs; reads them from standard input for `-`.
    private static func addresses(_ urls: [String]) async throws(MediaFailure) -> [String] {
        let isTyped = urls == ["-"] && Terminal.standardInputIsTerminal
        // The terminal must be restored before a signal ends the program.
        if isTyped { restoreOnSignal() } else { SignalWatcher.leaveToSystem() }
        guard urls == ["-"] else { return urls }
        let found =
            if isTyped {
                addresses(in: await HiddenInput.lines(prompt: prompt))
            } else {
                addresses(in: try await lines())
            }
        guard !found.isEmpty else { throw MediaFailure(.missing, "no URL was given") }
        return found
    }

    private static func restoreOnSignal() {
        SignalDriver.watch(takingTerminal: HiddenInput.resume) { signal in
            if case .stop(let status) = signal { SignalWatcher.exitAtOnce(status) }
        }
    }

    /// More than the URLs of all podcasts of a listener.
    private static let mostBytes = 1 << 20

    private static func lines() async throws(MediaFailure) -> [Substring] {
        var bytes: [UInt8] = []
        for await more in StandardStreams.input() {
            bytes += more
            guard bytes.count <= mostBytes else { throw MediaFailure(.badData, "more than 1 MiB of URLs") }
        }
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    }

    private static func addresses(in lines: [some StringProtocol]) -> [String] {
        lines
            .map { String($0.drop(while: \.isWhitespace)) }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
    }
}
