// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// The changes of files in some folders. Source: inotify(7).
package struct FolderWatch {
    /// The events that change the content of a folder.
    package static let contentChanges = UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_DELETE)

    private let file: FileDescriptor
    private var folders: [CInt: String] = [:]

    /// - Returns: `nil` if the system has no more watches.
    package init?() {
        guard let file = try? FileDescriptor(owning: inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC))) else {
            return nil
        }
        self.file = file
    }

    /// The file that `poll` reports as readable after a change.
    package var descriptor: CInt { file.number }

    /// Watches a folder.
    /// - Parameter events: the mask of the events that count.
    /// - Returns: false if it does not exist, or the system has no more watches.
    @discardableResult
    package mutating func add(_ folder: String, events: UInt32 = contentChanges) -> Bool {
        let number = inotify_add_watch(file.number, folder, events)
        guard number >= 0 else { return false }
        folders[number] = folder
        return true
    }

    /// Returns the paths of the files that changed since the last call; if events were lost, also those of the folders.
    package func changes() -> Set<String> {
        var paths: Set<String> = []
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = read(file.number, &buffer, buffer.count)
            guard count > 0 else { return paths }
            buffer[..<count].withUnsafeBytes { collect($0, into: &paths) }
        }
    }

    /// Each event is a watch, a mask, a cookie, the length of the name, and the name, padded with NUL.
    private func collect(_ bytes: UnsafeRawBufferPointer, into paths: inout Set<String>) {
        var offset = 0
        while offset + 16 <= bytes.count {
            let watch = bytes.loadUnaligned(fromByteOffset: offset, as: CInt.self)
            let length = Int(bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
            let name = bytes[(offset + 16)..<min(bytes.count, offset + 16 + length)].prefix { $0 != 0 }
            if watch < 0 { paths.formUnion(folders.values) }
            // An event without a name is about the folder.
            if let folder = folders[watch] {
                paths.insert(name.isEmpty ? folder : "\(folder)/\(String(decoding: name, as: UTF8.self))")
            }
            offset += 16 + length
        }
    }
}
