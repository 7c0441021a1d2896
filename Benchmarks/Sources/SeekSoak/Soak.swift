// SPDX-License-Identifier: GPL-3.0-or-later
import Logging
import Measuring
import Media
import Playback

/// Plays a playlist on a device whose time passes as fast as the player permits, seeks in it, and compares every
/// sample and every position with the expected one.
struct Soak {
    /// A failure, with the events that led to it.
    struct Failure: Error { let reason: String }

    private static let patience = Duration.seconds(10)
    private static let slice: Int64 = 44100

    private let reference: Reference
    private let device = VirtualDevice(keepsSamples: true)
    private let player: Player
    private let failures: Failures
    private var chance: SeededGenerator

    /// The playlist's frame that is played next, and the one that is pulled next.
    private var here: Int64 = 0
    private var pulled: Int64 = 0
    private var flushes = 0

    private(set) var orders = 0
    private(set) var framesHeard: Int64 = 0
    private(set) var framesCompared: Int64 = 0
    private(set) var landings: [Duration] = []

    init(_ paths: [String], _ reference: Reference, seed: UInt64) throws(Failure) {
        self.reference = reference
        chance = SeededGenerator(seed: seed)
        player = Player(
            sink: device, options: .init(outputChannels: Reference.channels, statusInterval: .zero),
            logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() })
        failures = Failures(of: player)
        for item in LocalFile.playlist(paths) { player.send(.append(item)) }
        player.send(.closePlaylist)
        _ = try wait("start") { $0.firstPull != nil }
        try hear(1)
    }

    /// Performs random orders, then plays for a while.
    mutating func step() throws(Failure) {
        let order = choose()
        let isPaused = Int.random(in: 0..<6, using: &chance) == 0
        let began = here
        do throws(Failure) {
            if isPaused { try pause() }
            // Of several seeks to a time, the last one counts.
            if case .seek(.absolute(.time)) = order, Int.random(in: 0..<5, using: &chance) == 0 { rush() }
            try follow(order, isPaused: isPaused)
            try hear(Self.slice * .random(in: 1...400, using: &chance) / .random(in: 10...400, using: &chance))
            try checkPosition()
            if let reason = failures.all.first { throw Failure(reason: reason) }
        } catch {
            let what = "order \(orders), \(order) at frame \(began)\(isPaused ? ", paused" : "")"
            throw Failure(reason: "\(what): \(error.reason)")
        }
    }

    func stop() { player.send(.stop) }

    // MARK: Orders

    /// The length in frames of the item that is playing.
    private var length: Int64 { reference.lengths[reference.place(of: here).item] }

    private mutating func choose() -> Order {
        var order = Order.random(length: length, using: &chance)
        // From the end to the end: the player reports, rightly or not, that no frame of the item can be played.
        while here == reference.total, order.landing(from: here, in: reference) == reference.total {
            order = Order.random(length: length, using: &chance)
        }
        // A fraction maps to an exact frame only if the exact length is known, and the player discards the length at
        // the end.
        guard case .seek(.absolute) = order, here < reference.total, player.status.duration.isSure else { return order }
        return Bool.random(using: &chance) ? order : .seek(.absolute(.fraction(.random(in: 0...1, using: &chance))))
    }

    private mutating func rush() {
        for _ in 0..<Int.random(in: 1...5, using: &chance) {
            player.send(.seek(.absolute(.time(Order.duration(ofFrames: .random(in: 0..<length, using: &chance))))))
            flushes += 1
        }
    }

    private mutating func follow(_ order: Order, isPaused: Bool) throws(Failure) {
        orders += 1
        let ordered = ContinuousClock.now
        order.give(to: player)
        guard let landing = order.landing(from: here, in: reference) else {
            if isPaused { player.send(.play) }
            return
        }
        flushes += 1
        (here, pulled) = (landing, landing)
        if isPaused {
            let flushes = flushes
            _ = try wait("flush") { $0.flushes == flushes }
            try checkSilence()
            player.send(.play)
        }
        guard landing < reference.total else { return }
        let flushes = flushes
        let report = try wait("landing") { $0.flushes == flushes && $0.firstPull != nil }
        if !isPaused, let first = report.firstPull { landings.append(first - ordered) }
    }

    private mutating func pause() throws(Failure) {
        player.send(.pause)
        _ = try wait("pause") { $0.isCorked }
        try checkSilence()
    }

    private func checkSilence() throws(Failure) {
        let before = device.report.heard
        device.pass(Self.slice)
        guard device.report.heard == before else { throw Failure(reason: "sound while paused") }
    }

    // MARK: Playing

    /// Advances the time until this many frames, or all remaining ones, were played.
    private mutating func hear(_ frames: Int64) throws(Failure) {
        let flushes = flushes
        _ = try wait("start of the device") { $0.flushes == flushes && (!$0.isCorked || $0.hasDrained) }
        var left = max(1, min(frames, reference.total - here))
        // Exactly between two items, neither is playing.
        if reference.starts.contains(here + left) { left += 1 }
        while left > 0, here < reference.total {
            let part = min(left, Self.slice)
            let goal = device.report.heard + part
            device.pass(part)
            _ = try wait("\(part) frames") { $0.heard >= goal }
            (here, left, framesHeard) = (here + part, left - part, framesHeard + part)
            try compare()
        }
        if here == reference.total { try hearEnd() }
    }

    private mutating func hearEnd() throws(Failure) {
        device.pass(Self.slice)
        _ = try wait("end") { $0.hasDrained }
        try compare()
        guard pulled == reference.total else { throw Failure(reason: "playback ended at frame \(pulled)") }
    }

    private mutating func compare() throws(Failure) {
        let samples = device.takeSamples()
        let (count, first) = reference.differences(samples, from: pulled)
        if let first { throw Failure(reason: "\(count) frames differ, the first is frame \(first) of the playlist") }
        pulled += Int64(samples.count / Reference.channels)
        framesCompared += Int64(samples.count / Reference.channels)
    }

    // MARK: Checking

    private func checkPosition() throws(Failure) {
        let (item, frame) = reference.place(of: here)
        let end = ContinuousClock.now + Self.patience
        var status = player.status
        while ContinuousClock.now < end {
            if here == reference.total, status.activity == .ended { return }
            if status.item?.id == UInt32(item), status.position == Order.duration(ofFrames: frame) { return }
            device.changed.wait(atMost: .zero)
            status = player.status
        }
        throw Failure(
            reason: "item \(item), frame \(frame) is playing; the status shows \(status.item?.title ?? "nothing") at "
                + "\(status.position.map { "\($0)" } ?? "no position"), \(status.activity)")
    }

    private func wait(
        _ what: String, until isWanted: (VirtualDevice.Report) -> Bool
    ) throws(Failure) -> VirtualDevice.Report {
        if let report = device.wait(atMost: Self.patience, until: isWanted) { return report }
        let state = "\(device.report), \(player.status.activity), \(failures.all)"
        throw Failure(reason: "no \(what) within \(Self.patience): \(state)")
    }
}

extension MediaDuration {
    fileprivate var isSure: Bool {
        switch self {
        case .declared, .exact: true
        case .estimated, .unknown: false
        }
    }
}
