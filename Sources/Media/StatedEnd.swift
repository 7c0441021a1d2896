// SPDX-License-Identifier: GPL-3.0-or-later

/// Whether the bytes of a file reach the end that its container states.
public enum StatedEnd: Sendable, Equatable {
    case reached
    case missing(MissingEnd)
}

/// What a file lacks if it does not reach the end that its container states.
public enum MissingEnd: Sendable, Equatable {
    /// Bytes of a stated length, for example of a table or a chunk: the file is certainly incomplete.
    case length
    /// Only the mark of the end, as in Ogg and fragmented MP4: a recording of a live stream may lack it.
    case mark
}
