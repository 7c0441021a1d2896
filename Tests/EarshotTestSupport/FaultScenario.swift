// SPDX-License-Identifier: GPL-3.0-or-later

/// Three servers, and two versions of an episode that they may have.
public struct FaultStage: Sendable {
    public let server: FaultServer
    /// Another port of the same host.
    public let neighbour: FaultServer
    /// Another host.
    public let elsewhere: FaultServer
    public let first: [UInt8]
    /// What the server has after a change.
    public let second: [UInt8]
    /// Bytes a second of every answer that has no pace of its own; `nil`: as fast as the link.
    private let rate: Int?

    public init(first: [UInt8], second: [UInt8], rate: Int? = nil) throws(FaultServer.Failure) {
        server = try FaultServer()
        neighbour = try FaultServer()
        elsewhere = try FaultServer(on: .second)
        self.first = first
        self.second = second
        self.rate = rate
    }

    static let path = "/episode.mp3"

    /// The first version, as a stock server sends it.
    var whole: FaultScript { script(first, "\"first\"", "Sun, 06 Nov 1994 08:49:37 GMT") }
    var changed: FaultScript { script(second, "\"second\"", "Mon, 07 Nov 1994 08:49:37 GMT") }

    private func script(_ body: [UInt8], _ etag: String, _ time: String) -> FaultScript {
        FaultScript(body: body).with { ($0.etag, $0.lastModified, $0.rate) = (etag, time, rate) }
    }

    func serve(_ scripts: FaultScript...) { server.serve(Self.path, scripts) }
    func handle(_ handler: @escaping FaultServer.Handler) { server.handle(Self.path, handler) }
}

/// A fault by its name: what servers and networks do to a download, played again at will.
///
/// A number in a name is how many bytes of a body come (`300k`), how often (`2`), or seconds.
public struct FaultScenario: Sendable, CustomStringConvertible {
    public let name: String
    /// Goes before the host in the address.
    private let login: String
    private let install: @Sendable (FaultStage) -> Void

    public var description: String { name }

    init(_ name: String, login: String = "", _ install: @escaping @Sendable (FaultStage) -> Void) {
        self.name = name
        self.login = login
        self.install = install
    }

    /// - Returns: the episode's address.
    public func begin(on stage: FaultStage) -> String {
        install(stage)
        return "http://\(login)\(stage.server.authority)\(FaultStage.path)"
    }

    /// All of them, each name once.
    public static let all = breaks + ranges + lengths + versions + waits + answers + contents + heads + redirects

    public static func named(_ name: String) -> FaultScenario? { all.first { $0.name == name } }
}
