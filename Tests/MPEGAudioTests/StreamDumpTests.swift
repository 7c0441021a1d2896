// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import MPEGAudio
import Testing

/// Compares files by LAME and FFmpeg with readable dumps; `EARSHOT_RECORD_DUMPS=1` records the dumps again.
@Suite("MPEG stream parser: files of real encoders")
struct StreamDumpTests {
    static let names = [
        "abr-id3v1.mp3", "cbr-128.mp3", "crc-no-tag-48k.mp3", "free-format.mp3", "id3v2.mp3", "lavf.mp3", "layer2.mp2",
        "mono-11k.mp3", "mono-22k.mp3", "vbr-v4.mp3",
    ]

    @Test("The structure equals the recorded one", arguments: names)
    func structure(name: String) throws {
        let bytes = try #require(Self.read("Fixtures/mp3/\(name)"))
        let dump = StreamDump(StreamDriver.events(of: bytes), length: Int64(bytes.count)).text
        let path = "Dumps/mp3/\(name).txt"
        if getenv("EARSHOT_RECORD_DUMPS") != nil {
            #expect(Self.write(Array(dump.utf8), to: path))
        } else {
            #expect(dump == String(decoding: try #require(Self.read(path)), as: UTF8.self))
        }
    }

    @Test("Parsing one byte at a time yields the same events", arguments: names)
    func byteByByte(name: String) throws {
        let bytes = try #require(Self.read("Fixtures/mp3/\(name)"))
        #expect(StreamDriver.events(of: bytes, cutInto: 1) == StreamDriver.events(of: bytes))
    }

    /// Returns a path in the folder of all tests.
    private static func path(_ name: String) -> String {
        let folders = #filePath.split(separator: "/").dropLast(2)
        return "/" + folders.joined(separator: "/") + "/" + name
    }

    private static func read(_ name: String) -> [UInt8]? {
        guard let file = fopen(path(name), "rb") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, file)
        return count < bytes.count ? Array(bytes.prefix(count)) : nil
    }

    private static func write(_ bytes: [UInt8], to name: String) -> Bool {
        guard let file = fopen(path(name), "wb") else { return false }
        defer { fclose(file) }
        return fwrite(bytes, 1, bytes.count, file) == bytes.count
    }
}
