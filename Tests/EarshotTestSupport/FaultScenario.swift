// SPDX-License-Identifier: GPL-3.0-or-later

/// Two versions of an episode for a server.
struct FaultVersions: Sendable {
    let first: [UInt8]
    /// The content after a change on the server.
    let second: [UInt8]
    /// The rate in bytes per second of every answer that sets no rate; `nil`: as fast as the link.
    let rate: Int?
    /// The path of the episode, and the type that the server declares.
    let path: String
    let contentType: String

    /// The first version, as a stock server sends it.
    var whole: FaultScript { script(first, "\"first\"", "Sun, 06 Nov 1994 08:49:37 GMT") }
    var changed: FaultScript { script(second, "\"second\"", "Mon, 07 Nov 1994 08:49:37 GMT") }

    private func script(_ body: [UInt8], _ etag: String, _ time: String) -> FaultScript {
        FaultScript(body: body, contentType: contentType).with {
            ($0.etag, $0.lastModified, $0.rate) = (etag, time, rate)
        }
    }
}

/// Three servers and two versions of an episode.
public struct FaultStage: Sendable {
    public let server: FaultServer
    /// Another port of the same host.
    public let neighbour: FaultServer
    /// Another host.
    public let elsewhere: FaultServer
    let versions: FaultVersions

    /// Starts the three servers.
    /// - Parameters:
    ///   - rate: the rate in bytes per second of every answer that sets no rate; `nil`: as fast as the link.
    ///   - name: the file name in the address, and the type of the content.
    public init(
        first: [UInt8], second: [UInt8], rate: Int? = nil, name: String = "episode.mp3", type: String = "audio/mpeg"
    ) throws(FaultServer.Failure) {
        server = try FaultServer()
        neighbour = try FaultServer()
        elsewhere = try FaultServer(on: .second)
        versions = FaultVersions(first: first, second: second, rate: rate, path: "/" + name, contentType: type)
    }

    var path: String { versions.path }
    var first: [UInt8] { versions.first }
    var whole: FaultScript { versions.whole }
    var changed: FaultScript { versions.changed }

    func serve(_ scripts: FaultScript...) { server.serve(path, scripts) }

    /// - Parameter handler: must not capture the stage: the server would retain itself and never stop.
    func handle(_ handler: @escaping @Sendable (FaultVersions, FaultRequest, Int) -> FaultScript) {
        server.handle(path) { [versions] request, count in handler(versions, request, count) }
    }
}

/// A named, reproducible fault: the behaviour of servers and networks during a download.
///
/// A number in a name is a number of bytes of a body (`300k`), a number of repetitions (`2`), or seconds.
public struct FaultScenario: Sendable, CustomStringConvertible {
    public let name: String
    /// The credentials before the host in the address.
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
        return "http://\(login)\(stage.server.authority)\(stage.path)"
    }

    /// All scenarios; every name is unique.
    public static let all = breaks + ranges + lengths + versions + waits + answers + contents + heads + redirects

    /// Returns the scenario with this name, or `nil`.
    public static func named(_ name: String) -> FaultScenario? { all.first { $0.name == name } }
}
