// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
import Measuring

/// Two versions of one episode that differ in every break.
struct AdvertisedVersions {
    private let plan: Plan
    private let old: PacketHashes
    private let new: PacketHashes

    /// - Parameter content: The number of packets without breaks.
    init(content: Int, breaks: Int, seed: UInt64) {
        let plan = Plan(content: content, breaks: breaks, seed: seed)
        self.plan = plan
        old = plan.version(1)
        new = plan.version(2)
    }

    /// Returns the time to align both versions.
    func align() -> Duration {
        ContinuousClock().measure {
            let runs = VersionAlignment(old: old, new: new).runs.count
            if runs != plan.breaks { stop("found \(runs) common runs, expected \(plan.breaks)") }
        }
    }

    /// Returns the total time to search for the end of the old version while the new one arrives, `piece` packets per
    /// call.
    func follow(by piece: Int64) -> Duration {
        var arrived = PacketHashes()
        var finder = ContinuationFinder(old: PacketHashes())
        var time = ContinuousClock().measure { finder = ContinuationFinder(old: old) }
        plan.forEachPacket(of: 2) { packet in
            arrived.append(packet)
            guard arrived.count % piece == 0 else { return }
            time += ContinuousClock().measure { _ = finder.extend(with: arrived, isWhole: false) }
        }
        return time
    }
}

/// The content of both versions: each packet is a number, and no array is kept, so that memory can be measured.
private struct Plan {
    let content: Int
    let breaks: Int
    let seed: UInt64

    func version(_ version: UInt64) -> PacketHashes {
        var hashes = PacketHashes()
        forEachPacket(of: version) { hashes.append($0) }
        return hashes
    }

    func forEachPacket(of version: UInt64, _ body: (UInt64) -> Void) {
        var said = SeededGenerator(seed: seed)
        var inserted = SeededGenerator(seed: seed &+ version)
        let segment = (content + breaks - 1) / breaks
        for number in 0..<content {
            if number % segment == 0 {
                for _ in 0..<Int.random(in: 500...3000, using: &inserted) { body(inserted.next()) }
            }
            body(said.next())
        }
    }
}

extension PacketHashes {
    fileprivate mutating func append(_ packet: UInt64) {
        withUnsafeBytes(of: packet) { append(hashOf: $0) }
    }
}
