// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Measures the throughput of received bytes and the time of answers. It reads no clock: the caller supplies the time.
struct ThroughputMeter: Sendable {
    /// Deliveries close together in time, and the number of bytes received before them.
    private struct Slot { let start: Duration; let before: Int64 }

    /// The displayed figure is an average over this time.
    private static let shownWindow = Duration.seconds(3)
    private static let grain = Duration.milliseconds(100)
    /// Before this much time has passed, the figure would be the speed of buffers, not of the network.
    private static let least = Duration.milliseconds(50)

    /// The time at which the running transfer delivered its first bytes.
    private var began: Duration?
    /// The time at which the first transfer delivered its first bytes.
    private var firstBegan: Duration?
    private var total: Int64 = 0
    private var slots: [Slot] = []
    /// The request that is waiting for its answer.
    private var request: (number: Int, time: Duration)?
    /// The time from the last request to its answer.
    private(set) var answer: Duration?

    /// Records that a request is waiting for its answer since `time`, unless that is known.
    mutating func request(_ number: Int, at time: Duration) {
        if request?.number != number { request = (number, time) }
    }

    /// Records that a transfer begins to deliver bytes at `time`.
    mutating func begin(at time: Duration) {
        began = time
        if let asked = request.take() { answer = time - asked.time }
        firstBegan = firstBegan ?? time
    }

    /// Records that the transfer delivers no more bytes; another may follow.
    mutating func end() { began = nil }

    mutating func add(_ count: Int, at time: Duration) {
        if slots.last.map({ time - $0.start >= Self.grain }) ?? true {
            slots.append(Slot(start: time, before: total))
            let outdated = slots.prefix { time - $0.start > Throughput.longWindow + Self.grain }.count
            if outdated > 0 { slots.removeFirst(outdated) }
        }
        total += Int64(count)
    }

    /// Returns the throughput of the running transfer; `nil` if none runs or it has only just begun.
    func bytesPerSecond(at time: Duration) -> Double? {
        guard let began, time - began >= Self.least else { return nil }
        return rate(over: min(time - began, Self.shownWindow), until: time)
    }

    /// Returns the distance beyond which another request is faster than waiting; `nil` while the rate is unknown.
    func skipDistance(at time: Duration) -> Int64? {
        bytesPerSecond(at: time).map { SkipDistance.limit(bytesPerSecond: $0, answer: answer) }
    }

    /// Returns the throughput of all transfers; `nil` before the first byte. Less than a tenth of a second counts as
    /// a tenth.
    func throughput(at time: Duration) -> Throughput? {
        guard let firstBegan, total > 0 else { return nil }
        let age = max(time - firstBegan, Self.grain)
        return Throughput(
            age: age, mean: Double(total) / (age / .seconds(1)),
            recent: rate(over: min(age, Throughput.recentWindow), until: time),
            long: rate(over: min(age, Throughput.longWindow), until: time))
    }

    private func rate(over window: Duration, until time: Duration) -> Double {
        let before = slots.first { $0.start >= time - window }?.before ?? total
        return Double(total - before) / (window / .seconds(1))
    }
}

/// The time since initialization on any clock, for code without I/O that uses durations instead of instants.
struct Stopwatch: Sendable {
    private let reading: @Sendable () -> Duration

    init(clock: some Clock<Duration>) {
        let start = clock.now
        reading = { start.duration(to: clock.now) }
    }

    var elapsed: Duration { reading() }
}
