// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import HTTPTransfer
import Media
import Testing

@testable import ProgressiveDownload

@Suite("PartialFileManifest")
struct PartialFileManifestTests {
    private static let full = PartialFileManifest(
        url: "http://a/b.mp3?x=\"1\"\\\n",
        stored: StoredContent(
            entity: Representation(validator: .strongETag("\"tag\""), total: 1_000_000), finalURL: "https://ü.example/",
            extents: ByteRangeSet([0..<10, 20..<30, 999_999..<1_000_000])),
        fileNumber: .max, stamp: 7,
        hashes: BlockHashes(
            text: "0123456789abcdef" + "00000000000000ff" + String(repeating: "f", count: 16),
            for: ByteRangeSet([0..<10, 20..<30, 999_999..<1_000_000])) ?? BlockHashes())
    private static let bare = PartialFileManifest(url: "", stored: StoredContent(), fileNumber: 0, stamp: 0)

    @Test("A written manifest reads back", arguments: [full, bare])
    func roundTrip(manifest: PartialFileManifest) {
        #expect(PartialFileManifest(text: manifest.text.utf8) == manifest)
    }

    @Test("The text of a manifest is stable")
    func bytes() {
        let expected =
            #"{"file":"18446744073709551615","finalURL":"https://ü.example/","format":2,"#
            + #""hashes":"0123456789abcdef00000000000000ffffffffffffffffff","#
            + #""ranges":[[0,10],[20,30],[999999,1000000]],"stamp":"7","total":1000000,"#
            + #""url":"http://a/b.mp3?x=\"1\"\\\n","validator":"\"tag\""}"# + "\n"
        #expect(Self.full.text == expected)
    }

    @Test("A manifest of an earlier version is read")
    func earlier() throws {
        let old =
            #"{"file":"18446744073709551615","finalURL":"https://ü.example/","format":2,"#
            + #""hashes":"0123456789abcdef00000000000000ffffffffffffffffff","#
            + #""ranges":[[0,10],[20,30],[999999,1000000]],"stamp":"7","total":1000000,"#
            + #""url":"http://a/b.mp3?x=\"1\"\\\u000a","validator":"\"tag\""}"# + "\n"
        #expect(PartialFileManifest(text: old.utf8) == Self.full)
        let absent =
            #"{"file":"0","finalURL":null,"format":2,"hashes":"","ranges":[],"stamp":"0","total":null,"url":"","#
            + #""validator":null}"# + "\n"
        #expect(PartialFileManifest(text: absent.utf8) == Self.bare)
    }

    @Test("A manifest torn at any byte is invalid")
    func torn() {
        let text = Array(Self.full.text.utf8)
        for end in 0..<text.count - 1 { #expect(PartialFileManifest(text: text[..<end]) == nil) }
    }

    @Test("A manifest with a changed byte never traps and never lists bytes beyond the total")
    func damaged() {
        let text = Array(Self.full.text.utf8)
        var generator = SeededGenerator(seed: 1)
        for index in text.indices {
            var damaged = text
            damaged[index] = UInt8.random(in: 0...255, using: &generator)
            guard let manifest = PartialFileManifest(text: damaged) else { continue }
            let end = manifest.stored.extents.upperBound ?? 0
            #expect(manifest.stored.entity.total.map { end <= $0 } ?? true)
        }
    }

    @Test(
        "Malformed text is refused",
        arguments: [
            "", "null", "[]", "{}", "{", "{\"format\":2}", String(repeating: "[", count: 100_000),
            #"{"format":9,"url":"u","file":"1","stamp":"1","hashes":"","ranges":[],"total":null}"#,
            #"{"format":2,"url":"u","file":"1","ranges":[],"total":null}"#,
            #"{"format":2,"url":"u","file":1,"stamp":"1","hashes":"","ranges":[],"total":null}"#,
            #"{"format":2,"url":"u","file":"-1","stamp":"1","hashes":"","ranges":[],"total":null}"#,
            #"{"format":2,"url":"u","file":"1","stamp":"1","hashes":"","ranges":[[5,1]],"total":null}"#,
            #"{"format":2,"url":"u","file":"1","stamp":"1","hashes":"","ranges":[[-5,1]],"total":null}"#,
            #"{"format":2,"url":"u","file":"1","stamp":"1","hashes":"","ranges":[[0,5],[3,9]],"total":null}"#,
            #"{"format":2,"url":"u","file":"1","stamp":"1","hashes":"","ranges":[[0]],"total":null}"#,
            #"{"format":2,"url":"u","file":"1","stamp":"1","hashes":"","ranges":[[0,10]],"total":9}"#,
            #"{"format":2,"url":"u","file":"1","stamp":"1","hashes":"","ranges":[[0,99999999999999999999]]}"#,
            #"{"format":2,"url":"u","file":"1","stamp":"1","hashes":"","ranges":[],"total":-1}"#,
            #"{"format":2,"url":"u","file":"1","stamp":"1","hashes":"","ranges":[],"total":null}x"#,
            #"{"format":2,"url":"u","file":"1","stamp":"1","hashes":"","ranges":[[0,9]],"total":null}"#,
            #"{"format":2,"url":"u","file":"1","stamp":"1","hashes":"0123456789abcdeF","ranges":[[0,9]]}"#,
            #"{"format":2,"url":"u","file":"1","stamp":"1","hashes":"0","ranges":[[0,99999999999999]],"total":null}"#,
            #"{"format":2,"url":"\ud800","file":"1","stamp":"1","hashes":"","ranges":[],"total":null}"#,
            #"{"format":2.5,"url":"u","file":"1","stamp":"1","hashes":"","ranges":[],"total":null}"#,
            #"{"format":"2","url":"u","file":"1","stamp":"1","hashes":"","ranges":[],"total":null}"#,
        ])
    func hostile(text: String) {
        #expect(PartialFileManifest(text: text.utf8) == nil)
    }

    @Test(
        "A manifest may be written in another form of JSON",
        arguments: [
            #"{"format":2.0,"url":"u","file":"1","stamp":"1","hashes":"","ranges":[],"total":null}"#,
            #"{"format":2,"format":2,"url":"u","file":"1","stamp":"1","hashes":"","ranges":[]}"#,
            #" {"later": [1.5], "format": 2, "url": "u", "file": "1", "stamp": "1", "hashes": "", "ranges": [ ] }"#,
        ])
    func otherForms(text: String) {
        #expect(PartialFileManifest(text: text.utf8)?.url == "u")
    }

    @Test("A weak or malformed validator counts as missing")
    func weakValidator() {
        let text = #"{"format":2,"url":"u","file":"1","stamp":"1","hashes":"","ranges":[],"validator":"W/\"1\""}"#
        #expect(PartialFileManifest(text: text.utf8)?.stored.entity.validator == nil)
        #expect(PartialFileManifest(text: text.utf8) != nil)
    }

    @Test("Only a regular file of a plausible size is read")
    func strangeFiles() throws {
        let directory = ScratchDirectory()
        #expect(try PartialFileManifest.load(from: directory.path + "/none") == nil)
        #expect(try PartialFileManifest.load(from: directory.path) == nil)
        try directory.write([UInt8](repeating: 0x20, count: 2 << 20), to: "huge")
        #expect(try PartialFileManifest.load(from: directory.path + "/huge") == nil)
    }
}
