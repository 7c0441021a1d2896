// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser

/// How much of a list is shown.
struct ListLimit: ParsableArguments {
    /// More than anybody has.
    private static let everything = 10_000_000

    @Option(parsing: .unconditional, help: ArgumentHelp("How many are shown at most.", valueName: "count"))
    var limit = 50

    @Flag(help: "Show all.")
    var all = false

    var count: Int { all ? Self.everything : limit }

    func validate() throws {
        guard limit >= 1 else { throw ValidationError("--limit wants a number above 0.") }
    }
}
