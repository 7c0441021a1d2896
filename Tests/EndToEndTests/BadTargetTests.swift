// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

/// A target that cannot be played, with the expected message and exit status.
struct BadTarget: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let script: FaultScript
    /// The end of the path: an address that ends in `.mp3` is fetched directly as an episode, any other one may be a
    /// feed.
    var ending = ".mp3"
    /// The text that the message contains after the target.
    let reason: String
    let status: CInt

    static let page = Array("<!DOCTYPE html>\n<html><title>Sign in</title><p>Welcome</p></html>\n".utf8)
    static let garbage = (0..<5000).map { UInt8($0 &* 7 % 61 + 1) }

    /// FaultScenarioTests contain these answers and redirects for the address of an episode.
    static let answers: [BadTarget] = [
        (401, "Unauthorized", 77), (403, "Forbidden", 77), (404, "Not Found", 66), (410, "Gone", 66),
        (500, "Internal Server Error", 69), (503, "Service Unavailable", 69),
    ].map { code, words, status in
        BadTarget(
            testDescription: "\(code)", script: .status(code), ending: "",
            reason: "the server answered \(code) \(words)", status: status)
    }

    static let redirects: [BadTarget] = [
        ("/loop", "redirects too often"), ("file:///etc/passwd", "scheme \"file\""),
        ("ftp://127.0.0.1/x", "scheme \"ftp\""),
    ].map { location, reason in
        BadTarget(
            testDescription: "redirect to \(location)", script: .redirect(to: location), ending: "",
            reason: reason, status: 76)
    }

    static let contents: [BadTarget] = [
        BadTarget(
            testDescription: "noise with an audio content type", script: FaultScript(body: garbage),
            reason: "the server sent no audio", status: 65),
        BadTarget(
            testDescription: "fewer bytes than the declared length",
            script: FaultScript(body: Array(DemoEpisodes.bytes(1).prefix(100_000))).with {
                $0.framing = .declaredLength(156_894)
                $0.ranges = .ignored
            },
            reason: "the server sends only 100000 of 156894 bytes", status: 69),
    ]

    static let feeds: [BadTarget] = [
        BadTarget(
            testDescription: "a feed without an enclosure",
            script: FaultScript(
                body: Array("<rss version='2.0'><channel><item><title>a</title></item></channel></rss>".utf8),
                contentType: "application/rss+xml"),
            ending: "", reason: "the feed has no episode with audio", status: 66),
        BadTarget(
            testDescription: "a page", script: .webPage(), ending: "", reason: "not a feed: it is an HTML page",
            status: 65),
        BadTarget(
            testDescription: "a web page with the content type of a feed",
            script: .webPage(contentType: "application/rss+xml"), ending: "",
            reason: "not a feed: it is an HTML page", status: 65),
        BadTarget(
            testDescription: "JSON",
            script: FaultScript(body: Array("{\"version\": 1}".utf8), contentType: "application/json"), ending: "",
            reason: "JSON", status: 65),
        BadTarget(
            testDescription: "noise", script: FaultScript(body: garbage, contentType: "application/octet-stream"),
            ending: "", reason: "not a feed", status: 65),
        BadTarget(
            testDescription: "nothing", script: FaultScript(contentType: "application/rss+xml"), ending: "",
            reason: "it is empty", status: 65),
    ]
}

@Suite("Targets that fail")
struct BadTargetTests {
    @Test(
        "An error answer or a bad redirect fails with one message", arguments: BadTarget.answers + BadTarget.redirects)
    func answers(target: BadTarget) throws { try check(target) }

    @Test("Content that is not an episode fails with one message", arguments: BadTarget.contents)
    func contents(target: BadTarget) throws { try check(target) }

    @Test("Content that is not a feed fails with one message", arguments: BadTarget.feeds)
    func feeds(target: BadTarget) throws { try check(target) }

    private func check(_ target: BadTarget) throws {
        let server = try FaultServer()
        let path = "/bad" + target.ending
        server.serve(path, target.script)
        server.serve("/loop", .redirect(to: "/loop"))
        let earshot = try Earshot()
        let outcome = try earshot.play([server.url(path)])
        try expectOneSentence(outcome, about: server.url(path), target.reason, target.status)
        #expect(earshot.kept.allSatisfy { $0.contains(".partial") })
    }

    @Test("An unknown host name fails", arguments: ["a.mp3", "feed"])
    func unknownHost(name: String) throws {
        let target = "http://nothing.invalid/\(name)"
        try expectOneSentence(
            Earshot().play([target]), about: target, "the host name \"nothing.invalid\" is unknown", 68)
    }

    @Test("A refused connection fails", arguments: ["/a.mp3", "/feed"])
    func refused(path: String) throws {
        try withExtendedLifetime(RefusingPort()) { port in
            let target = port.url(path)
            try expectOneSentence(Earshot().play([target]), about: target, "connection refused", 69)
        }
    }

    @Test("An https address of a plain http server fails", arguments: ["/a.mp3", "/feed"])
    func notTLS(path: String) throws {
        let server = try FaultServer()
        let target = "https://127.0.0.1:\(server.port)\(path)"
        let reason = "cannot establish a secure connection to 127.0.0.1"
        try expectOneSentence(Earshot().play([target]), about: target, reason, 76)
    }

    @Test(
        "A self-signed certificate is rejected", .enabled(if: NginxServer.isInstalled),
        arguments: ["/a.mp3", "/demo.xml"])
    func selfSigned(path: String) throws {
        let server = try NginxServer(["a.mp3": DemoEpisodes.bytes(1), "demo.xml": DemoEpisodes.feed], tls: .http2)
        let port = try #require(server.tlsPort, "openssl made no certificate")
        let target = "https://127.0.0.1:\(port)\(path)"
        try expectOneSentence(Earshot().play([target]), about: target, "certificate", 76)
    }

    @Test("A missing file, a directory, and an unsupported scheme fail")
    func paths() throws {
        let earshot = try Earshot()
        try expectOneSentence(earshot.play(["/nothing/here.mp3"]), about: "/nothing/here.mp3", "no such file", 66)
        try expectOneSentence(earshot.play([earshot.scratch.path]), about: earshot.scratch.path, "a directory", 65)
        try expectOneSentence(earshot.play(["ftp://a/b.mp3"]), about: "ftp://a/b.mp3", "scheme \"ftp\"", 76)
        let empty = try earshot.scratch.write([], to: "empty.mp3")
        try expectOneSentence(earshot.play([empty]), about: empty, "", 65)
        let noise = try earshot.scratch.write(BadTarget.garbage, to: "noise.mp3")
        try expectOneSentence(earshot.play([noise]), about: noise, "no audio found", 65)
    }

    @Test("Without a sound server, a bad target is the only error", arguments: [("ftp://a/b", 76), ("/nothing", 66)])
    func silent(target: String, status: CInt) throws {
        try expectOneSentence(Earshot().run(["play", target]), about: target, "", status)
    }

    @Test("An episode that is not in the feed fails", arguments: ["7", "no such words", "earshot-demo-7"])
    func noEpisode(choice: String) throws {
        try expectOneSentence(
            Earshot().play([DemoEpisodes.feedPath], ["--episode", choice]), about: DemoEpisodes.feedPath, "", 66)
    }
}

/// Expects exactly one message on standard error that contains the subject and the reason, an empty standard output,
/// and the documented status.
func expectOneSentence(
    _ outcome: ProgramRun.Outcome, about subject: String, _ reason: String, _ status: CInt,
    location: SourceLocation = #_sourceLocation
) throws {
    let sentence = try #require(outcome.sentences.first, "\(outcome.errors)", sourceLocation: location)
    #expect(outcome.sentences.count == 1, "\(outcome.errors)", sourceLocation: location)
    #expect(sentence.hasPrefix("earshot: \(subject): "), sourceLocation: location)
    #expect(sentence.contains(reason), "\(sentence)", sourceLocation: location)
    #expect(outcome.status == status, "\(sentence)", sourceLocation: location)
    #expect(outcome.output == [] && !outcome.isOverdue, sourceLocation: location)
}
