// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import ControlSocket
import DesktopBus
import EpisodeLibrary
import Glibc
import Media
import Subscriptions

/// The ownership of playback: the control socket and the connection to the desktop, for the life of a session.
final class PlaybackOwner: Sendable {
    let hello: Hello
    private let server: ControlServer
    private let bus: DesktopBus?
    private let sleep: SleepGuard?

    /// Takes the ownership.
    /// - Throws: the reason why this process cannot own playback; `temporary` if another process does.
    static func claim(
        _ kind: Hello.Owner, send: AsyncStream<SessionEvent>.Continuation
    ) async throws(MediaFailure) -> PlaybackOwner {
        // Opening the library for its settings can wait for another process.
        try await DiskWork.run { () throws(MediaFailure) in try start(kind, send) }
    }

    private static func start(
        _ kind: Hello.Owner, _ send: AsyncStream<SessionEvent>.Continuation
    ) throws(MediaFailure) -> PlaybackOwner {
        let environment = CompositionRoot.controlEnvironment
        let listener = try listener(environment)
        let hello = Hello(
            version: CompositionRoot.version, instance: String(UInt64.random(in: 0 ... .max), radix: 16),
            owner: kind, process: Int64(getpid()))
        guard let server = ControlServer.start(listener, hello: hello, receive: { send.yield(.control($0)) }) else {
            throw MediaFailure(.temporary, "cannot create a thread for the control socket")
        }
        let bus = DesktopBus.address(environment: environment).flatMap { address in
            DesktopBus.start(address: address) { send.yield(.desktop($0)) }
        }
        return PlaybackOwner(hello, server, bus, sleepGuard(environment, send))
    }

    private static func listener(_ environment: [String: String]) throws(MediaFailure) -> ControlListener {
        do {
            return try ControlListener(
                in: try RuntimeFolder.open(environment: environment, creates: true),
                inherited: ControlListener.inheritedSocket(environment: environment))
        } catch let failure as ControlListener.Failure {
            throw MediaFailure(failure)
        } catch let failure as RuntimeFolder.Failure {
            throw MediaFailure(.cannotCreate, "no control socket: \(ControlDiagnostic.reason(failure))")
        } catch {
            throw MediaFailure(.cannotCreate, "no control socket: \(error)")
        }
    }

    /// Returns the guard that the settings ask for.
    private static func sleepGuard(
        _ environment: [String: String], _ send: AsyncStream<SessionEvent>.Continuation
    ) -> SleepGuard? {
        let library = (try? CompositionRoot.existingLibrary()) ?? nil
        let settings = try? library?.effectiveSettings()
        try? library?.close()
        func isOn(_ key: SettingKey) -> Bool { (settings?[key] ?? key.standard) == .choice("on") }
        guard isOn(.stayAwake) || isOn(.pauseForSleep) else { return nil }
        let pauses = isOn(.pauseForSleep)
        return SleepGuard.start(
            address: SleepGuard.address(environment: environment), inhibits: isOn(.stayAwake), delaysSleep: pauses
        ) { if pauses { send.yield(.power($0)) } }
    }

    /// The reason why a process that owned playback must end.
    static let loss = MediaFailure(.temporary, "another process owns playback now")

    private init(_ hello: Hello, _ server: ControlServer, _ bus: DesktopBus?, _ sleep: SleepGuard?) {
        (self.hello, self.server, self.bus, self.sleep) = (hello, server, bus, sleep)
    }

    /// True if the desktop reaches the player.
    var isOnDesktop: Bool { bus?.isConnected ?? false }

    /// True if there is a desktop that can reach the player.
    var hasDesktop: Bool { bus != nil }

    func publish(_ event: ControlEvent) { server.publish(event) }

    func reply(_ result: Result<JSONValue, ControlError>, to ticket: ReplyTicket) { server.reply(result, to: ticket) }

    func deliver(_ state: [JSONValue.Member], to ticket: SnapshotTicket) { server.deliver(state, to: ticket) }

    func show(_ snapshot: MPRISSnapshot) { bus?.show(snapshot) }

    /// Reports whether sound plays.
    func setPlaying(_ isPlaying: Bool) { sleep?.setPlaying(isPlaying) }

    /// Lets the machine sleep.
    func allowSleep() { sleep?.allowSleep() }

    /// Gives the ownership up. To be called once.
    func stop() {
        sleep?.stop()
        bus?.stop()
        server.stop()
    }
}

extension MediaFailure {
    fileprivate init(_ failure: ControlListener.Failure) {
        switch failure {
        case .lock(.held(let process)):
            let name = process.map { "the process \($0)" } ?? "another process"
            self.init(.temporary, "\(name) already owns playback")
        case .folder(let failure):
            self.init(.cannotCreate, "no control socket: \(ControlDiagnostic.reason(failure))")
        case .lock(.system(let error)), .system(let error):
            self.init(.cannotCreate, "no control socket: \(error.phrase)")
        case .occupied(let path): self.init(.cannotCreate, "no control socket: \(path) is not a socket")
        }
    }
}

extension CompositionRoot {
    /// The variables that name the runtime folder and the session bus.
    static var controlEnvironment: [String: String] {
        let names = [
            "XDG_RUNTIME_DIR", "XDG_STATE_HOME", "HOME", "DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS",
            "NOTIFY_SOCKET", "LISTEN_PID",
            "LISTEN_FDS",
        ]
        return names.reduce(into: [:]) { values, name in values[name] = environment(name) }
    }
}
