// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import MPEGAudio
import Testing

/// Files that LAME and FFmpeg made, against dumps that a person can read; `EARSHOT_RECORD_DUMPS=1` writes them anew.
@Suite("MPEG stream parser: files of real encoders")
struct StreamDumpTests {
    static let names = [
        "abr-id3v1.mp3", "cbr-128.mp3", "crc-no-tag-48k.mp3", "free-format.mp3", "id3v2.mp3", "lavf.mp3", "layer2.mp2",
        "mono-11k.mp3", "mono-22k.mp3", "vbr-v4.mp3",
    ]

    @Test("the structure is the one on record", arguments: names)
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

    @Test("one byte at a time gives the same", arguments: names)
    func byteByByte(name: String) throws {
        let bytes = try #require(Self.read("Fixtures/mp3/\(name)"))
        #expect(StreamDriver.events(of: bytes, cutInto: 1) == StreamDriver.events(of: bytes))
    }

    /// A path in the folder of all tests.
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
