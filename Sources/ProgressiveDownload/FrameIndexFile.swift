// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The file beside an episode in which playback keeps where its packets are. Here it is bytes; who reads them checks
/// them, and does without where they are wrong.
///
/// It goes with the bytes it speaks of: a download that begins anew, changes to another version or keeps nothing
/// removes it.
public struct FrameIndexFile: Sendable {
    /// Twelve hours take half of it at most.
    static let longest = 4 << 20

    private let path: String

    public init(beside location: DownloadLocation) { path = location.indexPath }

    /// - Returns: `nil` where there is none, or what is there is none.
    /// - Throws: `forbidden` or `inputOutput`.
    public func read() throws(MediaFailure) -> [UInt8]? {
        do throws(SystemError) {
            return try OpenFile.contents(of: path, atMost: Self.longest)
        } catch {
            throw error.whileOpening
        }
    }

    /// Replaces the file as a whole. It may be lost with the power: it can be made again.
    /// - Throws: `cannotCreate` or `inputOutput`.
    public func write(_ bytes: [UInt8]) throws(MediaFailure) {
        do throws(SystemError) {
            try OpenFile.replace(path, with: bytes, isDurable: false)
        } catch {
            throw error.whileCreating(path)
        }
    }
}
