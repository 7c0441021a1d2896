// SPDX-License-Identifier: GPL-3.0-or-later

extension ContainerPoint {
    /// The greatest frame or offset that the parsers of this target compute with; no file has as many.
    static let farthest: Int64 = 1 << 52

    /// The point with values that can be computed with.
    var clamped: ContainerPoint {
        ContainerPoint(frame: Self.clamped(frame), offset: Self.clamped(offset), index: Self.clamped(index))
    }

    static func clamped(_ value: Int64) -> Int64 { min(max(0, value), farthest) }
}
