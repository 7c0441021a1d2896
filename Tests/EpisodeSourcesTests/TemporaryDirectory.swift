// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// A directory that is removed with its object, including its files.
final class TemporaryDirectory {
    let path: String

    struct Failure: Error {}

    init() throws {
        var name = Array("/tmp/earshot-listening-XXXXXX".utf8CString)
        guard let made = mkdtemp(&name) else { throw Failure() }
        path = String(cString: made)
    }

    deinit {
        for name in names { unlink(path + "/" + name) }
        rmdir(path)
    }

    var names: [String] {
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

    /// - Returns: the path of the file.
    @discardableResult
    func write(_ content: [UInt8], to name: String) throws -> String {
        let file = path + "/" + name
        guard let stream = fopen(file, "wb") else { throw Failure() }
        defer { fclose(stream) }
        guard fwrite(content, 1, content.count, stream) == content.count else { throw Failure() }
        return file
    }
}
