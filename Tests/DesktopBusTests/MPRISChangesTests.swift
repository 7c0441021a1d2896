// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@testable import DesktopBus

@Suite("Signals for the desktop")
struct MPRISChangesTests {
    /// Returns an item that plays.
    static func playing(_ number: UInt32 = 1, at position: Duration = .zero, time: Duration = .zero) -> MPRISSnapshot {
        var snapshot = MPRISSnapshot()
        snapshot.item = MPRISItem(player: 1, number: number, title: "Pilot")
        snapshot.item?.duration = .seconds(3600)
        snapshot.item?.isDurationEstimated = true
        snapshot.status = .playing
        snapshot.position = MPRISPosition(position, at: time, rate: 1)
        snapshot.canPlay = true
        return snapshot
    }

    private func names(_ signals: [MPRISSignal]) -> [String] {
        signals.flatMap { signal in
            switch signal {
            case .propertiesChanged(let entries): entries.map(\.key)
            case .seeked(let position): ["Seeked \(position)"]
            }
        }
    }

    @Test("An item that starts at its beginning changes Metadata without Seeked")
    func start() {
        var changes = MPRISChanges()
        #expect(
            names(changes.update(Self.playing())) == ["PlaybackStatus", "Metadata", "CanPlay", "CanPause", "CanSeek"])
    }

    @Test("An item that starts in the middle sends Seeked after Metadata")
    func startInTheMiddle() {
        var changes = MPRISChanges()
        let signals = changes.update(Self.playing(at: .seconds(600)))
        #expect(signals.count == 2 && names(signals).last == "Seeked 600000000")
    }

    @Test("An item whose sound has not started sends Seeked only with its first sound")
    func loading() {
        var changes = MPRISChanges()
        var loading = Self.playing(at: .seconds(600))
        (loading.isSettled, loading.position.rate) = (false, 0)
        #expect(changes.update(loading).count == 1)
        #expect(names(changes.update(Self.playing(at: .seconds(600), time: .seconds(2)))) == ["Seeked 600000000"])
    }

    @Test("The regular course of the position sends nothing")
    func course() {
        var changes = MPRISChanges()
        _ = changes.update(Self.playing())
        for second in 1...100 {
            #expect(changes.update(Self.playing(at: .seconds(second), time: .seconds(second))).isEmpty)
        }
    }

    @Test("A seek sends Seeked once, when it has landed, even if it is short")
    func seek() {
        var changes = MPRISChanges()
        _ = changes.update(Self.playing())
        var seeking = Self.playing(at: .milliseconds(1100), time: .seconds(1))
        (seeking.isSettled, seeking.position.rate) = (false, 0)
        #expect(changes.update(seeking).isEmpty)
        var landed = Self.playing(at: .milliseconds(1200), time: .milliseconds(1100))
        landed.jumps = 1
        #expect(names(changes.update(landed)) == ["Seeked 1200000"])
        #expect(changes.update(landed).isEmpty)
    }

    @Test("A seek sends Seeked once if its position is known before its end is reported")
    func reportedLate() {
        var changes = MPRISChanges()
        _ = changes.update(Self.playing(at: .zero, time: .zero))
        #expect(names(changes.update(Self.playing(at: .seconds(60), time: .seconds(1)))) == ["Seeked 60000000"])
        var landed = Self.playing(at: .milliseconds(60_100), time: .milliseconds(1090))
        landed.jumps = 1
        #expect(changes.update(landed).isEmpty)
        landed = Self.playing(at: .milliseconds(60_400), time: .milliseconds(1300))
        landed.jumps = 2
        #expect(names(changes.update(landed)) == ["Seeked 60400000"])
    }

    @Test("A paused seek sends Seeked as well")
    func pausedSeek() {
        var changes = MPRISChanges()
        var paused = Self.playing()
        (paused.status, paused.position.rate) = (.paused, 0)
        _ = changes.update(paused)
        paused.position = MPRISPosition(.seconds(90), at: .seconds(50))
        paused.jumps = 1
        #expect(names(changes.update(paused)) == ["Seeked 90000000"])
    }

    @Test("The end of a stall sends Seeked, because clients counted on")
    func stall() {
        var changes = MPRISChanges()
        _ = changes.update(Self.playing())
        var stalled = Self.playing(at: .seconds(10), time: .seconds(10))
        (stalled.isSettled, stalled.position.rate) = (false, 0)
        #expect(changes.update(stalled).isEmpty)
        #expect(names(changes.update(Self.playing(at: .seconds(10), time: .seconds(14)))) == ["Seeked 10000000"])
    }

    @Test("Pausing and resuming sends the status only")
    func pause() {
        var changes = MPRISChanges()
        _ = changes.update(Self.playing())
        var paused = Self.playing(at: .seconds(5), time: .seconds(5))
        (paused.status, paused.position.rate) = (.paused, 0)
        #expect(names(changes.update(paused)) == ["PlaybackStatus"])
        #expect(names(changes.update(Self.playing(at: .seconds(5), time: .seconds(99)))) == ["PlaybackStatus"])
    }

    @Test("A repetition of an item sends Seeked to 0")
    func repetition() {
        var changes = MPRISChanges()
        _ = changes.update(Self.playing(at: .seconds(3599)))
        #expect(names(changes.update(Self.playing(at: .zero, time: .seconds(1)))) == ["Seeked 0"])
    }

    @Test("An estimated duration is announced again if it changes by more than a second, a final one always")
    func duration() {
        var changes = MPRISChanges()
        var snapshot = Self.playing()
        _ = changes.update(snapshot)
        for milliseconds in [3_600_400, 3_601_000, 3_599_100] {
            snapshot.item?.duration = .milliseconds(milliseconds)
            #expect(changes.update(snapshot).isEmpty)
        }
        snapshot.item?.duration = .seconds(3602)
        #expect(names(changes.update(snapshot)) == ["Metadata"])
        snapshot.item?.duration = .milliseconds(3_602_300)
        snapshot.item?.isDurationEstimated = false
        #expect(names(changes.update(snapshot)) == ["Metadata"])
    }

    /// A client as the specification describes it.
    private struct Client {
        var track: DBusValue?
        var position = MPRISPosition()
        var isPlaying = false
        var speed = 1.0

        mutating func receive(_ signals: [MPRISSignal], at now: Duration) {
            for signal in signals {
                position = MPRISPosition(position.value(at: now), at: now, rate: position.rate)
                switch signal {
                case .seeked(let value): position.value = .microseconds(value)
                case .propertiesChanged(let entries): for entry in entries { receive(entry) }
                }
                position.rate = isPlaying ? speed : 0
            }
        }

        private mutating func receive(_ entry: DBusValue.Entry) {
            switch (entry.key, entry.value) {
            case ("Position", _): Issue.record("Position in PropertiesChanged")
            case ("PlaybackStatus", let status): isPlaying = status == .text("Playing")
            case ("Rate", .double(let rate)): speed = rate
            case ("Metadata", .dictionary(let metadata)):
                let new = metadata.first { $0.key == "mpris:trackid" }?.value
                if new != track { position.value = .zero }
                track = new
            default: break
            }
        }
    }

    @Test("A client that follows the specification always shows the position that plays", arguments: 0..<100)
    func randomCourse(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var (changes, client, snapshot, now) = (MPRISChanges(), Client(), Self.playing(), Duration.zero)
        for _ in 0..<200 {
            let elapsed = Duration.milliseconds(Int.random(in: 0..<3000, using: &generator))
            now += elapsed
            snapshot.position.value = snapshot.position.value(at: now)
            snapshot.position.time = now
            Self.change(&snapshot, &generator)
            client.receive(changes.update(snapshot), at: now)
            guard snapshot.isSettled else { continue }
            let error = client.position.value(at: now) - snapshot.position(at: now)
            #expect(error <= .milliseconds(500) && error >= .milliseconds(-500))
        }
    }

    private static func change(_ snapshot: inout MPRISSnapshot, _ generator: inout SeededGenerator) {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: snapshot.status = snapshot.status == .playing ? .paused : .playing
        case 1:
            snapshot.position.value = .seconds(Int.random(in: 0..<3000, using: &generator))
            snapshot.jumps += 1
        case 2: snapshot.item?.number += 1
        case 3: snapshot.isSettled.toggle()
        case 4: snapshot.speed = Double.random(in: 0.5...3.5, using: &generator)
        case 5: snapshot.volume = Double.random(in: 0...1.5, using: &generator)
        default: break
        }
        if snapshot.position.value > .seconds(3500) { snapshot.position.value = .zero }
        snapshot.position.rate = snapshot.status == .playing && snapshot.isSettled ? snapshot.speed : 0
    }
}
