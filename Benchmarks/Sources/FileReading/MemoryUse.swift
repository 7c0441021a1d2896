// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioFiles
import Glibc
import Media

/// The resident memory of this process.
enum MemoryUse {
    /// Reads a file to its end, seeks back and forth, and prints the memory used in addition to that resident before.
    static func tell(_ path: String) throws {
        // The memory that is allocated once for the first file of any length, including code, does not count.
        _ = try AudioFileReader(path: path).metadata
        let before = kilobytes
        let file = try AudioFileReader(path: path)
        var block = AudioBufferList(format: file.format, frameCapacity: 4096)
        var most = 0
        while case .frames = try file.read(into: &block) {
            if file.position % 1024 == 0 { most = max(most, kilobytes) }
        }
        let frames = file.position
        for part in (0..<100).reversed() {
            try file.seek(to: frames / 100 * Int64(part))
            _ = try file.read(into: &block)
            most = max(most, kilobytes)
        }
        let hours = Double(frames) / Double(file.format.sampleRate) / 3600
        print("\(path): \((hours * 100).rounded() / 100) h, at most \(most - before) kB above idle (\(before) kB)")
    }

    private static var kilobytes: Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, CInt(line.count), file) != nil else { return 0 }
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(sysconf(CInt(_SC_PAGESIZE))) / 1024
    }
}
