// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import HTTPTransfer
import Logging
import Testing

@Suite("CurlTransport's log", .timeLimit(.minutes(TimeLimit.factor)))
struct CurlTransportLogTests {
    private let page = "<html><title>Sign in</title> token=0123456789 \u{1B}[2J</html>"

    private func log(of url: String, accepting: Bool = false, at level: Logger.Level = .debug) async -> String {
        let lines = CapturedLog()
        let transport = CurlTransport.quick(logger: lines.logger(level))
        _ = await transport.fetch(HTTPRequest(url: url), CapturingReceiver(acceptsHead: accepting))
        transport.shutdown()
        return lines.text
    }

    @Test("A refused web page is logged at debug level as harmless text")
    func page() async throws {
        let server = try FaultServer(["/e": [FaultScript(body: Array(page.utf8), contentType: "text/html")]])
        let url = server.url("/e?token=0123456789")
        #expect(await log(of: url).contains("<html><title>Sign in</title> token=… [2J</html>"))
        #expect(await !log(of: url, at: .info).contains("Sign in"))
        #expect(await !log(of: url, accepting: true).contains("Sign in"))
    }

    @Test("No random part of a path is logged, because it may be the token of a private feed")
    func pathTokens() async throws {
        let (first, second) = ("first7890123456789", "second890123456789")
        let page = FaultScript(body: Array("<html>no \(second)</html>".utf8), contentType: "text/html")
        let server = try FaultServer([
            "/f/\(first).mp3": [.redirect(to: "/e/\(second)/1.mp3")], "/e/\(second)/1.mp3": [page],
        ])
        let text = await log(of: server.url("/f/\(first).mp3"))
        #expect(text.contains("/f/***.mp3") && text.contains("/e/***/1.mp3") && text.contains("<html>no …</html>"))
        #expect(!text.contains(first) && !text.contains(second), "\(text)")
    }

    @Test("No password and no query is ever logged")
    func secrets() async throws {
        let server = try FaultServer([
            "/e": [FaultScript(body: Array(page.utf8))], "/1": [.redirect(to: "/e?t=SECRET")],
        ])
        let bare = server.url("/1?t=SECRET")
        let login = bare.replacing("http://", with: "http://me:SECRET@")
        let urls = [
            bare, login, "http://me:SECRET@nobody.invalid/?SECRET", "http://me:SECRET%00@a/", "ftp://me:SECRET@a/",
        ]
        for url in urls {
            let text = await log(of: url)
            #expect(!text.isEmpty && !text.contains("SECRET"), "\(text)")
        }
    }
}
