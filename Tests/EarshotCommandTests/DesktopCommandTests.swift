// SPDX-License-Identifier: GPL-3.0-or-later
import DesktopBus
import Media
import Playback
import Testing

@testable import Sessions

@Suite("Requests of the desktop")
struct DesktopCommandTests {
    @Test(
        "Each request about playback is the command of the same meaning",
        arguments: [
            (.play, .play), (.pause, .pause), (.toggle, .togglePause), (.stop, .stop), (.quit, .stop), (.next, .next),
            (.previous, .previous), (.seekBy(.seconds(-5)), .seek(.relative(.seconds(-5)))),
            (.seekTo(.seconds(9)), .seek(.absolute(.time(.seconds(9))))), (.setVolume(0.5), .setVolume(0.5)),
            (.setLoop(.off), .setRepeat(.off)), (.setLoop(.one), .setRepeat(.one)),
            (.setLoop(.all), .setRepeat(.all)), (.setSpeed(1.5), .setSpeed(1.5)),
        ] as [(MPRISRequest, PlayerCommand)])
    func commands(request: MPRISRequest, command: PlayerCommand) {
        #expect(PlayerCommand(request) == command)
    }

    @Test("The desktop gets titles without control characters")
    func printable() {
        let item = PlaybackItem(
            id: 0, title: "Fog\n\u{1B}[31mred\u{7}", podcast: "Harbour\u{0} Tales", location: "/fog.mp3")
        let snapshot = MPRISSnapshot(PlayerStatus(item: item), jumps: 0, at: .zero, resumes: false)
        #expect(snapshot.item?.title == "Fog [31mred" && snapshot.item?.podcast == "Harbour Tales")
    }

    @Test("An address to open is not a command of the present player")
    func address() {
        #expect(PlayerCommand(MPRISRequest.open("file:///fog.mp3")) == nil)
    }
}
