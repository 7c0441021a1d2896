// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioBuffers
public import Media

/// A destination for PCM, written from the first frame on: the interface between recorders and files. Confined to one
/// thread at a time, as `AudioFrameReader` is.
public protocol AudioFrameWriter: AnyObject {
    /// The format of the slices passed to `write`.
    var format: AudioFormat { get }

    /// Appends all frames of a slice of `format`, or throws.
    func write(_ slice: AudioBufferSlice) throws(AudioFileError)

    /// Writes all frames to the disk and stores their number in the header. Nothing can be written afterwards;
    /// closing again has no effect.
    func close() throws(AudioFileError)
}

extension AudioFrameWriter {
    /// Appends the valid frames of a list of `format`, or throws.
    public func write(_ list: borrowing AudioBufferList) throws(AudioFileError) {
        try list.withSlice { (frames) throws(AudioFileError) in try write(frames) }
    }
}
