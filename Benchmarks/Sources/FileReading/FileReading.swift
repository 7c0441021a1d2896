// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioFiles
import CFileBaseline
import Glibc
import Media

/// Measures reading whole files and seeking in them, compared with C in the same run, and the memory of the reader of
/// a long MP3 file: `FileReading MP3...`.
///
/// Files of the other types are created first, with ten minutes of audio.
@main
struct FileReading {
    static let blockFrames = 4096

    static func main() throws {
        let paths = Array(CommandLine.arguments.dropFirst())
        var template = Array("/tmp/earshot-bench-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return print("cannot create a temporary directory") }
        let directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let made = try TestFiles.write(into: directory)
        defer {
            for path in made { unlink(path) }
            rmdir(directory)
        }

        // First, while the process has allocated almost no memory.
        for path in paths { try MemoryUse.tell(path) }
        print("\nread the whole file as Float32: ours, C, ours ÷ C")
        for path in made {
            try tell(path, ours: { try read(path) }, theirs: { sndfile_read_all(path, Int64(blockFrames)) })
        }
        for path in paths {
            try tell(path, ours: { try read(path) }, theirs: { mpg123_read_all(path, Int64(blockFrames)) })
        }
        print("\nten seeks, each followed by reading a block: ours, C, ours ÷ C")
        for path in made + paths {
            let places = try places(in: path)
            try tell(
                path, ours: { try seek(path, places) },
                theirs: { sndfile_seek_all(path, places, CInt(places.count), Int64(blockFrames)) })
        }
    }

    /// Prints the shortest of several runs of each; the runs take turns.
    private static func tell(_ path: String, ours: () throws -> Int64, theirs: () -> Int64) rethrows {
        var times = (Duration.seconds(1000), Duration.seconds(1000))
        var frames = (Int64(0), Int64(0))
        for _ in 0..<5 {
            times.0 = try min(times.0, ContinuousClock().measure { frames.0 = try ours() })
            times.1 = min(times.1, ContinuousClock().measure { frames.1 = theirs() })
        }
        let name = path.split(separator: "/").last ?? ""
        let ratio = ((times.0 / times.1) * 100).rounded() / 100
        print("\(name): \(times.0) for \(frames.0) frames, \(times.1) for \(frames.1), \(ratio)")
    }

    private static func read(_ path: String) throws -> Int64 {
        let file = try AudioFileReader(path: path)
        var block = AudioBufferList(format: file.format, frameCapacity: blockFrames)
        let copy = AudioBufferList(format: file.format, frameCapacity: blockFrames)
        while case .frames = try file.read(into: &block) {
            copy.withAllFrames { room in block.withSlice { _ = room.copy(from: $0) } }
        }
        return file.position
    }

    private static func places(in path: String) throws -> [Int64] {
        let frames = try AudioFileReader(path: path).length.frames ?? 0
        return [9, 1, 5, 8, 2, 7, 3, 6, 4, 0].map { frames / 10 * $0 + $0 * 777 }
    }

    private static func seek(_ path: String, _ places: [Int64]) throws -> Int64 {
        let file = try AudioFileReader(path: path)
        var block = AudioBufferList(format: file.format, frameCapacity: blockFrames)
        var frames: Int64 = 0
        for place in places {
            try file.seek(to: place)
            if case .frames(let count) = try file.read(into: &block) { frames += Int64(count) }
        }
        return frames
    }
}
