// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// Checks of a file that depend on its format. The download itself knows no format.
public struct ContentRules: Sendable {
    /// Returns the length in bytes that a file declares in its first bytes (2 MiB, or the whole file), as MP3 does in
    /// a tag; `nil` if it declares none.
    public var declaredLength: @Sendable (UnsafeRawBufferPointer) -> Int64? = { _ in nil }
    /// Returns the reason why a complete file cannot be played; `nil` if it can.
    public var fault: @Sendable (any ByteSource) -> MediaFailure? = { _ in nil }
    /// Determines whether a file reaches the end that its container states: it is then complete even if the server sent
    /// no length. Returns `nil` if the container states no end.
    public var statedEnd: @Sendable (any ByteSource) -> StatedEnd? = { _ in nil }

    public init() {}
}
