// SPDX-License-Identifier: GPL-3.0-or-later
import CEngineBaseline
import Measuring

/// Measures 10,000 actions at random frames of ten seconds: scheduled in random order, a tenth of them cancelled by
/// name, the others performed in slices of 10 ms; compared with an equivalent scheduler in C.
struct SchedulerCost {
    private static let actions = 10_000

    /// The steps of a whole run of ten seconds.
    struct Steps {
        let schedule: () -> Void
        /// - Returns: The number of cancelled actions.
        let cancel: () -> Int
        let render: (_ slice: Int64) -> Void
        let drain: () -> Void
    }

    /// The times of the steps.
    private struct Times {
        static let names = ["schedule", "insert", "cancel a tenth", "perform", "release"]
        var steps = [Duration](repeating: .seconds(1000), count: names.count)
        var slices = [Duration](repeating: .seconds(1000), count: 999)
    }

    func tell() {
        var chance = SeededGenerator(seed: 1)
        let frames = (0..<Self.actions).map { _ in Int64.random(in: 480..<480_000, using: &chance) }
        let diary = EventDiary(capacity: Self.actions), other = EventDiary(capacity: Self.actions)
        var times = (own: Times(), baseline: Times())
        // The schedulers take turns, so that both see the same machine; every other run is measured slice by slice.
        for run in 0..<18 {
            measure(OwnSchedule(frames, diary).steps, &times.own, singly: run % 2 == 0)
            measure(BaselineSchedule(frames, other).steps, &times.baseline, singly: run % 2 == 0)
            let expected = Self.actions - Self.actions / 10
            guard diary.count == expected, diary.takeEntries() == other.takeEntries() else {
                stop("the schedulers performed different actions")
            }
        }
        for (index, name) in Times.names.enumerated() {
            let (ours, theirs) = (times.own.steps[index], times.baseline.steps[index])
            print(Row.each("scheduler of \(Self.actions): \(name)", count(of: name), ours, [("c", theirs)]).line)
        }
        let own = times.own.slices.sorted(), theirs = times.baseline.slices.sorted()
        for (name, place) in [("median slice", own.count / 2), ("longest slice", own.count - 1)] {
            print(Row.each("scheduler of \(Self.actions): \(name)", 1, own[place], [("c", theirs[place])]).line)
        }
    }

    private func count(of step: String) -> Int {
        switch step {
        case "cancel a tenth": Self.actions / 10
        case "perform": Self.actions - Self.actions / 10
        default: Self.actions
        }
    }

    private func measure(_ run: Steps, _ least: inout Times, singly: Bool) {
        func keep(_ step: Int, _ body: () -> Void) {
            least.steps[step] = min(least.steps[step], ContinuousClock().measure(body))
        }
        keep(0, run.schedule)
        keep(1) { run.render(0) }
        keep(2) { if run.cancel() != Self.actions / 10 { stop("the wrong number of actions was cancelled") } }
        if singly {
            for slice in least.slices.indices {
                let time = ContinuousClock().measure { run.render(Int64(slice + 1)) }
                least.slices[slice] = min(least.slices[slice], time)
            }
        } else {
            keep(3) { for slice in 1..<Int64(1000) { run.render(slice) } }
        }
        keep(4, run.drain)
    }
}
