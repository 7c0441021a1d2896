// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Feeds

/// Random successive documents of one feed: entries are added, edited, get another GUID or another address (never
/// both in one document), leave and return; occasionally two entries share a GUID in one document.
struct FeedHistory {
    enum SharedGUIDs {
        /// A placeholder that the host uses for every entry without a GUID.
        case placeholder
        /// The GUID of another entry.
        case borrowed
    }

    struct Entry {
        let number: Int
        var guid = 0
        var audio = 0
        var title = 0
        var notes = 0
        var token = 0
        var isPresent = false
        /// True if the entry shared a GUID in the last document that contained it.
        var sharedGUID = false

        init(number: Int) { self.number = number }

        var ownGUID: String { "g\(number)-\(guid)" }

        func episode(_ guid: String) -> ParsedEpisode {
            .numbered(
                number, guid: guid, title: "Entry \(number) as \(title)",
                url: "https://host.example/\(number)-\(audio).mp3?token=\(token)", notes: "<p>Notes \(notes)</p>")
        }
    }

    private static let entryCount = 5
    private var entries = (1...entryCount).map { Entry(number: $0) }
    private(set) var versions: [[ParsedEpisode]] = []

    init(versions count: Int, sharing: SharedGUIDs, _ random: inout SeededGenerator) {
        while versions.count < count {
            let sharers = Self.sharers(entries, &random)
            for index in entries.indices { entries[index].change(staysItself: sharers.contains(index + 1), &random) }
            let document = Self.document(entries, sharers, sharing)
            for index in entries.indices where entries[index].isPresent {
                entries[index].sharedGUID = sharers.contains(index + 1)
            }
            if !document.isEmpty { versions.append(document) }
        }
    }

    /// Returns the number of the entry with this audio.
    static func entry(at url: String?) -> Int? {
        url?.split(separator: "/").last?.split(separator: "-").first.flatMap { Int($0) }
    }

    /// Returns two entries that are present and stay in the document.
    private static func sharers(_ entries: [Entry], _ random: inout SeededGenerator) -> Set<Int> {
        let present = entries.filter(\.isPresent).map(\.number)
        guard present.count >= 2, Int.random(in: 0..<4, using: &random) == 0 else { return [] }
        return Set(present.shuffled(using: &random).prefix(2))
    }

    private static func document(
        _ entries: [Entry], _ sharers: Set<Int>, _ sharing: SharedGUIDs
    ) -> [ParsedEpisode] {
        let lender = entries.first { sharers.contains($0.number) }?.ownGUID
        return entries.reversed().filter(\.isPresent).map { entry in
            guard sharers.contains(entry.number), let lender else { return entry.episode(entry.ownGUID) }
            return entry.episode(sharing == .placeholder ? "none" : lender)
        }
    }
}

extension FeedHistory.Entry {
    /// - Parameter staysItself: true if the entry already has a foreign GUID in this document.
    fileprivate mutating func change(staysItself: Bool, _ random: inout SeededGenerator) {
        let chance = Int.random(in: 0..<12, using: &random)
        guard isPresent else { return isPresent = chance < 5 }
        let hasOneName = !staysItself && !sharedGUID
        switch chance {
        case 0 where !staysItself: isPresent = false
        case 1 where hasOneName, 2 where hasOneName: guid += 1
        case 3 where hasOneName, 4 where hasOneName: audio += 1
        case 5, 6: title += 1
        case 7: notes += 1
        case 8: token += 1
        default: break
        }
    }
}
