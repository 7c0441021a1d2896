// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioBuffers
public import Media

/// PCM that can be read from any frame on: the seam between files and what plays them. Confined to one thread at a
/// time; whoever hands it to another one does not touch it any more.
public protocol AudioFrameReader: AnyObject {
    /// What `read` delivers.
    var format: AudioFormat { get }
    /// How many frames of `format` there are.
    var length: AudioFileLength { get }
    /// The next frame to be read.
    var position: Int64 { get }

    /// The next read begins with `frame`; one behind the end leads to the end.
    func seek(to frame: Int64) throws(AudioFileError)

    /// Reads the next frames, as many as are there and fit.
    /// - Parameter slice: of `format`, with room for a frame at least.
    func read(into slice: AudioBufferSlice) throws(AudioFileError) -> AudioFileRead
}

extension AudioFrameReader {
    /// Reads the next frames, as many as are there and the list holds; they are what counts in it afterwards.
    /// - Parameter list: of `format`, with room for a frame at least.
    public func read(into list: inout AudioBufferList) throws(AudioFileError) -> AudioFileRead {
        let answer = try list.withRoom { (room) throws(AudioFileError) in try read(into: room) }
        if case .frames(let count) = answer { list.frameLength = count } else { list.frameLength = 0 }
        return answer
    }
}

/// The answer to one read. Starved is not ended.
public enum AudioFileRead: Sendable, Equatable {
    /// This many frames (at least one) were put in from the front.
    case frames(Int)
    /// The next frame has not arrived: the file still grows.
    case edge
    /// There is no further frame.
    case end
}

/// How many frames a file has.
public enum AudioFileLength: Sendable, Equatable {
    case exact(Int64)
    /// What its tags or its bit rate say; the end of the frames that can be read may lie elsewhere.
    case estimate(Int64)
    case unknown

    /// The number, however sure.
    public var frames: Int64? {
        switch self {
        case .exact(let frames), .estimate(let frames): frames
        case .unknown: nil
        }
    }
}
