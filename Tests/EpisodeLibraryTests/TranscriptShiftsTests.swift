// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Feeds
import Media
import Testing

@testable import EpisodeLibrary

@Suite("Shifts of a transcript")
struct TranscriptShiftsTests {
    /// An advertisement of 35 s at the beginning, and one of 60 s at 12:30 of the audio.
    private let two = TranscriptShifts().with(.seconds(35), from: nil).with(.seconds(60), from: .seconds(750))

    @Test("Each shift is added from its time on, and given by the time in the audio")
    func sum() {
        #expect(two.steps.map(\.start) == [.zero, .seconds(715)])
        #expect(two.steps.map(\.shift) == [.seconds(35), .seconds(60)])
        #expect(two.shift(at: .zero) == .seconds(35) && two.shift(at: .seconds(714)) == .seconds(35))
        #expect(two.shift(at: .seconds(715)) == .seconds(95))
        let three = two.with(.seconds(20), from: .seconds(1500))
        #expect(three.steps.last == .init(start: .seconds(1405), shift: .seconds(20)))
    }

    @Test(
        "A shift at the same time replaces it, one within its gap is added to it, and zero removes it",
        arguments: [(750, 58), (760, 118), (809, 118), (810, 118)])
    func replaced(seconds: Int, sum: Int) {
        let changed = two.with(.seconds(58), from: .seconds(seconds))
        #expect(changed.steps.map(\.shift) == [.seconds(35), .seconds(sum)])
        #expect(changed.steps.map(\.start) == two.steps.map(\.start))
        #expect(two.with(.zero, from: .seconds(seconds)).steps == [.init(start: .zero, shift: .seconds(35))])
    }

    @Test("A shift of the beginning moves the later times, too, and zero at the beginning ends all")
    func beginning() {
        #expect(two.with(.seconds(30), from: nil).shift(at: .seconds(715)) == .seconds(90))
        #expect(two.with(.zero, from: .zero).steps == [.init(start: .seconds(715), shift: .seconds(60))])
        #expect(two.with(.zero, from: nil) == TranscriptShifts())
    }

    @Test("A negative shift moves no cue before an earlier one, and can be replaced at the same time")
    func negative() {
        let shifts = TranscriptShifts().with(.seconds(-30), from: .seconds(20))
        #expect(shifts.with(.seconds(-25), from: .seconds(20)).steps.map(\.shift) == [.seconds(-25)])
        let cues = [0, 10, 19, 22, 40, 60].map { second in
            Transcript.Cue(time: .seconds(second) ..< .seconds(second + 1), text: "\(second)")
        }
        let moved = Transcript(cues: cues).shifted(by: shifts)
        #expect(moved.cues.map(\.text) == cues.map(\.text))
        #expect(moved.cues.map(\.start) == [0, 10, 19, 19, 19, 30].map { .seconds($0) })
    }

    @Test("The times of a stored transcript and of search results are shifted, and undo reverts one shift")
    func stored() throws {
        let stage = try LibraryStage()
        try stage.merge([.numbered(1)], into: try stage.subscribe())
        let cues = [(0, "storm"), (800, "whale")].map { second, word in
            Transcript.Cue(time: .seconds(second) ..< .seconds(second + 1), text: word)
        }
        try stage.library.store(Transcript(cues: cues), of: 1, from: "https://host.example/a.vtt")
        try stage.library.shiftTranscript(of: 1, by: .seconds(35))
        try stage.library.shiftTranscript(of: 1, by: .seconds(60), from: .seconds(750))
        #expect(try stage.library.transcript(of: 1)?.cues.map { $0.time?.lowerBound } == [.seconds(35), .seconds(895)])
        while try stage.library.indexSome() > 0 {}
        #expect(try stage.library.searchTranscripts("whale", limit: 1).first?.time?.lowerBound == .seconds(895))
        _ = try stage.library.undo()
        #expect(try stage.library.transcriptShifts(of: 1).steps == [.init(start: .zero, shift: .seconds(35))])
    }
}
