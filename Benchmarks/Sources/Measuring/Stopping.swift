// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// Ends the program with the reason on standard error.
public func stop(_ reason: String, status: CInt = 1) -> Never {
    let program = CommandLine.arguments.first?.split(separator: "/").last ?? "benchmark"
    let line = Array("\(program): \(reason)\n".utf8)
    write(STDERR_FILENO, line, line.count)
    exit(status)
}
