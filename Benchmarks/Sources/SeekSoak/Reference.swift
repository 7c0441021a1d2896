// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// The expected audio of a playlist, frame by frame: one file of interleaved Float32 samples for each item.
///
/// The files are read as needed instead of mapped, so that they do not count as memory of the process.
struct Reference {
    static let channels = 2
    private static let bytesPerFrame = Int64(channels * MemoryLayout<Float>.size)

    /// The number of frames of each item, and its start on the playlist.
    let lengths: [Int64]
    let starts: [Int64]
    private let files: [CInt]

    /// - Returns: `nil` if a file cannot be read.
    init?(paths: [String]) {
        files = paths.map { open($0, O_RDONLY | O_CLOEXEC) }
        lengths = files.map { Int64(max(0, lseek($0, 0, SEEK_END))) / Self.bytesPerFrame }
        guard !files.contains(-1), !lengths.contains(0) else { return nil }
        starts = lengths.indices.map { [lengths] in lengths[..<$0].reduce(0, +) }
    }

    var total: Int64 { lengths.reduce(0, +) }

    /// Returns the item that contains a frame of the playlist, and the frame's number in it; past the end, that of
    /// the last item.
    func place(of frame: Int64) -> (item: Int, frame: Int64) {
        let item = starts.lastIndex { $0 <= frame } ?? 0
        return (item, frame - starts[item])
    }

    /// Compares samples bit by bit.
    /// - Parameter start: The playlist's frame at which `samples` should begin.
    /// - Returns: The number of different frames, and the first of them. All frames past the end count as different.
    func differences(_ samples: [Float], from start: Int64) -> (count: Int64, first: Int64?) {
        let expected = frames(from: start, count: samples.count / Self.channels)
        let isEqual = samples.withUnsafeBytes { heard in
            expected.withUnsafeBytes { expected in
                guard expected.count == heard.count, let some = expected.baseAddress, let others = heard.baseAddress
                else { return expected.count == heard.count }
                return memcmp(some, others, heard.count) == 0
            }
        }
        if isEqual { return (0, nil) }
        var (count, first) = (Int64(0), Int64?.none)
        for frame in 0..<samples.count / Self.channels where !isSame(samples, expected, at: frame) {
            count += 1
            first = first ?? start + Int64(frame)
        }
        return (count, first)
    }

    private func isSame(_ some: [Float], _ others: [Float], at frame: Int) -> Bool {
        (frame * Self.channels..<(frame + 1) * Self.channels).allSatisfy {
            $0 < others.count && some[$0].bitPattern == others[$0].bitPattern
        }
    }

    private func frames(from start: Int64, count: Int) -> [Float] {
        var samples: [Float] = []
        var next = start
        let end = min(start + Int64(count), total)
        while next < end {
            let (item, frame) = place(of: next)
            let part = min(end - next, lengths[item] - frame)
            samples += [Float](unsafeUninitializedCapacity: Int(part) * Self.channels) { buffer, read in
                let bytes = pread(files[item], buffer.baseAddress, buffer.count * 4, Int(frame * Self.bytesPerFrame))
                read = max(0, bytes) / 4
            }
            next += part
        }
        return samples
    }
}
