// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioBuffers
public import Media

/// A source of PCM that can be read from any frame on: the interface between files and players. Confined to one
/// thread at a time; a thread that passes it to another one must no longer use it.
public protocol AudioFrameReader: AnyObject {
    /// The format of the frames that `read` returns.
    var format: AudioFormat { get }
    /// The number of frames of `format`.
    var length: AudioFileLength { get }
    /// The next frame to read.
    var position: Int64 { get }

    /// Sets the first frame of the next read; a frame past the end moves to the end.
    func seek(to frame: Int64) throws(AudioFileError)

    /// Reads the next frames, as many as are available and fit.
    /// - Parameter slice: A slice of `format`, with space for at least one frame.
    func read(into slice: AudioBufferSlice) throws(AudioFileError) -> AudioFileRead
}

extension AudioFrameReader {
    /// Reads the next frames, as many as are available and fit, and sets the list's frame length to their number.
    /// - Parameter list: A list of `format`, with space for at least one frame.
    public func read(into list: inout AudioBufferList) throws(AudioFileError) -> AudioFileRead {
        let answer = try list.withAllFrames { (room) throws(AudioFileError) in try read(into: room) }
        if case .frames(let count) = answer { list.frameLength = count } else { list.frameLength = 0 }
        return answer
    }
}

/// The result of one read, which distinguishes missing frames from the end.
public enum AudioFileRead: Sendable, Equatable {
    /// This many frames (at least one) were stored at the beginning of the slice.
    case frames(Int)
    /// The next frame has not arrived yet: the file still grows.
    case notYetAvailable
    /// The file has no further frame.
    case end
}

/// The number of frames of a file.
public enum AudioFileLength: Sendable, Equatable {
    case exact(Int64)
    /// The number that the tags or the bit rate declare; the readable frames may end elsewhere.
    case estimate(Int64)
    case unknown

    /// The number, exact or estimated; `nil` if unknown.
    public var frames: Int64? {
        switch self {
        case .exact(let frames), .estimate(let frames): frames
        case .unknown: nil
        }
    }
}
