// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@testable import ProgressiveDownload

@Suite("A newer version beside the kept file")
struct ReplacementTests {
    private let directory = ScratchDirectory()
    private var location: DownloadLocation { DownloadLocation(directory: directory.path, name: "e.mp3") }
    private let old = episode(1000)
    private let new = episode(2000, seed: 2)

    @Test("The kept file stays while a newer version arrives; the complete version replaces it and its companion files")
    func takesPlace() throws {
        try directory.write(old, to: "e.mp3")
        try directory.write([1], to: "e.mp3.index")
        try directory.write([1], to: "e.mp3.origin")
        try directory.write(new, to: "e.mp3.next.partial")
        #expect(location.finalized() == location)
        #expect(directory.read("e.mp3") == old)
        try directory.write(new, to: "e.mp3.next")
        try directory.write([2], to: "e.mp3.next.origin")
        #expect(location.finalized() == location)
        #expect(directory.read("e.mp3") == new)
        #expect(directory.read("e.mp3.origin") == [2])
        #expect(!directory.names.contains("e.mp3.index"))
    }

    @Test("A file and its companions get the extension of the content unless theirs already fits")
    func ending() throws {
        let mp4 = [0, 0, 0, 32] + Array("ftypM4A ".utf8) + [UInt8](repeating: 0, count: 100)
        try directory.write(mp4, to: "e.mp3")
        try directory.write([1], to: "e.mp3.origin")
        let settled = location.finalized()
        #expect(settled.name == "e.m4a")
        #expect(directory.names == ["e.m4a", "e.m4a.origin"])
        #expect(settled.finalized() == settled)
        try directory.write(mp4, to: "f.mp4")
        let other = DownloadLocation(directory: directory.path, name: "f.mp4")
        #expect(other.finalized() == other)
    }

    @Test("A crash at any step of a replacement by another container leaves only the newer version after the next call")
    func everyStep() throws {
        let mp4 = [0, 0, 0, 32] + Array("ftypM4A ".utf8) + [UInt8](repeating: 0, count: 100)
        for limit in 0..<12 {
            let directory = ScratchDirectory()
            let location = DownloadLocation(directory: directory.path, name: "e.mp3")
            try directory.write(old, to: "e.mp3")
            try directory.write(mp4, to: "e.mp3.next")
            let disk = FailingDisk()
            disk.dies(after: limit)
            _ = location.finalized(disk.calls)
            _ = location.finalized()
            #expect(directory.names == ["e.m4a"], "after \(limit) calls")
            #expect(directory.read("e.m4a") == mp4)
        }
    }

    @Test("An episode is found under each of its possible names")
    func found() throws {
        let folder = KeepDirectory(path: directory.path)
        let url = "https://host.example/talk.mp4"
        #expect(folder.location(forEnclosure: url).name.hasSuffix(".mp4"))
        let hash = folder.location(forEnclosure: url).name.split(separator: ".")[0].suffix(16)
        // Earlier releases had no mp4 extension.
        for name in ["talk-mp4-\(hash).mp3", "talk-\(hash).m4a"] {
            let directory = ScratchDirectory()
            try directory.write([1], to: name)
            #expect(KeepDirectory(path: directory.path).location(forEnclosure: url).name == name)
        }
    }

    @Test("The locations in a folder are only those of files with generated names")
    func places() throws {
        let folder = KeepDirectory(path: directory.path)
        let name = folder.location(forEnclosure: "https://host.example/a.mp3").name
        for file in [name + ".partial", name + ".partial.json", "song.mp3", "notes.txt", "x-0123456789abcdef.doc"] {
            try directory.write([1], to: file)
        }
        #expect(try folder.locations().map(\.name) == [name])
        #expect(try KeepDirectory(path: directory.path + "/none").locations().isEmpty)
    }
}

@Suite("AudioFileEnding")
struct AudioFileEndingTests {
    @Test("The extension follows from the media type", arguments: [
        ("audio/mpeg", "mp3"), ("audio/x-m4a", "m4a"), ("audio/mp4; codecs=x", "m4a"), ("video/mp4", "mp4"),
        ("video/quicktime", "mov"), ("audio/ogg", "ogg"), ("video/ogg", "ogv"), ("audio/opus", "opus"),
        ("AUDIO/FLAC", "flac"), ("audio/x-wav", "wav"), ("audio/x-aiff", "aiff"), ("audio/aac", "aac"),
        ("video/x-m4v", "m4v"), ("audio/x-m4b", "m4b"), ("audio/x-ms-wma", "wma"), ("audio/webm", "webm"),
        ("audio/", nil), ("text/html", nil), ("", nil),
    ])
    func types(type: String, ending: String?) {
        #expect(AudioFileEnding.ofType(type) == ending)
    }

    @Test("The extension follows from the content")
    func contents() {
        let ogg = { (codec: String) in Array("OggS".utf8) + [UInt8](repeating: 0, count: 24) + Array(codec.utf8) }
        let cases: [([UInt8], String?)] = [
            (ogg("OpusHead"), "opus"), (ogg("\u{1}vorbis"), "ogg"), (ogg("\u{7F}FLAC"), "oga"),
            (Array("fLaC".utf8), "flac"), (Array("RIFF0000WAVE".utf8), "wav"), (Array("FORM0000AIFC".utf8), "aiff"),
            (Array("0000ftypqt  ".utf8), "mov"), (Array("0000ftypisom".utf8), "mp4"), ([0xFF, 0xF1, 0x50], "aac"),
            ([0xFF, 0xFB, 0x90], "mp3"), (Array("caff".utf8), "caf"), (Array("wvpk".utf8), "wv"),
            ([0x30, 0x26, 0xB2, 0x75], "wma"), ([0x1A, 0x45, 0xDF, 0xA3], "webm"),
            ((0..<3).flatMap { _ in [0x47] + [UInt8](repeating: 0, count: 187) }, "ts"),
            (Array("ID3".utf8), nil), ([], nil),
        ]
        for (bytes, ending) in cases { #expect(AudioFileEnding.ofContent(bytes) == ending) }
    }
}
