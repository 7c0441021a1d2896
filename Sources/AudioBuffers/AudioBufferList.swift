// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// PCM of any format in memory of its own, one plane or several: what `AudioBufferList` and `AVAudioPCMBuffer` are
/// elsewhere. It allocates once, when it is made, and is handed on, never copied by accident.
///
///     var list = AudioBufferList(format: format, frameCapacity: 4096)
///     list.frameLength = list.withRoom { $0.copy(from: block) }
///     list.withSlice { $0.dropFirst(1024, count: 1024).silence() }
public struct AudioBufferList: ~Copyable {
    public let format: AudioFormat
    /// The most PCM frames it can hold.
    public let frameCapacity: Int
    /// The PCM frames that count, `0...frameCapacity`; what is set beyond either end is brought to it.
    public var frameLength: Int {
        get { length }
        set { length = min(max(0, newValue), frameCapacity) }
    }

    private var length: Int
    private let memory: UnsafeMutableRawPointer
    private let planeStride: Int

    /// All its frames count, and are silent. A list of a format with no channels, or fewer, holds nothing.
    /// - Precondition: memory can hold it; as with an `Array`, asking for more is a mistake in the program.
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

    /// The frames of a slice, in memory of its own.
    public init(copying slice: AudioBufferSlice) {
        self.init(format: slice.format, frameCapacity: slice.frames)
        self.slice.copy(from: slice)
    }

    deinit { memory.deallocate() }

    /// Gives the frames that count to `body`. The list lives until it returns; the slice is not valid afterwards.
    public func withSlice<Result: ~Copyable, Failure: Error>(
        _ body: (AudioBufferSlice) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(slice)
    }

    /// Gives all there is room for, whether it counts or not, to `body`. The list lives until it returns; the slice is
    /// not valid afterwards.
    public func withRoom<Result: ~Copyable, Failure: Error>(
        _ body: (AudioBufferSlice) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(room)
    }

    /// The frames that count, valid as long as the list lives: one that no variable holds is gone before its slice is
    /// used. So this is for the package alone.
    package var slice: AudioBufferSlice {
        AudioBufferSlice(format: format, frames: length, base: memory, planeStride: planeStride)
    }

    /// All there is room for, whether it counts or not; valid as `slice` is.
    package var room: AudioBufferSlice {
        AudioBufferSlice(format: format, frames: frameCapacity, base: memory, planeStride: planeStride)
    }

    /// Puts frames of the same format behind those that count, as many as there is room for.
    /// - Returns: how many.
    @discardableResult
    public mutating func append(_ frames: AudioBufferSlice) -> Int {
        let count = room.dropFirst(length).copy(from: frames)
        length += count
        return count
    }
}
