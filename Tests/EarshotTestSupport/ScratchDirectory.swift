// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// A temporary directory for one test, removed with the object.
public final class ScratchDirectory: Sendable {
    public let path: String

    public init() {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/earshot-test-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else {
            preconditionFailure("cannot create a temporary directory: errno \(errno)")
        }
        path = String(cString: made)
    }

    deinit { remove() }

    func remove() { Self.remove(path) }

    /// Returns the path of an entry of the directory.
    public func path(_ name: String) -> String { path + "/" + name }

    @discardableResult
    public func write(_ bytes: some Sequence<UInt8>, to name: String) throws(ProgramRun.Failure) -> String {
        let file = path(name)
        let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        defer { close(descriptor) }
        var rest = Array(bytes)[...]
        while descriptor >= 0, !rest.isEmpty {
            let count = Glibc.write(descriptor, Array(rest), rest.count)
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        guard descriptor >= 0, rest.isEmpty else { throw ProgramRun.Failure(description: "cannot write \(file)") }
        return file
    }

    /// Returns the bytes of a file; empty if the file does not exist.
    public func read(_ name: String) -> [UInt8] { Self.bytes(of: path(name)) }

    /// The names of the entries in alphabetical order.
    public var names: [String] { Self.names(in: path) }

    /// Returns the names of the entries of a subfolder in alphabetical order; empty if it does not exist.
    public func names(in folder: String) -> [String] { Self.names(in: path(folder)) }

    /// Returns the bytes of the file at a path; empty if it does not exist.
    public static func bytes(of file: String) -> [UInt8] {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var status = stat()
        fstat(descriptor, &status)
        return [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, used in
            while used < buffer.count, let start = buffer.baseAddress {
                let count = Glibc.read(descriptor, start + used, buffer.count - used)
                guard count > 0 else { break }
                used += count
            }
        }
    }

    public static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private static func remove(_ path: String) {
        for name in names(in: path) {
            let child = path + "/" + name
            if unlink(child) != 0 { remove(child) }
        }
        rmdir(path)
    }
}
