// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// Answers that contain no episode, and malformed response heads.
extension FaultScenario {
    static let answers: [FaultScenario] =
        [400, 403, 404, 410, 451].map { code in FaultScenario("\(code)") { $0.serve(.status(code)) } } + [
            FaultScenario("500-then-ok-2") { $0.serve(.status(500), .status(500), $0.whole) },
            FaultScenario("500-forever") { $0.serve(.status(500)) },
            FaultScenario("503-retry-after-3") { $0.serve(.busy(503, "3"), $0.whole) },
            FaultScenario("429-retry-after-2") { $0.serve(.busy(429, "2"), $0.whole) },
            // A date in the past allows an immediate retry.
            FaultScenario("503-retry-date") { $0.serve(.busy(503, "Sun, 06 Nov 1994 08:49:37 GMT"), $0.whole) },
            FaultScenario("drop-then-503-retry-after-2-300k") {
                $0.serve($0.whole.cut(after: 300_000), .busy(503, "2"), $0.whole)
            },
            FaultScenario("429-forever") { $0.serve(.busy(429, "1")) },
            FaultScenario("401-basic") {
                $0.serve(.status(401, fields: [("WWW-Authenticate", "Basic realm=\"episodes\"")]))
            },
            FaultScenario("head-405") { stage in
                stage.handle { versions, request, _ in request.method == "HEAD" ? .status(405) : versions.whole }
            },
            FaultScenario("cookie-required") { stage in
                stage.handle { versions, request, _ in
                    request.fields["cookie"]?.contains("pass=1") ?? false
                        ? versions.whole
                        : .redirect(to: versions.path).with { $0.fields.append(("Set-Cookie", "pass=1; Path=/")) }
                }
            },
        ]

    static let contents: [FaultScenario] = [
        FaultScenario("html-instead") { $0.serve(.webPage()) },
        FaultScenario("html-as-audio") { $0.serve(.webPage(contentType: "audio/mpeg")) },
        FaultScenario("drop-then-html-300k-1") {
            $0.serve($0.whole.cut(after: 300_000), .webPage(), $0.whole)
        },
        FaultScenario("drop-then-html-as-audio-300k-1") {
            $0.serve($0.whole.cut(after: 300_000), .webPage(contentType: "audio/mpeg"), $0.whole)
        },
        FaultScenario("portal-redirect") {
            $0.elsewhere.serve("/login", .webPage())
            $0.serve(.redirect(to: $0.elsewhere.url("/login")))
        },
        FaultScenario("drop-then-portal-300k-1") {
            $0.elsewhere.serve("/login", .webPage())
            $0.serve($0.whole.cut(after: 300_000), .redirect(to: $0.elsewhere.url("/login")), $0.whole)
        },
        FaultScenario("drop-then-empty-300k-1") {
            $0.serve($0.whole.cut(after: 300_000), FaultScript().with { $0.status = 200 }, $0.whole)
        },
        FaultScenario("drop-then-204-300k-1") {
            $0.serve($0.whole.cut(after: 300_000), FaultScript().with { $0.status = 204 }, $0.whole)
        },
        FaultScenario("drop-then-gzip-300k-1") {
            let gzip = FaultScript.gzip($0.first, contentType: $0.versions.contentType)
            $0.serve($0.whole.cut(after: 300_000), gzip, $0.whole)
        },
        FaultScenario("wrong-type") { $0.serve($0.whole.with { $0.contentType = "text/plain" }) },
        FaultScenario("no-type") { $0.serve($0.whole.with { $0.contentType = nil }) },
        FaultScenario("gzip-audio") { $0.serve(.gzip($0.first, contentType: $0.versions.contentType)) },
        FaultScenario("gzip-if-asked") { stage in
            stage.handle { versions, request, _ in
                request.acceptEncoding?.contains("gzip") ?? false
                    ? .gzip(versions.first, contentType: versions.contentType) : versions.whole
            }
        },
        FaultScenario("gzip-bomb") {
            $0.serve(
                FaultScript(body: GzipBomb.bytes).with { $0.fields = [("Content-Encoding", "gzip")] })
        },
        damaged("garbage-4k", count: 4096),
        damaged("garbage-200", count: 200),
    ]

    /// Replaces bytes in the middle of the episode with noise; the length stays the same.
    private static func damaged(_ name: String, count: Int) -> FaultScenario {
        FaultScenario(name) { stage in
            let middle = stage.first.count / 2
            let noise = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 % 61 &+ 1) }
            let body = stage.first[..<middle] + noise + stage.first[(middle + count)...]
            stage.serve(stage.whole.with { $0.body = Array(body) })
        }
    }

    static let heads: [FaultScenario] = [
        headed("huge-header", [("X-Huge", String(repeating: "a", count: 1 << 20))]),
        headed("many-headers-5000", (0..<5000).map { ("X-Number-\($0)", "\($0)") }),
        headed(
            "header-injection",
            [
                ("Content-Disposition", "attachment; filename=\"../../../../tmp/earshot-was-here\""),
                ("X-Title", "\u{1B}]0;owned\u{7}\u{1B}[31m\u{202E}"), ("X-Empty", ""), (" Folded", "a\r\n b"),
                ("Server", "x\" ; rm -rf /"),
            ]),
        FaultScenario("info-103") { $0.serve($0.whole.with { $0.interim = [100, 103, 103] }) },
        FaultScenario("info-flood") {
            $0.serve($0.whole.with { $0.interim = [Int](repeating: 103, count: 100_000) })
        },
    ]

    private static func headed(_ name: String, _ fields: [(name: String, value: String)]) -> FaultScenario {
        FaultScenario(name) { stage in stage.serve(stage.whole.with { $0.fields = fields }) }
    }
}

/// Redirects.
extension FaultScenario {
    static let redirects: [FaultScenario] =
        [301, 302, 303, 307, 308].map { code in
            FaultScenario("redirect-code-\(code)") {
                $0.server.serve("/moved.mp3", $0.whole)
                $0.serve(.redirect(to: $0.server.url("/moved.mp3"), code: code))
            }
        } + [
            FaultScenario("redirect-9") { stage in
                for step in 1..<9 { stage.server.serve("/step\(step)", .redirect(to: "/step\(step + 1)")) }
                stage.server.serve("/step9", stage.whole)
                stage.serve(.redirect(to: "/step1"))
            },
            FaultScenario("redirect-relative") {
                $0.server.serve("/moved/there.mp3", $0.whole)
                $0.serve(.redirect(to: "moved/./x/../there.mp3"))
            },
            FaultScenario("redirect-loop") {
                $0.server.serve("/back", .redirect(to: $0.path))
                $0.serve(.redirect(to: "/back"))
            },
            FaultScenario("redirect-noloc") { $0.serve(.status(302)) },
            FaultScenario("redirect-scheme") { $0.serve(.redirect(to: "file:///etc/passwd")) },
        ]
        + ["ftp", "gopher", "dict", "smb", "scp"].map { scheme in
            // The client must not even open a connection.
            FaultScenario("redirect-scheme-\(scheme)") {
                $0.serve(.redirect(to: "\(scheme)://\($0.elsewhere.authority)/episode.mp3"))
            }
        } + [
            FaultScenario("auth-redirect", login: "name:secret@") { $0.wantPassword(for: $0.elsewhere) },
            FaultScenario("auth-redirect-port", login: "name:secret@") { $0.wantPassword(for: $0.neighbour) },
            FaultScenario("auth-redirect-here", login: "name:secret@") { $0.wantPassword(for: $0.server) },
            FaultScenario("multi-host") {
                $0.server.serve("/moved.mp3", $0.whole)
                $0.elsewhere.serve("/back.mp3", .redirect(to: $0.server.url("/moved.mp3")))
                $0.serve(.redirect(to: $0.elsewhere.url("/back.mp3")))
            },
            FaultScenario("drop-then-moved-300k") {
                $0.server.serve("/here.mp3", $0.whole.cut(after: 300_000), .status(403))
                $0.elsewhere.serve("/there.mp3", $0.whole)
                $0.serve(.redirect(to: "/here.mp3"), .redirect(to: $0.elsewhere.url("/there.mp3")))
            },
            signed,
        ]

    /// A signed address that serves two requests, with at most 300 kB each; the episode's own address redirects to a
    /// new one each time.
    private static let signed = FaultScenario("signed-2-300k") { stage in
        let uses = SharedCounts()
        let whole = stage.whole
        stage.server.handle("/signed.mp3") { request, _ in
            uses.next(request.query ?? "") < 2 ? whole.cut(after: 300_000) : .status(403)
        }
        stage.handle { _, _, count in .redirect(to: "/signed.mp3?signature=\(count)") }
    }
}

extension FaultStage {
    /// Makes the episode's address require a password and redirect to `place`, whose log then shows whether the
    /// client sent the password along.
    fileprivate func wantPassword(for place: FaultServer) {
        place.serve("/moved.mp3", whole)
        let there = place.url("/moved.mp3")
        handle { _, request, _ in
            request.authorization == nil
                ? .status(401, fields: [("WWW-Authenticate", "Basic realm=\"episodes\"")]) : .redirect(to: there)
        }
    }
}

extension FaultScript {
    fileprivate static func busy(_ code: Int, _ retryAfter: String) -> FaultScript {
        status(code, fields: [("Retry-After", retryAfter)])
    }
}

/// The number of requests for each name.
private final class SharedCounts: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    func next(_ name: String) -> Int {
        counts.withLock { counts in
            defer { counts[name, default: 0] += 1 }
            return counts[name, default: 0]
        }
    }
}
