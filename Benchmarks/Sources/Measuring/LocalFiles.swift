// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
public import Playback

/// A playlist of complete files on disk: item 0 is the first path.
public struct LocalFiles: SourceProvider {
    public let paths: [String]

    public init(_ paths: [String]) { self.paths = paths }

    public var items: [PlaybackItem] {
        paths.enumerated().map { PlaybackItem(id: UInt32($0), title: $1, podcast: nil, location: $1) }
    }

    public func source(for item: PlaybackItem) throws(MediaFailure) -> any ByteSource {
        try FileByteSource(path: paths[Int(item.id)])
    }
}
