// SPDX-License-Identifier: GPL-3.0-or-later
import Measuring

/// Compares the cost of the buffering policy to a listener on simulated links with that of other players' rules and
/// with the best possible one: `BufferingRegret [--seed N] [--episodes N] [--check]`.
///
/// Prints tables; `--episodes` is the number for each family of links. `--check` tests the simulator instead.
@main
struct BufferingRegret {
    private var seed: UInt64 = 1
    private var episodes = 100
    private var checks = false

    static func main() {
        guard let order = BufferingRegret(CommandLine.arguments.dropFirst()) else {
            stop("usage: BufferingRegret [--seed N] [--episodes N] [--check]", status: 64)
        }
        if order.checks {
            order.check()
        } else {
            Report(study: Study(seed: order.seed, episodes: order.episodes)).tell()
        }
    }

    private init?(_ words: ArraySlice<String>) {
        var words = words
        while let word = words.popFirst() {
            switch (word, word == "--check" ? nil : words.popFirst().flatMap { UInt32($0) }) {
            case ("--seed", let number?): seed = UInt64(number)
            case ("--episodes", let number?) where number > 0: episodes = Int(number)
            case ("--check", nil): checks = true
            default: return nil
            }
        }
    }

    private func check() {
        let mistakes = SelfCheck(seed: seed).mistakes
        if let first = mistakes.first { stop("\(mistakes.count) mistakes: \(first)") }
        print("The clairvoyant matches an exhaustive search, and constant links give the known results.")
    }
}
