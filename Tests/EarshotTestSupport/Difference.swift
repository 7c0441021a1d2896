// SPDX-License-Identifier: GPL-3.0-or-later

/// Returns the first index where two collections differ, or the shorter length if one is a prefix of the other; `nil`
/// if they are equal. Comparing by index keeps the output of a failing test short.
public func firstDifference<Element: Equatable>(
    _ left: some Collection<Element>, _ right: some Collection<Element>
) -> Int? {
    // Only the comparison of two arrays is fast in a debug build.
    if Array(left) == Array(right) { return nil }
    let place = zip(left, right).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    return place ?? min(left.count, right.count)
}
