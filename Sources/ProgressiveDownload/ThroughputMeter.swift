// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Counts bytes as they come; pure, so the caller brings the time.
struct ThroughputMeter: Sendable {
    /// Arrivals this close together, and how many had come before them.
    private struct Slot { let start: Duration; let before: Int64 }

    /// What is shown is an average over this time.
    private static let shownWindow = Duration.seconds(3)
    private static let grain = Duration.milliseconds(100)
    /// Before this much time has passed the figure would be the buffers' speed, not the network's.
    private static let least = Duration.milliseconds(50)

    /// When the running transfer began to bring bytes.
    private var began: Duration?
    /// When the first one did.
    private var firstBegan: Duration?
    private var total: Int64 = 0
    private var slots: [Slot] = []

    /// A transfer starts to bring bytes at `time`.
    mutating func begin(at time: Duration) {
        began = time
        firstBegan = firstBegan ?? time
    }

    /// It brings no more; another may follow by itself.
    mutating func end() { began = nil }

    mutating func add(_ count: Int, at time: Duration) {
        if slots.last.map({ time - $0.start >= Self.grain }) ?? true {
            slots.append(Slot(start: time, before: total))
            let outdated = slots.prefix { time - $0.start > Throughput.longWindow + Self.grain }.count
            if outdated > 0 { slots.removeFirst(outdated) }
        }
        total += Int64(count)
    }

    /// What the running transfer brings; `nil` where none runs or it has only just begun.
    func bytesPerSecond(at time: Duration) -> Double? {
        guard let began, time - began >= Self.least else { return nil }
        return rate(over: min(time - began, Self.shownWindow), until: time)
    }

    /// What all transfers brought; `nil` before the first byte. What comes at once counts as a tenth of a second's.
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
