// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
@testable import MPEGAudio
import Testing

@Suite("Different advertisements at each request")
struct AdvertisementTests {
    /// The largest number of packets after a break that is too small to be found again; such packets are played
    /// twice.
    static let unnoticed = 7

    @Test("Common runs contain the whole content", arguments: 1...20 as ClosedRange<UInt64>)
    func aligned(seed: UInt64) {
        var plan = AdvertisementPlan(seed: seed)
        let (old, new) = (plan.version(), plan.version())
        let alignment = VersionAlignment(old: PacketHashes(old.hashes), new: PacketHashes(new.hashes))
        var content: [Int] = []
        for run in alignment.runs {
            let (inOld, inNew) = (Range(run.old), Range(run.new))
            #expect(old.hashes[inOld] == new.hashes[inNew])
            let same = zip(old.content[inOld], new.content[inNew]).compactMap { $0 == $1 ? $0 : nil }
            content += same
        }
        #expect(content == Array(0..<(old.content.compactMap { $0 }.last ?? 0) + 1))
    }

    @Test(
        "Each packet of the content is played once, wherever the old version ended",
        arguments: 1...LongTests.size(15 as UInt64, inFull: 40))
    func once(seed: UInt64) {
        var plan = AdvertisementPlan(seed: seed)
        let (old, new) = (plan.version(), plan.version())
        let heard = plan.place(in: old)
        // A third of the cases also know packets that were not played yet.
        let known = seed % 3 == 0 ? min(old.hashes.count, heard + 3000) : heard
        var finder = ContinuationFinder(old: PacketHashes(Array(old.hashes[..<known])), packet: Int64(heard))
        var answer = Continuation.notYet
        PacketHashes(new.hashes).arriving(seed: seed) { arrived, isLast in
            answer = finder.extend(with: arrived, isWhole: isLast)
            return answer == .notYet
        }
        guard case .at(let place) = answer else {
            Issue.record("\(answer) at \(heard) of \(old.hashes.count)")
            return
        }
        let before = old.content[..<heard].compactMap { $0 }
        let after = new.content[Int(place)...].compactMap { $0 }
        let next = (before.last ?? -1) + 1
        let first = after.first ?? new.content.compactMap { $0 }.count
        let sinceBreak = old.content[..<heard].reversed().prefix { $0 != nil }.count
        #expect(first == next || first == next - sinceBreak && sinceBreak <= Self.unnoticed, "at \(heard)")
    }

    @Test("With real packets playback continues at the same packet")
    func packets() {
        var made = MP3Builder()
        made.addFrames(2000, kilobits: [64, 128, 96])
        let piece = { (frames: Range<Int>) in
            let end = made.frameOffsets[frames.upperBound - 1] + Int64(made.frameLengths[frames.upperBound - 1])
            return made.bytes[Int(made.frameOffsets[frames.lowerBound])..<Int(end)]
        }
        // Content is 0..<1500; the rest are advertisements.
        let old = piece(1500..<1600) + piece(0..<700) + piece(1600..<1800) + piece(700..<1500)
        let new = piece(1800..<2000) + piece(0..<700) + piece(1500..<1550) + piece(700..<1500)
        let alignment = VersionAlignment(old: PacketHashes(of: Array(old)), new: PacketHashes(of: Array(new)))
        #expect(
            alignment.runs == [
                .init(oldStart: 100, newStart: 200, count: 700), .init(oldStart: 1000, newStart: 950, count: 800),
            ])
        #expect(alignment.continuation(from: 1100, newIsWhole: true) == .at(1050))
        #expect(alignment.continuation(from: 900, newIsWhole: true) == .at(900))
    }
}

extension PacketHashes {
    /// Hashes every packet of a file.
    init(of file: [UInt8]) {
        self.init()
        var parser = MPEGStreamParser()
        file.withUnsafeBytes { parser.append($0) }
        parser.finish()
        while let event = parser.next() {
            guard case .packet(let packet) = event else { continue }
            parser.withBytes(of: packet) { append(hashOf: $0) }
        }
    }
}
