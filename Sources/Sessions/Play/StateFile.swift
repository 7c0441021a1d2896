// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media
import ProgressiveDownload
import Subscriptions

/// A small text file below `$XDG_STATE_HOME` (XDG Base Directory Specification), for values that are not worth a
/// failure: an unreadable file counts as empty.
struct StateFile: Sendable {
    private static let longest = 64 * 1024

    private let folder: String
    private let name: String

    /// - Parameter folder: the folder of the program; it is created when the file is written.
    init(_ name: String, in folder: String) { (self.name, self.folder) = (name, folder) }

    func read() -> String {
        let descriptor = open(folder + "/" + name, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Self.longest)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        let text = bytes[..<max(0, count)]
        // The last line of a longer file is incomplete.
        let end = count < Self.longest ? text.endIndex : text.lastIndex(of: 0x0A) ?? 0
        return String(decoding: text[..<end], as: UTF8.self)
    }

    /// Replaces the file; a reader finds the old or the new text.
    func write(_ text: String) throws(MediaFailure) {
        try KeepDirectory(path: folder).create()
        let draft = "\(folder)/.\(name).\(getpid())"
        unlink(draft)
        try NewFile.write(Array(text.utf8), to: draft)
        do throws(SystemError) {
            try FinishedFile(path: draft).rename(to: folder + "/" + name, replacing: true)
        } catch {
            unlink(draft)
            throw MediaFailure(.inputOutput, "\(folder)/\(name): \(error.phrase)")
        }
    }
}
