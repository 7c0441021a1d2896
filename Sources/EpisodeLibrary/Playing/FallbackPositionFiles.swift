// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media

/// The playback notes in a folder beside the library, or in a second folder if the disk of the library is full or
/// read-only: one file for each process that could not write to the library.
struct FallbackPositionFiles {
    /// The folders, in the order in which they are tried. A full or read-only disk has room in none of its folders, but
    /// the runtime directory of the user is in memory.
    private let folders: [String]

    /// - Parameters:
    ///   - library: the path of the library.
    ///   - runtimeFolder: a folder, best in memory; `nil` if there is none. It may contain the notes of several
    ///     libraries.
    init(beside library: String, or runtimeFolder: String?) {
        let folder = library + "-positions"
        folders = [folder] + (runtimeFolder.map { ["\($0)/positions-\(Self.name(of: folder))"] } ?? [])
    }

    /// Returns one name for the whole path, so that removing the folder leaves no other. If it is too long for a name,
    /// it is that of several folders.
    private static func name(of path: String) -> String {
        let name = Array(PercentEncoding.encoded(path[...], and: "/%").utf8)
        return stride(from: 0, to: name.count, by: 200).map { start in
            String(decoding: name[start..<min(start + 200, name.count)], as: UTF8.self)
        }.joined(separator: "/")
    }

    /// Stores the notes in the first folder that has room for them.
    /// - Returns: the folder.
    /// - Throws: the error of the first folder.
    func keep(_ notes: [PlaybackRecord], as name: String) throws(LibraryError) -> String {
        var first: LibraryError?
        for folder in folders {
            do throws(LibraryError) {
                try keep(notes, as: name, in: folder)
                // Notes of an earlier attempt are older.
                drop([name], except: folder)
                return folder
            } catch {
                first = first ?? error
            }
        }
        throw first ?? LibraryError(.inputOutput, "there is no folder for positions")
    }

    private func keep(_ notes: [PlaybackRecord], as name: String, in folder: String) throws(LibraryError) {
        try create(folder)
        let (draft, path) = (folder + "/." + name, folder + "/" + name)
        let bytes = Array(notes.flatMap(\.lines).map { $0 + "\n" }.joined().utf8)
        do throws(SystemError) {
            let file = try FileDescriptor(path: draft, flags: O_WRONLY | O_CREAT | O_TRUNC)
            try bytes.withUnsafeBufferPointer { bytes throws(SystemError) in
                try file.write(UnsafeRawBufferPointer(bytes), at: 0)
            }
            guard fdatasync(file.number) == 0 else { throw SystemError("fdatasync") }
            guard rename(draft, path) == 0 else { throw SystemError("rename") }
        } catch {
            unlink(draft)
            throw LibraryError(.inputOutput, "\(path): \(error.phrase)")
        }
    }

    /// Creates the folder and the missing ones above it.
    private func create(_ folder: String) throws(LibraryError) {
        guard mkdir(folder, 0o700) != 0, errno != EEXIST else { return }
        guard errno == ENOENT, let end = folder.lastIndex(of: "/"), end > folder.startIndex else {
            throw failure(folder)
        }
        try create(String(folder[..<end]))
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw failure(folder) }
    }

    /// Removes files. A file that cannot be removed is merged again, which changes nothing.
    func drop(_ names: [String], except kept: String? = nil) {
        for folder in folders where folder != kept {
            for name in names { unlink(folder + "/" + name) }
            rmdir(folder)
        }
    }

    /// Returns the complete files; none if the folders do not exist.
    func files() -> [(name: String, notes: [PlaybackRecord])] {
        folders.flatMap { folder in
            LibraryFiles.names(in: folder).filter { !$0.hasPrefix(".") }.map { ($0, notes(in: folder + "/" + $0)) }
        }.filter { !$0.notes.isEmpty }
    }

    /// The maximum length of a file in bytes, enough for the ranges between all seeks of a day.
    private static let longest = 1 << 20

    private func notes(in path: String) -> [PlaybackRecord] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Self.longest)
        let count = read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes[..<max(0, count)], as: UTF8.self).split(separator: "\n")
            .compactMap { PlaybackRecord(line: String($0)) }
    }

    private func failure(_ path: String) -> LibraryError {
        LibraryError(.inputOutput, "\(path): \(SystemError.phrase(of: errno))")
    }
}

extension PlaybackRecord {
    /// The lines of the note. An estimated position has two: a version that does not know estimates reads the first one
    /// and ignores the second.
    var lines: [String] {
        guard case .position(var position) = event, position.anchor != nil else { return [line] }
        position.anchor = nil
        return [PlaybackRecord(episode, .position(position), at: at).line, line]
    }

    /// The note as a list of texts: the event, the episode, the time, and the values of the event.
    var line: String {
        let fields =
            switch event {
            case .began: ["began"]
            case .played(let range): ["heard"] + Self.fields(range)
            case .finished(let heard): ["finished"] + Self.fields(heard)
            case .position(let position): Self.fields(position)
            }
        return JSONList.text([fields[0], "\(episode)", "\(at.secondsSince1970)"] + fields.dropFirst())
    }

    /// Parses a line; returns `nil` if it is not a note.
    init?(line: String) {
        let fields = JSONList.strings(line)
        guard fields.count >= 3, let episode = Int64(fields[1]), let time = Self.seconds(fields[2]),
            let event = Self.event(fields[0], Array(fields[3...]))
        else { return nil }
        self.init(episode, event, at: UTCTime(secondsSince1970: time))
    }

    private static func event(_ word: String, _ fields: [String]) -> Event? {
        switch (word, fields.count) {
        case ("began", 0): return .began
        case ("heard", 2): return range(fields).map { .played($0) }
        case ("finished", 2): return .finished(heard: range(fields))
        case ("position", 6), ("estimate", 7):
            guard let position = Self.microseconds(fields[2]), let inAll = Self.microseconds(fields[5]) else {
                return nil
            }
            return .position(
                PlaybackPosition(
                    position: .microseconds(position), from: TimeAnchor(text: fields.count > 6 ? fields[6] : nil),
                    duration: Self.microseconds(fields[3]).map { .microseconds($0) },
                    version: fields[4].isEmpty ? nil : fields[4], heard: range(fields),
                    heardInAll: .microseconds(inAll)))
        default: return nil
        }
    }

    private static func fields(_ position: PlaybackPosition) -> [String] {
        let word = position.anchor == nil ? "position" : "estimate"
        let duration = position.duration.map { "\($0.microseconds)" } ?? ""
        let times = [
            "\(position.position.microseconds)", duration, position.version ?? "",
            "\(position.totalPlayed.microseconds)",
        ]
        return [word] + fields(position.playedRange) + times + [position.anchor?.text].compactMap { $0 }
    }

    private static func fields(_ range: Range<Duration>?) -> [String] {
        guard let range else { return ["", ""] }
        return ["\(range.lowerBound.microseconds)", "\(range.upperBound.microseconds)"]
    }

    private static func range(_ fields: [String]) -> Range<Duration>? {
        guard let first = microseconds(fields[0]), let last = microseconds(fields[1]), first < last else { return nil }
        return .microseconds(first) ..< .microseconds(last)
    }

    // The times are limited so that sums and differences cannot overflow: a damaged file must not end the program.

    private static func seconds(_ text: String) -> Int64? { Int64(text).flatMap { 0...1 << 40 ~= $0 ? $0 : nil } }

    private static func microseconds(_ text: String) -> Int64? {
        Int64(text).flatMap { 0...1 << 52 ~= $0 ? $0 : nil }
    }
}
