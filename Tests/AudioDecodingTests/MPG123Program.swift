// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// The `mpg123` program, the reference for the package's decoder.
enum MPG123Program {
    /// - Returns: The program's decode of the file as interleaved Float32 at the file's rate and channel count,
    ///   trimmed if the file declares delay and padding.
    static func decode(_ path: String) throws -> [Float] {
        let quoted = "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
        guard let output = popen("exec mpg123 -q -e f32 -s \(quoted)", "r") else {
            throw TestFailure("cannot start a shell for the mpg123 program")
        }
        let bytes = readAll(output)
        let status = pclose(output)
        guard status == 0 else {
            throw TestFailure("these tests need the mpg123 program, which Scripts/setup installs (status \(status))")
        }
        return bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
        }
    }

    /// Decodes a file with these bytes in the same way.
    static func decode(_ bytes: some Collection<UInt8>) throws -> [Float] {
        var name = Array("/tmp/earshot-decoding-XXXXXX".utf8CString)
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw TestFailure("cannot create a temporary file") }
        defer {
            unlink(name)
            close(descriptor)
        }
        let content = Array(bytes)
        guard write(descriptor, content, content.count) == content.count else {
            throw TestFailure("cannot write the temporary file")
        }
        return try decode(name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) })
    }
}
