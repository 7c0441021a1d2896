// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// A buffer of PCM of any format that owns its memory, with one plane or several. Apple's counterparts are Core
/// Audio's `AudioBufferList` and `AVAudioPCMBuffer`. A list allocates once, in `init`, and is passed on, never copied
/// by accident.
///
///     var list = AudioBufferList(format: format, frameCapacity: 4096)
///     list.frameLength = list.withRoom { $0.copy(from: block) }
///     list.withSlice { $0.dropFirst(1024, count: 1024).silence() }
public struct AudioBufferList: ~Copyable {
    public let format: AudioFormat
    /// The maximum number of PCM frames.
    public let frameCapacity: Int
    /// The number of valid PCM frames, `0...frameCapacity`; values outside are clamped.
    public var frameLength: Int {
        get { length }
        set { length = min(max(0, newValue), frameCapacity) }
    }

    private var length: Int
    private let memory: UnsafeMutableRawPointer
    private let planeStride: Int

    /// Creates a list of silent frames, all of which are valid. A list whose format has no channels, or fewer, is
    /// empty.
    /// - Precondition: the list fits in memory; as with an `Array`, requesting more is a programming error.
    public init(format: AudioFormat, frameCapacity: Int) {
        self.format = format
        self.frameCapacity = max(0, frameCapacity)
        length = self.frameCapacity
        let planes = format.channels > 0 ? format.planes : 0
        let stride = self.frameCapacity.multipliedReportingOverflow(by: planes > 0 ? format.bytesPerFrame : 0)
        let bytes = stride.partialValue.multipliedReportingOverflow(by: planes)
        precondition(!stride.overflow && !bytes.overflow, "more frames than memory can hold")
        planeStride = stride.partialValue
        memory = .allocate(byteCount: max(1, bytes.partialValue), alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: bytes.partialValue)
    }

    /// Creates a list with a copy of the frames of a slice.
    public init(copying slice: AudioBufferSlice) {
        self.init(format: slice.format, frameCapacity: slice.frames)
        self.slice.copy(from: slice)
    }

    deinit { memory.deallocate() }

    /// Calls `body` with the valid frames. The list exists until it returns; the slice is not valid afterwards.
    public func withSlice<Result: ~Copyable, Failure: Error>(
        _ body: (AudioBufferSlice) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(slice)
    }

    /// Calls `body` with all frames up to the capacity, valid or not. The list exists until it returns; the slice is
    /// not valid afterwards.
    public func withAllFrames<Result: ~Copyable, Failure: Error>(
        _ body: (AudioBufferSlice) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(allFrames)
    }

    /// The valid frames. The slice is valid as long as the list exists; a temporary list is released before its slice
    /// is used, so this property is only for the package.
    package var slice: AudioBufferSlice {
        AudioBufferSlice(format: format, frames: length, base: memory, planeStride: planeStride)
    }

    /// All frames up to the capacity, valid or not. The slice is valid as long as the list exists.
    package var allFrames: AudioBufferSlice {
        AudioBufferSlice(format: format, frames: frameCapacity, base: memory, planeStride: planeStride)
    }

    /// Appends frames of the same format, as many as fit.
    /// - Returns: the number of frames appended.
    @discardableResult
    public mutating func append(_ frames: AudioBufferSlice) -> Int {
        let count = allFrames.dropFirst(length).copy(from: frames)
        length += count
        return count
    }
}
