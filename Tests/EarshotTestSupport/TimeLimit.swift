// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// Limits in real time for programs that tests run: they end a program that hangs, and prove nothing about speed.
public enum TimeLimit {
    /// The multiple of every limit on a machine that is slow or busy: EARSHOT_TEST_PATIENCE, otherwise 1.
    public static let factor = max(1, getenv("EARSHOT_TEST_PATIENCE").flatMap { Int(String(cString: $0)) } ?? 1)

    /// The limit of a wait for an event.
    public static let event = Duration.seconds(60) * factor

    /// The limit of a short run.
    public static let shortRun = Duration.seconds(20) * factor
}
