// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import FoundationEssentials
import HTTPTransfer
import Media

/// An incremental parser for the output of `earshot export --json`. The caller gets the content only after the whole
/// document has been parsed.
///
/// Not thread-safe: one parser is used by one task at a time.
final class LibraryCopyParser {
    private static let longestLine = 16 << 20
    private static let newestVersion = 1

    private var line: [UInt8] = []
    private var number = 0
    private var header: ExportedLine.Header?
    private var copy = LibraryCopy()

    /// True if the bytes may begin an export: the first non-blank byte opens a JSON object.
    static func isBegun(by bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.first { !isBlank($0) } == UInt8(ascii: "{")
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte) || [0xEF, 0xBB, 0xBF].contains(byte)
    }

    func consume(_ bytes: UnsafeRawBufferPointer) throws(MediaFailure) {
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            line.append(contentsOf: rest[..<end])
            rest = rest[(end + 1)...]
            try parseLine()
        }
        line.append(contentsOf: rest)
        guard line.count <= Self.longestLine else { throw failure("longer than \(Self.longestLine >> 20) MiB") }
    }

    func finish() throws(MediaFailure) -> LibraryCopy {
        try parseLine()
        guard let header else { throw MediaFailure(.badData, "the file is empty") }
        let missing =
            max(0, (header.podcasts ?? 0) - copy.podcasts.count)
            + max(0, (header.episodes ?? 0) - copy.episodes.count)
            + max(0, (header.smartQueues ?? 0) - copy.smartQueues.count)
        guard missing == 0 else {
            let lines = CountText.text(missing, "line") + (missing == 1 ? " is" : " are")
            throw MediaFailure(.badData, "the file ends after line \(number): \(lines) missing")
        }
        return copy
    }

    private func parseLine() throws(MediaFailure) {
        defer { line.removeAll(keepingCapacity: true) }
        number += 1
        guard !line.allSatisfy(Self.isBlank) else { return number -= line.isEmpty ? 1 : 0 }
        try add(try decode())
    }

    private func decode() throws(MediaFailure) -> ExportedLine {
        let text = line.starts(with: [0xEF, 0xBB, 0xBF]) ? line[3...] : line[...]
        do {
            return try JSONDecoder().decode(ExportedLine.self, from: Data(text))
        } catch let error as DecodingError {
            throw failure(Self.reason(error))
        } catch {
            throw failure("not JSON")
        }
    }

    private func add(_ line: ExportedLine) throws(MediaFailure) {
        if header == nil {
            guard case .library = line else { throw failure("not the first line of an export by earshot") }
        }
        switch line {
        case .library(let header):
            guard header.version <= Self.newestVersion else {
                throw failure("written by a later version of earshot: update earshot")
            }
            self.header = header
            (copy.settings, copy.formerListening) = (header.settings, header.listening)
        case .podcast(var podcast):
            podcast.feedURL = try bare(podcast.feedURL)
            copy.podcasts.append(podcast)
        case .episode(var episode):
            episode.feedURL = try bare(episode.feedURL)
            copy.episodes.append(episode)
        case .smartQueue(var queue):
            queue.feedURL = try queue.feedURL.map { url throws(MediaFailure) in try bare(url) }
            copy.smartQueues.append(queue)
        case .other: break
        }
    }

    /// Returns the address in the form in which the library stores it.
    private func bare(_ url: String) throws(MediaFailure) -> String {
        do throws(TransferError) {
            return try WebAddress.parse(url).0.text
        } catch {
            throw failure(error.mediaFailure.reason)
        }
    }

    private static func reason(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, _): "\"\(key.stringValue)\" is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            context.codingPath.isEmpty
                ? "not a JSON object" : "\"\(Self.name(context))\" has a value of the wrong kind"
        case .dataCorrupted(let context):
            context.codingPath.isEmpty ? "not JSON" : "\"\(Self.name(context))\": \(context.debugDescription)"
        @unknown default: "not JSON"
        }
    }

    private static func name(_ context: DecodingError.Context) -> String {
        context.codingPath.first?.stringValue ?? ""
    }

    private func failure(_ reason: String) -> MediaFailure { MediaFailure(.badData, "line \(number): \(reason)") }
}
