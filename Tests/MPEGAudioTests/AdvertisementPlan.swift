// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport

@testable import MPEGAudio

/// An episode from a host that inserts advertisements. Each request returns the same content, with none to four
/// advertisements in each break, chosen from a small stock, so that the same ones recur at other positions. All
/// advertisements begin with the same packets, as from one encoder, and have silent passages, as does the content.
struct AdvertisementPlan {
    struct Version {
        var hashes: [UInt16] = []
        /// The number of each packet in the content; `nil`: an inserted packet.
        var content: [Int?] = []
    }

    /// Each segment is longer than a break; otherwise a moved advertisement could look like a constant one.
    private let segments: [[UInt16]]
    private let stock: [[UInt16]]
    private var chance: SeededGenerator

    init(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        let shortest = Int(BreakLengths.mpeg.longestBreak) + 100
        segments = (0..<Int.random(in: 2...4, using: &chance)).map { _ in
            Self.sound(Int.random(in: shortest...shortest + 4000, using: &chance), silent: 0...2000, &chance)
        }
        let beginning = Self.sound(12, silent: 0...0, &chance)
        stock = (0..<8).map { _ in
            beginning + Self.sound(Int.random(in: 200...2300, using: &chance), silent: 0...60, &chance)
        }
        self.chance = chance
    }

    /// Returns the version for the next request.
    mutating func version() -> Version {
        var version = Version()
        var content = 0
        addBreak(to: &version)
        for segment in segments {
            version.hashes += segment
            version.content += (content..<content + segment.count).map { $0 }
            content += segment.count
            addBreak(to: &version)
        }
        return version
    }

    /// Returns a position for the change of version: half the time in a break or just after one.
    mutating func place(in version: Version) -> Int {
        let breaks = version.content.indices.filter { place in
            version.content[place] == nil || place > 20 && version.content[place - 20] == nil
        }
        let anywhere = Int.random(in: 0...version.content.count, using: &chance)
        return Bool.random(using: &chance) ? anywhere : breaks.randomElement(using: &chance) ?? anywhere
    }

    private mutating func addBreak(to version: inout Version) {
        for _ in 0..<Int.random(in: 0...4, using: &chance) {
            let advertisement = stock.randomElement(using: &chance) ?? []
            version.hashes += advertisement
            version.content += advertisement.map { _ in nil }
        }
    }

    /// Returns random packets with a run of silence in the middle.
    private static func sound(_ count: Int, silent: ClosedRange<Int>, _ chance: inout SeededGenerator) -> [UInt16] {
        var hashes = (0..<count).map { _ in UInt16.random(in: 0 ... .max, using: &chance) }
        let silence = Int.random(in: silent, using: &chance)
        hashes.insert(contentsOf: Array(repeating: 7, count: silence), at: count / 2)
        return hashes
    }
}
