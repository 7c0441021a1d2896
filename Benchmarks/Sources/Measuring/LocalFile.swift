// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
public import Playback

/// A complete file on disk.
public struct LocalFile: ItemSource {
    public let path: String

    public init(_ path: String) { self.path = path }

    public func open() throws(MediaFailure) -> any ByteSource { try FileByteSource(path: path) }

    /// Returns a playlist of complete files: item 0 is the first path.
    public static func playlist(_ paths: [String]) -> [PlaybackItem] {
        paths.enumerated().map {
            PlaybackItem(id: UInt32($0), title: $1, podcast: nil, location: $1, source: LocalFile($1))
        }
    }
}
