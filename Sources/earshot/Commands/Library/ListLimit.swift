// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser

/// The length of a list.
struct ListLimit: ParsableArguments {
    /// More episodes than any library has.
    private static let everything = 10_000_000

    @Option(parsing: .unconditional, help: ArgumentHelp("The maximum number of results.", valueName: "count"))
    var limit = 50

    @Flag(help: "Show all results.")
    var all = false

    var count: Int { all ? Self.everything : limit }

    func validate() throws {
        guard limit >= 1 else { throw ValidationError("--limit must be at least 1.") }
    }
}
