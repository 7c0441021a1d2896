// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Logging
import Media
import Testing

@testable import ProgressiveDownload

@Suite("EpisodeFileName")
struct EpisodeFileNameTests {
    @Test("A log names a file by its hash, because its words may be the token of a private feed")
    func logged() {
        let url = "http://a/f/token7890123456789.mp3"
        let location = DownloadLocation(directory: "/k", name: EpisodeFileName.name(forEnclosure: url))
        let logged = EpisodeFileName.hash(of: url) + ".mp3"
        #expect(location.name == "token7890123456789-" + logged)
        let failure = MediaFailure(.cannotCreate, "cannot create \(location.path).index")
        let expected: Logger.Metadata = ["file": "\(logged)", "error": "cannot create /k/\(logged).index"]
        #expect(location.logged(failure) == expected)
    }

    @Test(
        "The words of a name come from the last path component that has any, else from the host, else from a default",
        arguments: [
            ("http://a/shows/Episode-1.mp3", "Episode-1-", ".mp3"),
            ("http://a/shows/Episode%201.MP3?x=/../y.exe#z", "Episode-201-", ".mp3"),
            ("http://a/x.m4a", "x-", ".m4a"),
            ("http://a/x.exe", "x-exe-", ".mp3"),
            ("http://a/x.MP4?y=1", "x-", ".mp4"),
            ("http://a/x.m4b", "x-", ".m4b"),
            ("http://a/x.aiff", "x-", ".aiff"),
            ("http://a/shows/12/?id=3", "12-", ".mp3"),
            ("http://name:secret@a.example:80/", "a-example-80-", ".mp3"),
            ("http://a", "a-", ".mp3"),
            ("", "episode-", ".mp3"),
            ("http://a/...", "a-", ".mp3"),
            ("http://a/--_-rm.mp3", "rm-", ".mp3"),
        ])
    func names(url: String, start: String, end: String) {
        let name = EpisodeFileName.name(forEnclosure: url)
        #expect(name.hasPrefix(start) && name.hasSuffix(end), "\(name)")
        #expect(name.utf8.count == start.utf8.count + 16 + end.utf8.count)
    }

    @Test("The media type determines the extension if the address has none")
    func types() {
        #expect(EpisodeFileName.name(forEnclosure: "http://a/download?id=3", type: "audio/x-m4a").hasSuffix(".m4a"))
        #expect(EpisodeFileName.name(forEnclosure: "http://a/x.ogg", type: "audio/mpeg").hasSuffix(".ogg"))
        #expect(EpisodeFileName.name(forEnclosure: "http://a/x", type: "text/plain").hasSuffix(".mp3"))
    }

    @Test("A generated name is recognized, and any other name is rejected")
    func ours() {
        for url in ["http://a/b.mp3", "", "http://a/x.m4a", "http://a/..."] {
            #expect(EpisodeFileName.isGenerated(EpisodeFileName.name(forEnclosure: url)))
        }
        for name in ["song.mp3", "b-0123456789abcdeF.mp3", "b-0123456789abcdef.txt", "0123456789abcdef.mp3", ""] {
            #expect(!EpisodeFileName.isGenerated(name), "\(name)")
        }
    }

    @Test("A URL always has the same name")
    func stable() {
        let name = EpisodeFileName.name(forEnclosure: "abc")
        // The hash is the start of the SHA-256 of "abc".
        #expect(name == "abc-ba7816bf8f01cfea.mp3")
    }

    @Test("Any text yields one safe path component")
    func safe() {
        var generator = SeededGenerator(seed: 3)
        var seen: Set<String> = []
        let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
        for _ in 0..<2000 {
            let scalars = (0..<Int.random(in: 8...200, using: &generator)).map { _ in
                Unicode.Scalar(UInt32.random(in: 0...0x2FF, using: &generator)) ?? "/"
            }
            let url = String(String.UnicodeScalarView(scalars))
            let name = EpisodeFileName.name(forEnclosure: url)
            #expect(name.allSatisfy(allowed.contains) && name.utf8.count <= 100)
            #expect(!name.hasPrefix(".") && !name.hasPrefix("-") && name.count { $0 == "." } == 1)
            #expect(seen.insert(name).inserted)
        }
    }

    @Test("SHA-256 produces the digests of its standard")
    func sha256() {
        let hex = { (text: String) in
            SHA256.digest(of: text.utf8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        }
        #expect(hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
                == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    }
}
