// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// Tests in full that take a minute or more: they run if the environment variable EARSHOT_LONG_TESTS is set. Otherwise
/// a smaller sample of each runs.
public enum LongTests {
    public static let areEnabled = getenv("EARSHOT_LONG_TESTS") != nil

    /// Returns `all` for a long run, and `sample` otherwise.
    public static func size<Size>(_ sample: Size, inFull all: Size) -> Size { areEnabled ? all : sample }
}
