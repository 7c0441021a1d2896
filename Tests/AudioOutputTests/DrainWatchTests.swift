// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import AudioOutput

@Suite("DrainWatch") struct DrainWatchTests {
    private static func timing(_ queued: Int64, _ number: Int) -> DrainWatch.DeviceState {
        .timing(Playhead.Reading(queued: queued, latency: .zero, isPlaying: true), number: number)
    }

    /// Sequences of observations, and the decision after the last one; after all others the drain continues.
    static let courses: [(name: String, words: [DrainWatch.DeviceState], goesOn: Bool)] = [
        ("a report from before the drain is not an answer", [timing(0, 7)], true),
        ("the device reports an empty queue", [timing(500, 7), timing(0, 8)], false),
        ("the device reports an unknown queue length", [timing(500, 7), .timing(nil, number: 8)], false),
        ("the queue shrinks", [timing(500, 7), timing(400, 8), timing(300, 9)], true),
        ("the queue does not shrink", [timing(500, 7), timing(400, 8), timing(400, 9)], false),
        ("the device answers after a pause", [timing(9, 7), timing(9, 7), timing(9, 7), timing(9, 8)], true),
        ("the device is suspended", Array(repeating: .suspended, count: 1000), true),
        ("the device resumes after a suspension", [.suspended, timing(500, 7), timing(500, 8)], true),
        ("no answer for 10 s", Array(repeating: timing(9, 7), count: 40), true),
        ("no answer for longer", Array(repeating: timing(9, 7), count: 41), false),
    ]

    @Test(
        "A drain ends early if the device answers without playing, or does not answer for more than 10 s",
        arguments: courses)
    func course(course: (name: String, words: [DrainWatch.DeviceState], goesOn: Bool)) {
        var watch = DrainWatch()
        let answers = course.words.map { word in watch.shouldWait(after: word) }
        let wanted = Array(repeating: true, count: course.words.count - 1) + [course.goesOn]
        #expect(answers == wanted, "\(course.name)")
    }
}
