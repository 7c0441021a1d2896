// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import Media

/// One load of a file, block by block.
struct Loading {
    private let reader: AudioFileReader
    private let frameLimit: Int64
    private let byteLimit: Int

    private static let blockFrames = 65536

    init(_ loader: AudioFileLoader) throws(AudioFileError) {
        reader = try AudioFileReader(path: loader.path, format: loader.format)
        byteLimit = loader.byteLimit
        frameLimit = Int64(max(0, byteLimit) / (reader.format.bytesPerFrame * reader.format.planes))
    }

    /// - Parameter goesOn: is told which part is there, 0...1, after each block; `false` ends it.
    func run(_ goesOn: (Double) -> Bool) throws(AudioFileError) -> AudioBufferList {
        guard goesOn(0) else { throw .cancelled }
        let length = reader.length
        var list = try emptyList(of: length.frames ?? Int64(Self.blockFrames))
        var loaded = 0
        while true {
            if loaded == list.frameCapacity {
                // What was counted is all there is.
                if case .exact = length { break }
                list = try grown(list)
            }
            let rest = list.room.dropFirst(loaded, count: Self.blockFrames)
            guard case .frames(let count) = try reader.read(into: rest) else { break }
            loaded += count
            guard goesOn(Double(loaded) / Double(list.frameCapacity)) else { throw .cancelled }
        }
        list.frameLength = loaded
        return list
    }

    /// Nobody knows how much more there is: room for twice as much, or for all there may be.
    private func grown(_ list: consuming AudioBufferList) throws(AudioFileError) -> AudioBufferList {
        let frames = Int64(list.frameCapacity)
        let isAtLimit = frames >= frameLimit
        let larger = try emptyList(of: isAtLimit ? frames + 1 : min(max(2 * frames, 4096), frameLimit))
        larger.room.copy(from: list.room)
        return larger
    }

    private func emptyList(of frames: Int64) throws(AudioFileError) -> AudioBufferList {
        guard frames <= frameLimit else {
            throw .cannotRead(
                path: reader.path,
                reason: "its sound takes more than the \(byteLimit >> 10) KiB of memory that it may take")
        }
        return AudioBufferList(format: reader.format, frameCapacity: Int(frames))
    }
}
