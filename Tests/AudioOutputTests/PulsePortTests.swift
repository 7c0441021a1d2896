// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import AudioOutput

@Suite("PulsePort") struct PulsePortTests {
    static let changes: [(what: String, old: PulsePort, new: PulsePort, isUnplugged: Bool)] = [
        ("headphones unplugged", port("headphones"), port("speaker", "headphones"), true),
        ("headphones plugged in", port("speaker", "headphones"), port("headphones"), false),
        ("the user selects the other port", port("headphones"), port("speaker"), false),
        ("another device unplugged", port("speaker"), port("speaker", "hdmi"), false),
        ("unplugged without a replacement port", port("headphones"), port("headphones", "headphones"), false),
        ("a sink without ports", PulsePort(name: nil), PulsePort(name: nil), false),
    ]

    private static func port(_ name: String, _ unplugged: String...) -> PulsePort {
        PulsePort(name: name, unplugged: Set(unplugged))
    }

    @Test("A port change by unplugging is distinguished from a change by the user", arguments: changes)
    func change(change: (what: String, old: PulsePort, new: PulsePort, isUnplugged: Bool)) {
        #expect(change.new.tookOver(from: change.old) == change.isUnplugged, "\(change.what)")
    }
}
