// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Synchronization

@testable import ProgressiveDownload

/// Performs the calls that change the disk and records them. From the record it builds every state that a loss of
/// power may leave.
final class DiskRecorder: Sendable {
    enum Change: Sendable {
        case create(file: Int, name: String)
        case write(file: Int, offset: Int, bytes: [UInt8])
        case truncate(file: Int, length: Int)
        case synchronize(file: Int)
        case synchronizeNames
        case rename(String, String)
        case unlink(String)
    }

    private struct State {
        var changes: [Change] = []
        var names: [String: Int] = [:]
        var descriptors: [CInt: Int] = [:]
        var numbers: [UInt64] = []
    }

    private let state = Mutex(State())

    var changes: [Change] { state.withLock { $0.changes } }
    /// The inode number of each file.
    var numbers: [UInt64] { state.withLock { $0.numbers } }

    var calls: DiskCalls {
        DiskCalls(
            open: { [self] in open($0, $1, $2) },
            write: { [self] descriptor, bytes, count, offset in
                let copy = Array(UnsafeRawBufferPointer(start: bytes, count: count))
                note(descriptor) { .write(file: $0, offset: offset, bytes: copy) }
                return pwrite(descriptor, bytes, count, offset)
            },
            truncate: { [self] descriptor, length in
                note(descriptor) { .truncate(file: $0, length: length) }
                return ftruncate(descriptor, length)
            },
            synchronize: { [self] descriptor in
                note(descriptor) { .synchronize(file: $0) }
                return 0
            },
            synchronizeAll: { [self] _ in
                state.withLock { $0.changes.append(.synchronizeNames) }
                return 0
            },
            rename: { [self] in rename($0, $1) },
            unlink: { [self] in unlink($0) }, boot: { 1 })
    }

    private func note(_ descriptor: CInt, _ change: (Int) -> Change) {
        state.withLock { state in
            if let file = state.descriptors[descriptor] { state.changes.append(change(file)) }
        }
    }

    private func open(_ path: String, _ flags: CInt, _ mode: mode_t) -> CInt {
        let descriptor = Glibc.open(path, flags, mode)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return descriptor
        }
        let name = Self.name(path)
        state.withLock { state in
            if let file = state.names[name] {
                state.descriptors[descriptor] = file
                if flags & O_TRUNC != 0 { state.changes.append(.truncate(file: file, length: 0)) }
            } else {
                let file = state.numbers.count
                state.numbers.append(UInt64(status.st_ino))
                (state.names[name], state.descriptors[descriptor]) = (file, file)
                state.changes.append(.create(file: file, name: name))
            }
        }
        return descriptor
    }

    private func rename(_ from: String, _ to: String) -> CInt {
        let result = Glibc.rename(from, to)
        guard result == 0 else { return result }
        state.withLock { state in
            state.names[Self.name(to)] = state.names.removeValue(forKey: Self.name(from))
            state.changes.append(.rename(Self.name(from), Self.name(to)))
        }
        return result
    }

    private func unlink(_ path: String) -> CInt {
        let result = Glibc.unlink(path)
        guard result == 0 else { return result }
        state.withLock { state in
            state.names[Self.name(path)] = nil
            state.changes.append(.unlink(Self.name(path)))
        }
        return result
    }

    private static func name(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }
}

// MARK: States
extension DiskRecorder {
    /// The fate of the writes that no sync has covered.
    enum Fate: Hashable, Sendable { case written, lost, missing(Int), torn(Int) }

    /// Returns the files, by name, after the first `count` changes and a loss of power.
    /// - Parameters:
    ///   - fate: The fate of the unsynced writes; an index counts from the first of them.
    ///   - names: The number of name changes since the last sync of the directory that have reached the device.
    func files(
        after count: Int, _ fate: Fate, names: Int, of changes: [Change]
    ) -> [String: (number: UInt64, bytes: [UInt8])] {
        let changes = changes[..<count]
        var contents: [Int: [UInt8]] = [:]
        var unsynced = 0
        for (index, change) in changes.enumerated() {
            guard let file = change.file else { continue }
            let isSafe = changes[(index + 1)...].contains { $0.isSync(of: file) }
            if !isSafe { unsynced += 1 }
            contents[file, default: []].apply(change, isSafe ? .written : fate.fate(of: unsynced - 1))
        }
        let named = names < 0 ? changes.filter(\.isOfNames) : Self.durableNames(changes, plus: names)
        var table: [String: Int] = [:]
        for change in named { change.apply(to: &table) }
        let numbers = numbers
        return table.mapValues { (numbers[$0], contents[$0] ?? []) }
    }

    private static func durableNames(_ changes: ArraySlice<Change>, plus count: Int) -> [Change] {
        let start = changes.lastIndex { if case .synchronizeNames = $0 { true } else { false } } ?? 0
        return changes[..<start].filter(\.isOfNames) + changes[start...].filter(\.isOfNames).prefix(count)
    }

    static func namesPending(_ changes: ArraySlice<Change>) -> Int {
        let start = changes.lastIndex { if case .synchronizeNames = $0 { true } else { false } } ?? 0
        return changes[start...].count(where: \.isOfNames)
    }
}

extension DiskRecorder.Fate {
    /// Returns the fate of one write; `written` if this fate concerns another write.
    fileprivate func fate(of index: Int) -> Self {
        switch self {
        case .written, .lost: self
        case .missing(let which): which == index ? .lost : .written
        case .torn(let which): which == index ? .torn(0) : .written
        }
    }
}

extension [UInt8] {
    fileprivate mutating func apply(_ change: DiskRecorder.Change, _ fate: DiskRecorder.Fate) {
        switch (change, fate) {
        case (_, .lost), (_, .missing): return
        case (.write(_, let offset, let bytes), let fate):
            let bytes = if case .torn = fate { bytes.prefix(512) } else { bytes[...] }
            if count < offset + bytes.count { self += [UInt8](repeating: 0, count: offset + bytes.count - count) }
            replaceSubrange(offset..<offset + bytes.count, with: bytes)
        case (.truncate(_, let length), _):
            self = Array(prefix(length)) + [UInt8](repeating: 0, count: Swift.max(0, length - count))
        default: return
        }
    }
}

extension DiskRecorder.Change {
    /// The file whose bytes the change affects.
    fileprivate var file: Int? {
        switch self {
        case .write(let file, _, _), .truncate(let file, _): file
        default: nil
        }
    }

    fileprivate func isSync(of file: Int) -> Bool {
        if case .synchronize(file: file) = self { true } else { false }
    }

    fileprivate var isOfNames: Bool {
        switch self {
        case .create, .rename, .unlink: true
        default: false
        }
    }

    fileprivate func apply(to table: inout [String: Int]) {
        switch self {
        case .create(let file, let name): table[name] = file
        case .rename(let from, let to): table[to] = table.removeValue(forKey: from)
        case .unlink(let name): table[name] = nil
        default: return
        }
    }
}
