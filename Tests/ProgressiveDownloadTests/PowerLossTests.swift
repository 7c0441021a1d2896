// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import HTTPTransfer
import Media
import Testing

@testable import ProgressiveDownload

@Suite("Loss of power or of the process at any time")
struct PowerLossTests {
    private static let length = 80 << 10
    private static let contents = (0...2).map { episode(length, seed: $0) }
    private static let url = "http://a/b.mp3"

    private static func version(_ number: Int) -> StoredContent {
        StoredContent(entity: Representation(validator: .strongETag("\"\(number)\""), total: Int64(length)))
    }

    private static func open(
        _ directory: ScratchDirectory, _ calls: DiskCalls
    ) throws(MediaFailure) -> (PartialFile, StoredContent) {
        try PartialFile.open(DownloadLocation(directory: directory.path, name: "e.mp3"), url: url, calls: calls)
    }

    private static func store(_ number: Int, _ range: Range<Int>, in file: PartialFile) throws {
        #expect(try contents[number][range].withUnsafeBytes { try file.store($0, at: Int64(range.lowerBound)) })
    }

    /// Records a download of version 1 in pieces, an island first, its replacement by version 2, and the final
    /// rename.
    private static func record() throws -> DiskRecorder {
        let (recorder, directory) = (DiskRecorder(), ScratchDirectory())
        let (old, _) = try open(directory, recorder.calls)
        try old.record(version(1))
        try store(1, 60_000..<65_000, in: old)
        for start in stride(from: 0, to: 48 << 10, by: 8 << 10) {
            try store(1, start..<start + 8 << 10, in: old)
            if start == 16 << 10 { try old.save(version(1)) }
        }
        let new = try old.replacement()
        try new.record(version(2))
        for start in stride(from: 0, to: length, by: 16 << 10) {
            try store(2, start..<start + 16 << 10, in: new)
            if start == 32 << 10 { try new.save(version(2)) }
        }
        try new.finish(total: new.extents.upperBound ?? 0)
        return recorder
    }

    @Test("The remaining bytes belong to one version, byte for byte, and only a complete file has the final name")
    func everyState() throws {
        let recorder = try Self.record()
        let changes = recorder.changes
        var states = 0
        for count in 0...changes.count {
            let pending = DiskRecorder.namesPending(changes[..<count])
            var cases: [(DiskRecorder.Fate, Int)] = []
            for names in Set([-1, 0, pending - 1, pending / 2]) where names >= -1 {
                cases += [(.written, names), (.lost, names)]
            }
            // Only the last writes can still be lost.
            for index in 0..<4 { cases += [(.missing(index), -1), (.torn(index), -1)] }
            for (fate, names) in cases {
                states += 1
                let files = recorder.files(after: count, fate, names: names, of: changes)
                let complaint = try Self.complaint(about: files)
                #expect(complaint == nil, "after \(count) changes, \(fate), \(names) directory changes")
            }
        }
        #expect(states > 500)
    }

    /// Writes the files, opens them and returns the first inconsistency.
    private static func complaint(about files: [String: (number: UInt64, bytes: [UInt8])]) throws -> String? {
        let directory = ScratchDirectory()
        for (name, file) in files where !name.contains(".json") { try directory.write(file.bytes, to: name) }
        for (name, file) in files where name.contains(".json") {
            try directory.write(renumbered(file.bytes, files, directory), to: name)
        }
        if directory.names.contains("e.mp3"), directory.read("e.mp3") != contents[2] {
            return "a partial file has the final name"
        }
        let calls = DiskCalls(boot: { 2 })
        let location = DownloadLocation(directory: directory.path, name: "e.mp3")
        if let (file, stored) = try PartialFile.earlier(location, url: url, longerThan: StoredContent(), calls: calls),
            try !isPure(file, stored)
        {
            return "the earlier version mixes two versions"
        }
        let (file, stored) = try open(directory, calls)
        return try isPure(file, stored) ? nil : "the partial file mixes two versions"
    }

    /// Returns the manifest with the inode numbers of the rewritten files in place of the recorded ones.
    private static func renumbered(
        _ text: [UInt8], _ files: [String: (number: UInt64, bytes: [UInt8])], _ directory: ScratchDirectory
    ) -> [UInt8] {
        var result = String(decoding: text, as: UTF8.self)
        for (name, file) in files where !name.contains(".json") {
            var status = stat()
            guard lstat(directory.path + "/" + name, &status) == 0 else { continue }
            result = result.replacing("\"file\":\"\(file.number)\"", with: "\"file\":\"new \(status.st_ino)\"")
        }
        return Array(result.replacing("\"file\":\"new ", with: "\"file\":\"").utf8)
    }

    private static func isPure(_ file: PartialFile, _ stored: StoredContent) throws -> Bool {
        guard let number = (1...2).first(where: { version($0).entity == stored.entity }) else {
            return stored.extents.isEmpty
        }
        return try stored.extents == file.extents && stored.extents.ranges.allSatisfy { range in
            var bytes = [UInt8](repeating: 0, count: range.count)
            let count = try bytes.withUnsafeMutableBytes { try file.read(at: range.lowerBound, into: $0) }
            let expected = Array(contents[number][Int(range.lowerBound)..<Int(range.upperBound)])
            return count == bytes.count && memcmp(bytes, expected, count) == 0
        }
    }

    @Test("Any sequence of stores, saves, kills and losses of power agrees with a simple model", arguments: 0..<20)
    func model(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let directory = ScratchDirectory()
        var boot: UInt64 = 1
        var (stored, saved) = (ByteRangeSet(), ByteRangeSet())
        var (file, _) = try Self.open(directory, DiskCalls(boot: { 1 }))
        try file.record(Self.version(1))
        for _ in 0..<60 {
            switch Int.random(in: 0..<8, using: &generator) {
            case 0...4:
                let first = Int.random(in: 0..<Self.length, using: &generator)
                let end = min(Self.length, first + Int.random(in: 1...30_000, using: &generator))
                try Self.store(1, first..<end, in: file)
                stored.insert(Int64(first)..<Int64(end))
            case 5:
                try file.save(Self.version(1))
                saved = stored
            case 6:
                file.release()
                file = try Self.open(directory, DiskCalls(boot: { [boot] in boot })).0
                let lost = stored.count - file.extents.count
                #expect(saved.ranges.allSatisfy(file.extents.contains) && lost >= 0 && lost < 62_768)
                #expect(file.extents.ranges.allSatisfy(stored.contains))
                stored = file.extents
                if stored.isEmpty { try file.record(Self.version(1)) }
            default:
                file.release()
                boot += 1
                file = try Self.open(directory, DiskCalls(boot: { [boot] in boot })).0
                #expect(file.extents == saved)
                stored = saved
                if stored.isEmpty { try file.record(Self.version(1)) }
            }
            #expect(file.extents == stored)
        }
        var version = Self.version(1)
        version.extents = stored
        #expect(try Self.isPure(file, version))
    }
}
