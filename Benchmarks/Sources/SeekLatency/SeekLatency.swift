// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Logging
import Measuring
import Media
import Playback

/// Measures the time from a seek command until the device receives the first sample of the new position, in complete
/// files on disk that play in real time: `SeekLatency SEED SEEKS FILE...`.
///
/// Prints a JSON object for each file and kind of target: `new` is past the furthest target so far, so that the part
/// in between had to be parsed first; `known` is before it.
@main
struct SeekLatency {
    static let patience = Duration.seconds(20)

    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count > 3, let seed = UInt64(arguments[1]), let seeks = Int(arguments[2]) else {
            stop("usage: SeekLatency SEED SEEKS FILE...", status: 64)
        }
        for path in arguments[3...] {
            var measurement = SeekLatency(path, seed: seed)
            for _ in 0..<seeks { measurement.seek() }
            measurement.tell()
        }
    }

    private let path: String
    private let device = VirtualDevice(keepsSamples: false)
    private let player: Player
    private let failures: Failures
    private let length: Duration
    private var chance: SeededGenerator
    private var furthest = Duration.zero
    private var known: [Duration] = []
    private var new: [Duration] = []

    private init(_ path: String, seed: UInt64) {
        self.path = path
        chance = SeededGenerator(seed: seed)
        player = Player(
            sink: device, options: .init(outputChannels: 2),
            logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() })
        failures = Failures(of: player)
        for item in LocalFile.playlist([path]) { player.send(.append(item)) }
        player.send(.closePlaylist)
        let started = device.wait(atMost: Self.patience) { $0.firstPull != nil }
        device.pass(1)
        guard started != nil, let length = player.status.duration.value, length > .seconds(10) else {
            stop("cannot play \(path): \(failures.all)")
        }
        self.length = length
    }

    private mutating func seek() {
        playOn(.milliseconds(.random(in: 30...80, using: &chance)))
        let target = (length - .seconds(5)) * Double.random(in: 0..<1, using: &chance)
        let before = device.report.flushes
        let ordered = ContinuousClock.now
        player.send(.seek(.absolute(.time(target))))
        let landed = device.wait(atMost: Self.patience) { $0.flushes > before && $0.firstPull != nil }
        guard let first = landed?.firstPull else { stop("\(path): a seek to \(target) did not land") }
        if target > furthest { new.append(first - ordered) } else { known.append(first - ordered) }
        furthest = max(furthest, target)
    }

    /// Advances the device's time in real time.
    private func playOn(_ time: Duration) {
        let end = ContinuousClock.now + time
        while ContinuousClock.now < end {
            usleep(10_000)
            device.pass(441)
        }
    }

    private func tell() {
        player.send(.stop)
        for (ground, latencies) in [("known", Quantiles(known)), ("new", Quantiles(new))] {
            print(
                "{\"file\":\"\(path)\",\"ground\":\"\(ground)\",\"seeks\":\(latencies.count),"
                    + "\"median_ms\":\(latencies.milliseconds(0.5)),\"p95_ms\":\(latencies.milliseconds(0.95)),"
                    + "\"max_ms\":\(latencies.milliseconds(1))}")
        }
    }
}
