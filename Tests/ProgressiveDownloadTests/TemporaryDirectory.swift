// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// A temporary directory for one test, removed on deinitialization.
final class TemporaryDirectory: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/earshot-test-XXXXXX".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) } ?? "/nonexistent"
    }

    deinit { Self.remove(path) }

    /// The sorted names in the directory, without the `.origin` files that store validators.
    var names: [String] { allNames.filter { !$0.hasSuffix(".origin") } }
    var allNames: [String] { Self.names(in: path) }

    func write(_ bytes: some Collection<UInt8>, to name: String) {
        guard let file = fopen("\(path)/\(name)", "w") else { return }
        defer { fclose(file) }
        fwrite(Array(bytes), 1, bytes.count, file)
    }

    /// Returns the content of the file, or `nil` if it does not exist.
    func read(_ name: String) -> [UInt8]? {
        guard let file = fopen("\(path)/\(name)", "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return bytes
    }

    private static func names(in path: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private static func remove(_ path: String) {
        for name in names(in: path) { remove("\(path)/\(name)") }
        if rmdir(path) != 0 { unlink(path) }
    }
}

/// Returns bytes that start like an MP3 file and differ at every offset; each `seed` makes another version.
func episode(_ count: Int, seed: Int = 1) -> [UInt8] {
    [0x49, 0x44, 0x33, 0x04]
        + (4..<max(count, 4)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ ($0 >> 8) &* seed &+ seed) }
}
