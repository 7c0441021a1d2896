// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Playback
import Testing

@Suite("Seeks to every kind of position, on a sound server", .serialized, .soundLane, .needsSoundServer)
struct SeekEverywhereTests {
    private let stage: PulseStage

    init() throws { stage = try PulseStage() }

    /// A seek target, and the PCM frame at which playback resumes in a file of half a second.
    struct Place: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let target: SeekTarget
        let frame: Int

        static let length = 22_050
        static let all = [
            Place(
                testDescription: "10 ms before the end", target: .absolute(.time(.milliseconds(490))),
                frame: length - 441),
            Place(testDescription: "the end", target: .absolute(.time(.milliseconds(500))), frame: length),
            Place(testDescription: "past the end", target: .absolute(.time(.seconds(4000))), frame: length),
            Place(testDescription: "far past the end", target: .relative(.seconds(1 << 40)), frame: length),
            Place(testDescription: "before the start", target: .absolute(.time(.seconds(-5))), frame: 0),
            Place(testDescription: "far before the start", target: .relative(.seconds(-(1 << 40))), frame: 0),
        ]
    }

    @Test(
        "C19 a seek at the ends or beyond them lands at the start or the end, and playback ends", arguments: Place.all)
    func ends(place: Place) async throws {
        let file = try TestSound(frames: Place.length).encoded("-b", "128")
        let wanted = try Frames(of: file).all
        let link = try ShapedLink([file])
        let run = stage.start(link.items)
        #expect(await run.wait { $0.position > .milliseconds(50) })
        run.player.send(.seek(place.target))
        let isOver = await run.playOut()
        let rest = wanted[place.frame...]
        let heard = await stage.heard(rest.count + 2000).sounding
        #expect(isOver && run.failures == [] && run.events.count { $0 == .ended } == 1)
        #expect(heard.count >= rest.count)
        #expect(Frames.differenceAtSeek(heard, from: wanted, to: rest) == nil)
    }

    @Test("C22 a seek to 75 % of a VBR file without a tag plays the samples of a linear decode")
    func untagged() async throws {
        let file = try TestSound(frames: 48 * 1152).encoded("-V", "2", "-t")
        let wanted = try Frames(of: file).all
        let link = try ShapedLink([file])
        let run = stage.start(link.items)
        // The duration is known when the file has been read to its end.
        #expect(await run.wait { if case .exact = $0.player.status.duration { true } else { false } })
        run.player.send(.seek(.absolute(.fraction(0.75))))
        let isOver = await run.playOut()
        let rest = wanted[(wanted.count / 4 * 3)...]
        let heard = await stage.heard(rest.count).sounding
        #expect(isOver && run.failures == [] && wanted.count % 1152 == 0)
        #expect(Frames.differenceAtSeek(heard, from: Frames(wanted).sounding, to: rest) == nil)
    }
}
