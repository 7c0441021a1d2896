// SPDX-License-Identifier: GPL-3.0-or-later
import FuzzHarnesses
import Glibc

/// A seed file of a fuzz target.
struct Seed {
    let name: String
    let bytes: [UInt8]

    /// Returns the seeds of a target, sorted by name within each folder.
    static func all(of target: FuzzTarget) -> [Seed] {
        target.seedFolders.flatMap { folder in
            names(in: folder).compactMap { name in
                contents(of: "\(folder)/\(name)").map { Seed(name: name, bytes: $0) }
            }
        }
    }

    private static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    private static func contents(of path: String) -> [UInt8]? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece.prefix(count) }
        return bytes
    }
}
