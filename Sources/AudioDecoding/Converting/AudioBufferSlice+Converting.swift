// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioBuffers
public import Media

extension AudioBufferSlice {
    /// Returns a new list with all frames converted to another format, including the sample rate.
    ///
    ///     let sample = try loaded.withSlice { try $0.converted(to: output) }
    /// - Parameter matrix: `nil` means `ChannelMatrix.standard`.
    /// - Throws: the errors of `AudioConverter.init`.
    public func converted(
        to target: AudioFormat, matrix: ChannelMatrix? = nil
    ) throws(AudioConversionError) -> AudioBufferList {
        let converter = try AudioConverter(from: format, to: target, matrix: matrix)
        let list = AudioBufferList(
            format: target, frameCapacity: Int(converter.outputFrames(for: Int64(frames))))
        var rest = list.slice
        let keep: AudioConverter.Emit = { rest = rest.dropFirst(rest.copy(from: $0)) }
        converter.convert(self, emit: keep)
        try converter.drain(emit: keep)
        return list
    }

    /// Creates a slice of interleaved Float32 samples that are only read.
    /// - Returns: `nil` if `samples` is empty.
    package init?(reading samples: UnsafeBufferPointer<Float>, format: AudioFormat) {
        guard let start = samples.baseAddress else { return nil }
        self.init(UnsafeMutablePointer(mutating: start), frames: samples.count / format.channels, format: format)
    }
}
