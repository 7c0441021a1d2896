// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import HTTPTransfer
import Listening
import Logging
import Media
import TerminalInterface

/// One run of `earshot subscribe`: one address after the other; one that fails does not hold up the rest.
enum SubscribeSession {
    static func run(_ urls: [String], json: Bool, _ level: Logger.Level) async -> TerminalInterface.ExitStatus {
        SignalWatcher.leaveToSystem()
        let transport = CompositionRoot.transport(logger: CompositionRoot.logger(level))
        defer { transport.shutdown() }
        var status = ExitStatus.success
        do throws(LibraryError) {
            let library = try await DiskWork.run { () throws(LibraryError) in try CompositionRoot.library() }
            let subscribing = Subscribing(library, transport: transport)
            for url in await addresses(urls) {
                do throws(MediaFailure) {
                    let outcome = try await subscribing.subscribe(url)
                    StandardStreams.write(json ? SubscribeText.json(outcome) : SubscribeText.plain(outcome))
                } catch {
                    if status == .success { status = ExitStatus(error.kind) }
                    var reporter = QuietReporter()
                    StandardStreams.write(reporter.report(error, about: Subscribing.shown(url)))
                }
            }
            try await DiskWork.run { () throws(LibraryError) in try library.close() }
        } catch {
            StandardStreams.write([LibraryFailureText.line(error)])
            status = ExitStatus(error.kind)
        }
        return status
    }

    private static func addresses(_ urls: [String]) async -> [String] {
        guard urls == ["-"] else { return urls }
        var bytes: [UInt8] = []
        for await more in StandardStreams.input() { bytes += more }
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
            .map { String($0.drop(while: \.isWhitespace)) }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
    }
}
