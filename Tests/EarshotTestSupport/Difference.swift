// SPDX-License-Identifier: GPL-3.0-or-later

/// Where two collections differ, be it by their length; `nil` where they are the same. What a failing test prints stays
/// short that way.
public func firstDifference<Element: Equatable>(
    _ left: some Collection<Element>, _ right: some Collection<Element>
) -> Int? {
    // As arrays: the one comparison that is fast in a debug build too.
    if Array(left) == Array(right) { return nil }
    let place = zip(left, right).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    return place ?? min(left.count, right.count)
}
