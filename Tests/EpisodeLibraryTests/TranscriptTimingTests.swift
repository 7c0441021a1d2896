// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Feeds
import Media
import Testing

@testable import EpisodeLibrary

@Suite("Times of transcripts")
struct TranscriptTimingTests {
    private static let minute = AudioVersion(duration: .seconds(60), length: 1000)

    @Test(
        "Times are approximate only if the audio is known to differ",
        arguments: [
            // Nothing is known.
            (nil, AudioVersion(), AudioVersion(), .seconds(50), TranscriptTiming.unverified),
            (nil, AudioVersion(), minute, .seconds(50), .unverified),
            // No times.
            (nil, AudioVersion(), minute, nil, .none),
            // The version of the transcript is known.
            (1000, AudioVersion(), minute, .seconds(50), .unverified),
            (999, AudioVersion(), minute, .seconds(50), .approximate),
            (999, AudioVersion(), AudioVersion(), .seconds(50), .unverified),
            // The last cue starts after the end.
            (nil, AudioVersion(), minute, .seconds(61), .unverified),
            (nil, AudioVersion(length: 1000), minute, .seconds(63), .approximate),
            // The feed describes this version, or another one.
            (nil, AudioVersion(duration: .seconds(30), length: 1000), minute, .seconds(50), .unverified),
            (nil, AudioVersion(duration: .seconds(30), length: 900), minute, .seconds(50), .approximate),
            (nil, AudioVersion(duration: .seconds(90), length: 900), minute, .seconds(50), .approximate),
            (nil, AudioVersion(duration: .seconds(55), length: 900), minute, .seconds(50), .unverified),
            (nil, AudioVersion(duration: .seconds(1), length: 900), minute, .seconds(50), .unverified),
            (nil, AudioVersion(duration: .zero, length: 900), minute, .seconds(50), .unverified),
        ] as [(Int64?, AudioVersion, AudioVersion, Duration?, TranscriptTiming)])
    func timing(
        own: Int64?, claimed: AudioVersion, audio: AudioVersion, lastStart: Duration?, expected: TranscriptTiming
    ) {
        let evidence = TranscriptEvidence(ownLength: own, claimed: claimed)
        #expect(evidence.timing(in: audio, lastStart: lastStart) == expected)
    }

    @Test("The played version of the audio decides about a stored transcript")
    func played() throws {
        let stage = try TranscriptStoreTests.stage()
        let library = stage.library
        try library.store(TranscriptStoreTests.transcript("A storm."), of: 2, from: TranscriptStoreTests.url)
        #expect(try library.transcript(of: 2)?.timing == .unverified)
        // The feed says 30 minutes and 1,000,000 bytes.
        var position = PlaybackPosition(position: .seconds(5), duration: .seconds(1860), version: "2000000 bytes")
        try library.save(position, of: 2, .tick)
        #expect(try library.transcript(of: 2)?.timing == .approximate)
        #expect(try library.transcript(of: 2)?.lines(width: 80) == ["~0:00  A storm."])
        #expect(try library.searchTranscripts("storm", limit: 1).map(\.timing) == [.approximate])
        position.version = "1000000 bytes"
        try library.save(position, of: 2, .tick)
        #expect(try library.transcript(of: 2)?.timing == .unverified)
    }

    @Test("The version of the feed is that of a complete file with the length in the feed")
    func versionOfFeed() throws {
        let stage = try TranscriptStoreTests.stage()
        let library = stage.library
        #expect(try library.versionOfFeed(of: 2) == nil)
        try library.requestDownload(2, by: .listener)
        try library.noteDownload(2, .complete, total: 999, extents: [0..<999])
        #expect(try library.versionOfFeed(of: 2) == nil)
        try library.noteDownload(2, .complete, total: 1_000_000, extents: [0..<1_000_000])
        #expect(try library.versionOfFeed(of: 2) == "1000000 bytes")
    }

    // MARK: Shifts

    @Test("A shift moves all times, also in searches and after a new fetch, and can be undone")
    func shift() throws {
        let stage = try TranscriptStoreTests.stage()
        let library = stage.library
        let transcript = TranscriptStoreTests.transcript("A storm.", "A gull.")
        try library.store(transcript, of: 2, from: TranscriptStoreTests.url)
        try library.shiftTranscript(of: 2, by: .milliseconds(2500))
        try library.store(transcript, of: 2, from: TranscriptStoreTests.url)
        let stored = try #require(try library.transcript(of: 2))
        #expect(stored.shifts.first == .milliseconds(2500))
        #expect(stored.cues.compactMap { $0.time?.lowerBound } == [.milliseconds(2500), .milliseconds(4500)])
        #expect(try library.searchTranscripts("gull", limit: 1).first?.time?.lowerBound == .milliseconds(4500))
        #expect(try library.undo().verb == .shiftTranscript)
        #expect(try library.transcript(of: 2)?.transcript == transcript)
    }

    @Test("A later shift replaces the one before, and undo restores it")
    func shifts() throws {
        let stage = try TranscriptStoreTests.stage()
        let library = stage.library
        try library.store(TranscriptStoreTests.transcript("A storm."), of: 2, from: TranscriptStoreTests.url)
        try library.shiftTranscript(of: 2, by: .seconds(1))
        try library.shiftTranscript(of: 2, by: .seconds(-3))
        #expect(try library.transcript(of: 2)?.cues.first?.time == .seconds(-3) ..< .seconds(-1))
        try library.undo()
        #expect(try library.transcript(of: 2)?.shifts.first == .seconds(1))
        try library.shiftTranscript(of: 2, by: .zero)
        #expect(try library.transcript(of: 2)?.shifts.first == .zero)
        try library.undo()
        #expect(try library.transcript(of: 2)?.shifts.first == .seconds(1))
        let missing = #expect(throws: LibraryError.self) { try library.shiftTranscript(of: 9, by: .seconds(1)) }
        #expect(missing?.kind == .missing)
    }

    @Test("A shift is kept when its episode is merged into another one")
    func mergedShift() throws {
        let stage = try TranscriptStoreTests.stage()
        let library = stage.library
        let transcript = TranscriptStoreTests.transcript("A storm.")
        try library.store(transcript, of: 2, from: TranscriptStoreTests.url)
        try library.shiftTranscript(of: 2, by: .seconds(1))
        try library.merge(2, into: 3)
        try library.store(transcript, of: 3, from: TranscriptStoreTests.url)
        #expect(try library.transcript(of: 3)?.shifts.first == .seconds(1))
        try library.undo()
        try library.store(transcript, of: 2, from: TranscriptStoreTests.url)
        #expect(try library.transcript(of: 2)?.shifts.first == .seconds(1))
        #expect(try library.transcript(of: 3)?.shifts.first == .zero)
    }

    @Test("A part of a transcript begins with the cue at its start")
    func part() throws {
        let stage = try TranscriptStoreTests.stage()
        let library = stage.library
        let transcript = TranscriptStoreTests.transcript("One.", "Two.", "Three.")
        try library.store(transcript, of: 2, from: TranscriptStoreTests.url)
        let stored = try #require(try library.transcript(of: 2))
        #expect(stored.from(.seconds(3)).cues.map(\.text) == ["Two.", "Three."])
        #expect(stored.from(.seconds(4)).cues.map(\.text) == ["Three."])
        #expect(stored.from(.seconds(60)).cues.isEmpty)
    }
}

@Suite("Following a transcript")
struct TranscriptFollowerTests {
    private static let step = Duration.seconds(3)

    /// Creates a follower of cues with these starts and ends in seconds, whose texts are their numbers.
    private func follower(_ times: [(Int, Int)]) throws -> TranscriptFollower {
        let stage = try TranscriptStoreTests.stage()
        let library = stage.library
        let cues = times.enumerated().map { number, time in
            Transcript.Cue(time: .seconds(time.0) ..< .seconds(time.1), text: "\(number)")
        }
        try library.store(Transcript(cues: cues), of: 1, from: TranscriptStoreTests.url)
        return TranscriptFollower(try #require(try library.transcript(of: 1)))
    }

    private func heard(_ follower: inout TranscriptFollower, _ seconds: Double) -> String {
        follower.advance(to: .milliseconds(Int(seconds * 1000)), atMost: Self.step).map(\.text).joined()
    }

    @Test("Each cue is heard once when playback reaches its start")
    func linear() throws {
        var follower = try follower([(0, 2), (2, 4), (2, 5), (7, 8)])
        let steps = [
            (0.1, "0"), (0.3, ""), (1.9, ""), (2.0, "12"), (2.0, ""), (4.5, ""), (6.9, ""), (7.3, "3"), (9, ""),
        ]
        for (position, expected) in steps { #expect(heard(&follower, position) == expected, "\(position)") }
    }

    @Test("After a jump the spoken cue is heard, once, and the cues between are not")
    func jumps() throws {
        var follower = try follower([(0, 2), (2, 4), (10, 20), (30, 31)])
        #expect(heard(&follower, 1) == "0")
        follower.jump()
        #expect(heard(&follower, 12) == "2")
        // The event of the jump may come after the new position.
        follower.jump()
        #expect(heard(&follower, 12) == "")
        #expect(heard(&follower, 3) == "1")
        #expect(heard(&follower, 3.5) == "")
        follower.jump()
        #expect(heard(&follower, 3.1) == "1")
        follower.jump()
        #expect(heard(&follower, 25) == "")
        #expect(heard(&follower, 27.9) == "")
        #expect(heard(&follower, 30.5) == "3")
    }

    @Test("A position slightly before the last one is not a jump, so no cue is heard twice")
    func jitter() throws {
        var follower = try follower([(0, 2), (2, 4)])
        for (position, expected) in [(1, "0"), (2.001, "1"), (1.999, ""), (2, ""), (2.2, ""), (1.5, "0")] {
            let text = heard(&follower, position)
            #expect(text == expected, "\(position)")
        }
    }

    @Test("The next cue is the first one that starts after a position")
    func nextStart() throws {
        let follower = try follower([(0, 2), (2, 4), (2, 5), (7, 8)])
        #expect(follower.nextStart(after: .seconds(-1)) == .zero)
        #expect(follower.nextStart(after: .zero) == .seconds(2))
        #expect(follower.nextStart(after: .seconds(2)) == .seconds(7))
        #expect(follower.nextStart(after: .seconds(7)) == nil)
    }

    @Test("A transcript without times has no cues to hear")
    func untimed() throws {
        let stage = try TranscriptStoreTests.stage()
        let library = stage.library
        let transcript = Transcript(cues: [.init(text: "One."), .init(text: "Two.")])
        try library.store(transcript, of: 1, from: TranscriptStoreTests.url)
        let stored = try #require(try library.transcript(of: 1))
        var follower = TranscriptFollower(stored)
        #expect(heard(&follower, 0) == "" && heard(&follower, 1) == "" && follower.nextStart(after: .zero) == nil)
        #expect(stored.timing == .none && !stored.isTimed)
    }
}
