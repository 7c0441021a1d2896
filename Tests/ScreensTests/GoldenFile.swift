// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Testing

/// A recorded screen in the folder of the tests.
enum GoldenFile {
    static let isRecording = getenv("EARSHOT_RECORD_DUMPS") != nil

    private static let tests = #filePath.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
    private static let folder = tests + "/Golden/"
    /// The folder of the pictures of README.
    static let pictures = tests + "/../../docs/pictures/"

    static func read(_ name: String) -> String? { text(of: folder + name) }

    static func write(_ text: String, to name: String) throws { try write(text, at: folder + name) }

    static func text(of path: String) -> String? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece.prefix(count) }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func write(_ text: String, at path: String) throws {
        let file = try #require(fopen(path, "wb"))
        defer { fclose(file) }
        let bytes = Array(text.utf8)
        try #require(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }
}
