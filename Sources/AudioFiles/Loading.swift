// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import Media

/// One load of a file, block by block.
struct Loading {
    private let reader: AudioFileReader
    private let frameLimit: Int64
    private let byteLimit: Int
    /// The maximum number of frames to allocate on the basis of the header only.
    private let trustedFrames: Int64

    private static let blockFrames = 65536
    private static let trustedBytes = 4 << 20

    init(_ loader: AudioFileLoader) throws(AudioFileError) {
        reader = try AudioFileReader(path: loader.path, format: loader.format)
        byteLimit = loader.byteLimit
        let bytesPerFrame = reader.format.bytesPerFrame * reader.format.planes
        frameLimit = Int64(max(0, byteLimit) / bytesPerFrame)
        trustedFrames = Int64(max(1, Self.trustedBytes / bytesPerFrame))
    }

    /// - Parameter goesOn: Receives the loaded fraction, 0...1, after each block; returns `false` to end the load.
    func run(_ goesOn: (Double) -> Bool) throws(AudioFileError) -> AudioBufferList {
        guard goesOn(0) else { throw .cancelled }
        let length = reader.length
        let expected = length.frames ?? Int64(Self.blockFrames)
        guard expected <= frameLimit else { throw tooLong }
        var list = AudioBufferList(format: reader.format, frameCapacity: Int(min(expected, trustedFrames)))
        var loaded = 0
        while true {
            if loaded == list.frameCapacity {
                // The exact length is already loaded.
                if case .exact(let frames) = length, loaded >= frames {
                    if let shortfall = reader.shortfall { throw shortfall }
                    break
                }
                list = try grown(list, expecting: expected)
            }
            let rest = list.allFrames.dropFirst(loaded, count: Self.blockFrames)
            guard case .frames(let count) = try reader.read(into: rest) else { break }
            loaded += count
            guard goesOn(Double(loaded) / Double(max(Int(expected), list.frameCapacity))) else { throw .cancelled }
        }
        if let damage = reader.damage.first { throw damage }
        list.frameLength = loaded
        return list
    }

    /// Returns a copy of the list with space for twice as many frames, limited to the expected or the permitted
    /// number.
    private func grown(
        _ list: consuming AudioBufferList, expecting expected: Int64
    ) throws(AudioFileError) -> AudioBufferList {
        let frames = Int64(list.frameCapacity)
        guard frames < frameLimit else { throw tooLong }
        let most = frames < expected ? expected : frameLimit
        let larger = AudioBufferList(format: reader.format, frameCapacity: Int(min(max(2 * frames, 4096), most)))
        larger.allFrames.copy(from: list.allFrames)
        return larger
    }

    private var tooLong: AudioFileError {
        .cannotRead(
            path: reader.path,
            reason: "the decoded audio exceeds the memory limit of \(max(0, byteLimit) >> 10) KiB")
    }
}
