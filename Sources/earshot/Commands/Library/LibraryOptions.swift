// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser

/// The options of all commands that use the library.
struct LibraryOptions: ParsableArguments {
    @Flag(help: "Write JSON to standard output (docs/json-library.md).")
    var json = false
}
