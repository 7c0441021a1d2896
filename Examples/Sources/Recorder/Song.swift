// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioFiles
import Media

/// A file that plays from disk, repeatedly.
struct Song {
    let source: StreamingSource

    init(_ path: String, _ format: AudioFormat, isLive: Bool) throws {
        let reader = try AudioFileReader(path: path, format: format)
        let length = reader.length.frames ?? 0
        source = try StreamingSource(reader, options: isLive ? StreamingSource.Options() : .exact)
        try source.setLoop(try StreamLoop(from: 0, to: length))
        source.play()
    }
}
