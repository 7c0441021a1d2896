// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import Measuring

/// A scheduler of 10,000 actions at random frames of ten seconds.
struct SchedulerCost {
    private static let actions = 10_000

    func tell() {
        let events = EventThread(every: nil)
        let scheduler = BlockScheduler(capacity: Self.actions, sampleRate: 48_000, events: events)
        var chance = SeededGenerator(seed: 1)
        let frames = (0..<Self.actions).map { _ in Int64.random(in: 480..<480_000, using: &chance) }
        let scheduling = ContinuousClock().measure {
            for frame in frames { scheduler.schedule(at: .sampleTime(frame)) { _ in } }
        }
        let taking = ContinuousClock().measure { render(scheduler, slice: 0) }
        let slices = (1..<1000).map { slice in ContinuousClock().measure { render(scheduler, slice: slice) } }
        let quantiles = Quantiles(slices)
        let performing = slices.reduce(.zero, +)
        print("""
            {"what": "scheduler", "actions": \(Self.actions), "schedule_ns_each": \(each(scheduling)), \
            "take_in_ns_each": \(each(taking)), "perform_ns_each": \(each(performing)), \
            "slice_median_ms": \(quantiles.milliseconds(0.5)), "slice_longest_ms": \(quantiles.milliseconds(1))}
            """)
        events.drain()
    }

    private func render(_ scheduler: BlockScheduler, slice: Int) {
        let stamp = AudioTimeStamp(sampleTime: Int64(slice) * 480, hostTime: HostTime(nanoseconds: 0))
        scheduler.willRender(stamp, frames: 480)
    }

    private func each(_ time: Duration) -> Int { Int(time / .nanoseconds(1)) / Self.actions }
}
