// SPDX-License-Identifier: GPL-3.0-or-later

/// Interrupted connections, and wrong ranges and lengths.
extension FaultScenario {
    static let breaks: [FaultScenario] = [
        FaultScenario("ok") { $0.serve($0.whole) },
        FaultScenario("burst-drop-150k") { $0.serve($0.whole.cut(after: 150_000)) },
        FaultScenario("reset-300k") { $0.serve($0.whole.cut(after: 300_000, .reset), $0.whole) },
        FaultScenario("reset-always-200k") { $0.serve($0.whole.cut(after: 200_000, .reset)) },
        FaultScenario("chunked-drop-300k") {
            let chunked = $0.whole.with { $0.framing = .chunked }
            $0.serve(chunked.cut(after: 300_000), $0.whole)
        },
        FaultScenario("chunked-bad") { $0.serve($0.whole.with { $0.framing = .brokenChunked }, $0.whole) },
        FaultScenario("drop-then-500-300k-2") {
            $0.serve($0.whole.cut(after: 300_000), .status(500), .status(500), $0.whole)
        },
        FaultScenario("no-keepalive") { $0.serve($0.whole.with { $0.closes = true }) },
        // The server promises to keep the connection but closes it when the client uses it again.
        FaultScenario("idle-close") { stage in
            let capped = stage.whole.with { $0.ranges = .capped(200_000) }
            stage.handle { _, request, count in
                count == 0 ? capped.cut(after: 100_000) : capped.with { $0.isMute = request.place > 0 }
            }
        },
        FaultScenario("idle-close-after-redirect") {
            $0.server.serve("/moved.mp3", $0.whole)
            $0.serve(.redirect(to: "/moved.mp3").with { $0.closesUnasked = true })
        },
    ]

    static let ranges: [FaultScenario] = [
        FaultScenario("norange") { $0.serve($0.whole.with { $0.ranges = .ignored }) },
        FaultScenario("drop-once-norange-300k") {
            let whole = $0.whole.with { $0.ranges = .ignored }
            $0.serve(whole.cut(after: 300_000), whole)
        },
        FaultScenario("drop-norange-300k") {
            $0.serve($0.whole.with { $0.ranges = .ignored }.cut(after: 300_000))
        },
        broken("drop-wrongrange-300k", .shifted(by: -200_000)),
        broken("drop-shiftrange-300k", .shifted(by: 100)),
        broken("drop-lyingrange-300k", .lying(by: 1000)),
        broken("drop-bare206-300k", .bare),
        broken("drop-wrongtotal-300k", .wrongTotal(123_456_789)),
        broken("range-cap-200k", .capped(200_000)),
        // The server rejects every range request.
        FaultScenario("range-416-300k") { stage in
            stage.handle { versions, request, count in
                guard count > 0 else { return versions.whole.cut(after: 300_000) }
                return request.range == nil ? versions.whole : .status(416)
            }
        },
    ]

    private static func broken(_ name: String, _ ranges: FaultScript.Ranges) -> FaultScenario {
        FaultScenario(name) { stage in
            stage.serve(stage.whole.cut(after: 300_000), stage.whole.with { $0.ranges = ranges })
        }
    }

    static let lengths: [FaultScenario] = [
        FaultScenario("no-length") { $0.serve($0.whole.with { $0.framing = .chunked }) },
        FaultScenario("close-delimited") { $0.serve($0.whole.with { $0.framing = .untilClose }) },
        FaultScenario("close-delimited-drop-300k") {
            let endless = $0.whole.with { $0.framing = .untilClose }
            $0.serve(endless.cut(after: 300_000), endless)
        },
        // The server sends no length, ignores ranges, and closes each connection after 300,000 bytes.
        FaultScenario("close-delimited-norange-300k") {
            let endless = $0.whole.with {
                $0.framing = .untilClose
                $0.ranges = .ignored
            }
            $0.serve(endless.cut(after: 300_000))
        },
        // The server declares more bytes than it sends, but answers range requests correctly.
        FaultScenario("short") { stage in
            stage.handle { versions, request, _ in
                request.range != nil
                    ? versions.whole
                    : versions.whole.with { $0.framing = .declaredLength(Int64(versions.first.count) + 20_000) }
            }
        },
        // The server sends more bytes than it declares.
        FaultScenario("long") { stage in stage.handle { versions, request, _ in versions.long(request) } },
        FaultScenario("long-cut") { stage in
            stage.handle { versions, request, count in
                count == 0 ? versions.long(request).cut(after: 300_000) : versions.long(request)
            }
        },
        FaultScenario("truncated-but-200") {
            let stump = Array($0.first.prefix($0.first.count * 6 / 10))
            $0.serve($0.whole.with { $0.body = stump })
        },
        FaultScenario("empty-200") { $0.serve($0.whole.with { $0.body = [] }) },
        FaultScenario("empty-drop") { $0.serve($0.whole.cut(after: 0)) },
        FaultScenario("no-reply") { $0.serve($0.whole.with { $0.isMute = true }) },
        lengths("dup-length") { ["\($0)", "\($0 + 5)"] },
        lengths("negative-length") { _ in ["-1"] },
        lengths("huge-length") { _ in ["\(1 << 62)"] },
        lengths("overflow-length") { _ in ["18446744073709551616"] },
        FaultScenario("cl-and-te") {
            $0.serve(
                $0.whole.with {
                    $0.framing = .chunked
                    $0.fields = [("Content-Length", "5")]
                })
        },
        FaultScenario("endless") {
            $0.serve(
                $0.whole.with {
                    $0.framing = .untilClose
                    $0.isEndless = true
                    $0.rate = 3_000_000
                })
        },
    ]

    private static func lengths(_ name: String, _ texts: @escaping @Sendable (Int) -> [String]) -> FaultScenario {
        FaultScenario(name) { stage in
            stage.serve(stage.whole.with { $0.framing = .lengthTexts(texts(stage.first.count)) })
        }
    }
}

extension FaultVersions {
    fileprivate func long(_ request: FaultRequest) -> FaultScript {
        guard request.range == nil else { return whole }
        return whole.with {
            $0.framing = .declaredLength(Int64(first.count))
            $0.body = first + [UInt8](repeating: 0x55, count: 50_000)
        }
    }
}
