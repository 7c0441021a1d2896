// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// The resources that this process uses, according to the kernel.
public struct ProcessUse {
    public let residentKilobytes: Int
    /// The maximum resident size so far.
    public let peakKilobytes: Int
    public let threads: Int
    public let openFiles: Int

    public static var now: ProcessUse {
        let status = Self.text("/proc/self/status")
        return ProcessUse(
            residentKilobytes: number(behind: "VmRSS:", in: status),
            peakKilobytes: number(behind: "VmHWM:", in: status), threads: number(behind: "Threads:", in: status),
            openFiles: entries("/proc/self/fd"))
    }

    private static func number(behind word: String, in text: String) -> Int {
        let line = text.split(separator: "\n").first { $0.hasPrefix(word) } ?? ""
        return line.dropFirst(word.count).split { " \t".contains($0) }.first.flatMap { Int($0) } ?? 0
    }

    private static func text(_ path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    private static func entries(_ path: String) -> Int {
        guard let directory = opendir(path) else { return 0 }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        return count
    }
}
