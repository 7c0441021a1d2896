// SPDX-License-Identifier: GPL-3.0-or-later
import Measuring

/// Measures the cost of the engine's parts: `EngineCost [INPUTS]`.
///
/// Prints one JSON object per line: mixing compared with the same sums in C at -O3 and, if it is installed,
/// GStreamer's audiomixer; messages to and from the realtime thread compared with rings in C and, if it is installed,
/// GLib's GAsyncQueue; a scheduler of 10,000 actions compared with one in C.
@main
struct EngineCost {
    static func main() {
        let inputs = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1000
        guard inputs > 0 else { stop("usage: EngineCost [INPUTS]", status: 64) }
        MixingCost(inputs: inputs).tell()
        GStreamerMixing(inputs: min(inputs, 64)).tell()
        MessageCost().tell()
        SchedulerCost().tell()
    }

    /// Returns the shortest time of several runs, which other load on the machine affects least.
    static func least(of runs: Int = 7, _ body: () -> Void) -> Duration {
        (0..<runs).map { _ in ContinuousClock().measure(body) }.min() ?? .zero
    }

    /// Returns the same for several works, which take turns, so that all see the same machine.
    static func leastInTurns(of runs: Int = 7, _ works: [() -> Void]) -> [Duration] {
        (0..<runs).map { _ in works.map { ContinuousClock().measure($0) } }
            .reduce([Duration](repeating: .seconds(1000), count: works.count)) { zip($0, $1).map(min) }
    }
}
