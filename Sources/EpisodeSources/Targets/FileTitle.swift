// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import TrackReading

/// The title in the tag of an audio file.
enum FileTitle {
    /// - Returns: `nil` if the file has no title or cannot be read; the error is reported when the file is played.
    static func title(ofFile path: String) -> String? {
        do throws(MediaFailure) {
            let file = try FileByteSource(path: path)
            defer { file.close() }
            return TrackMetadata.read(file).title
        } catch {
            return nil
        }
    }
}
