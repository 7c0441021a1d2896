// SPDX-License-Identifier: GPL-3.0-or-later

/// Bytes per second over the last three seconds; pure, so the caller brings the time.
struct ThroughputMeter: Sendable {
    private struct Slot { let start: Duration; var count: Int }

    private static let window = Duration.seconds(3)
    /// Arrivals this close together share a slot, which bounds the slots kept at about thirty.
    private static let grain = Duration.milliseconds(100)
    /// Before this much time has passed the figure would be the buffers' speed, not the network's. It is short because
    /// the start of playback waits for it; what had gathered before the first read is not counted, for the same reason.
    private static let least = Duration.milliseconds(50)

    private var began: Duration?
    private var slots: [Slot] = []

    /// A transfer starts to bring bytes at `time`; what earlier ones did no longer counts.
    mutating func begin(at time: Duration) {
        began = time
        slots.removeAll(keepingCapacity: true)
    }

    mutating func end() { began = nil }

    mutating func add(_ count: Int, at time: Duration) {
        if let last = slots.last, time - last.start < Self.grain {
            slots[slots.count - 1].count += count
        } else {
            slots.append(Slot(start: time, count: count))
            slots.removeAll { time - $0.start > Self.window }
        }
    }

    /// `nil` where no transfer runs or it has only just begun.
    func bytesPerSecond(at time: Duration) -> Double? {
        guard let began, time - began >= Self.least else { return nil }
        let span = min(time - began, Self.window)
        let count = slots.reduce(0) { time - $1.start <= Self.window ? $0 + $1.count : $0 }
        return Double(count) / (span / .seconds(1))
    }
}
