// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The file beside an episode in which playback stores the positions of its packets. This type treats it as bytes;
/// the reader validates them and ignores an invalid index.
///
/// The file is removed with the audio it describes, when a download starts over, changes to another version or
/// discards its content.
public struct FrameIndexFile: Sendable {
    /// Twice the size of an index of twelve hours.
    static let longest = 4 << 20

    private let path: String

    /// - Parameter location: The location of the episode.
    public init(beside location: DownloadLocation) { path = location.indexPath }

    /// - Returns: `nil` if there is no file or it is too long.
    /// - Throws: `forbidden` or `inputOutput`.
    public func read() throws(MediaFailure) -> [UInt8]? {
        do throws(SystemError) {
            return try OpenFile.contents(of: path, atMost: Self.longest)
        } catch {
            throw error.whileOpening
        }
    }

    /// Replaces the file atomically. It may be lost in a power failure, because it can be created again.
    /// - Throws: `cannotCreate` or `inputOutput`.
    public func write(_ bytes: [UInt8]) throws(MediaFailure) {
        do throws(SystemError) {
            try OpenFile.replace(path, with: bytes, isDurable: false)
        } catch {
            throw error.whileCreating(path)
        }
    }
}
