// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioBuffers
public import Media

/// Something that PCM is written into, from the first frame on: the seam between what records and files. Confined to
/// one thread at a time, as `AudioFrameReader` is.
public protocol AudioFrameWriter: AnyObject {
    /// What `write` takes.
    var format: AudioFormat { get }

    /// Appends all frames of a slice of `format`, or throws.
    func write(_ slice: AudioBufferSlice) throws(AudioFileError)

    /// Brings to the disk what was written and says in the header how much that is. Nothing is written afterwards;
    /// closed once more, it does nothing.
    func close() throws(AudioFileError)
}

extension AudioFrameWriter {
    /// Appends the frames of a list of `format` that count, or throws.
    public func write(_ list: borrowing AudioBufferList) throws(AudioFileError) {
        try list.withSlice { (frames) throws(AudioFileError) in try write(frames) }
    }
}
