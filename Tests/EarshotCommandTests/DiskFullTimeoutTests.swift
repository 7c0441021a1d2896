// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import TerminalInterface
import Testing

@testable import Sessions

@Suite("DiskFullTimeout")
struct RoomPatienceTests {
    private let full = DownloadProgress.Condition.held(reason: "the disk is full")

    @Test("Each wait for disk space is reported once")
    func told() {
        var patience = DiskFullTimeout(isAttended: true)
        #expect(patience.update(.receiving, at: .zero) == nil)
        #expect(patience.update(full, at: .seconds(1)) == .began("the disk is full"))
        #expect(patience.update(full, at: .seconds(2)) == nil)
        #expect(patience.update(.receiving, at: .seconds(3)) == nil)
        #expect(patience.update(full, at: .seconds(4)) == .began("the disk is full"))
    }

    @Test("An unattended session ends after a minute", arguments: [true, false])
    func ends(isAttended: Bool) {
        var patience = DiskFullTimeout(isAttended: isAttended)
        _ = patience.update(full, at: .zero)
        #expect(patience.update(full, at: .seconds(60)) == nil)
        let failure = MediaFailure(.inputOutput, "the disk is full; no space was freed within a minute")
        #expect(patience.update(full, at: .seconds(61)) == (isAttended ? nil : .over(failure)))
    }
}
