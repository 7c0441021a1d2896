// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
public import AudioFiles
public import Media
import Synchronization

/// A file that regions of a `ScheduledFilePlayer` are taken from. One file may be in any number of regions and players.
///
/// ```swift
/// let reader = try AudioFileReader(path: "loop.flac", format: graph.format)
/// let file = ScheduledFile(reader, rate: reader.fileFormat.sampleRate)
/// ```
/// Its frames are counted at the file's own rate, and its reader delivers them at the player's: frame n of a file of
/// 44,100 frames a second is heard with frame round(n × 48,000 ÷ 44,100) of its reader, halves to the later one.
///
/// `@unchecked Sendable`: the reader is used under the lock alone.
public final class ScheduledFile: @unchecked Sendable {
    /// What the reader delivers.
    public let format: AudioFormat
    /// Frames of the file per second: what regions are counted in.
    public let rate: Int
    /// The frames of the file; `nil` while that is not known exactly.
    public let length: Int64?

    private let reader: any AudioFrameReader
    private let lock = Mutex(())

    /// - Parameters:
    ///   - reader: handed over; nobody else touches it any more.
    ///   - rate: `nil` is the reader's; what is not positive is, too.
    ///   - length: frames at `rate`; `nil` is what the reader says, converted to the nearest.
    public init(_ reader: sending any AudioFrameReader, rate: Int? = nil, length: Int64? = nil) {
        format = reader.format
        self.rate = rate.flatMap { $0 > 0 && $0 <= 1 << 24 ? $0 : nil } ?? reader.format.sampleRate
        if let length {
            self.length = max(0, length)
        } else if case .exact(let frames) = reader.length {
            self.length = RateRatio(from: format.sampleRate, to: self.rate).frame(of: frames)
        } else {
            self.length = nil
        }
        self.reader = reader
    }

    /// Reads from frame `frame` of the reader on.
    func read(into slice: AudioBufferSlice, from frame: Int64) throws(AudioFileError) -> AudioFileRead {
        try lock.withLock { _ throws(AudioFileError) in
            if reader.position != frame { try reader.seek(to: frame) }
            return try reader.read(into: slice)
        }
    }
}
