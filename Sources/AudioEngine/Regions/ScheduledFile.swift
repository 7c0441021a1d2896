// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
public import AudioFiles
public import Media
import Synchronization

/// A file that regions of a `ScheduledFilePlayer` play. One file may be in any number of regions and players.
///
/// ```swift
/// let reader = try AudioFileReader(path: "loop.flac", format: graph.format)
/// let file = ScheduledFile(reader, rate: reader.fileFormat.sampleRate)
/// ```
/// Regions count frames at the file's rate, while the reader delivers frames at the player's: frame n of a file of
/// 44,100 frames a second plays with frame round(n × 48,000 ÷ 44,100) of its reader, halves to the later one.
///
/// `@unchecked Sendable`: the reader is used only under the lock.
public final class ScheduledFile: @unchecked Sendable {
    /// The format that the reader delivers.
    public let format: AudioFormat
    /// The number of the file's frames per second; regions count frames at this rate.
    public let rate: Int
    /// The number of frames in the file; `nil` while it is not known exactly.
    public let length: Int64?

    private let reader: any AudioFrameReader
    private let lock = Mutex(())

    /// - Parameters:
    ///   - reader: transferred to this object; no other code may use it from now on.
    ///   - rate: the rate of the file; `nil`, or a value outside `1...2²⁴`, is the reader's rate.
    ///   - length: frames at `rate`; `nil` is the length that the reader reports, converted to the nearest frame.
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
