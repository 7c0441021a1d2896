// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import ControlSocket
import Dispatch
import FullScreen
import Media
import Screens
import Subscriptions
import Synchronization
import TerminalInterface

/// The owner of playback as the screen sees it: a client of the control socket, and the start of an owner.
final class ScreenPlayer: Sendable {
    private static let limit = Duration.seconds(5)
    /// The interval of positions while the download of the playing item changes what the screen shows.
    private static let ticks: Int64 = 1

    private struct State {
        var link: ControlLink?
        /// The number of connections so far, so that the end of an earlier one does not count for the present one.
        var connections = 0
        var player: PlayerState?
        /// The chapters of an item, by its number.
        var chapters: (item: Int64, chapters: [Chapter], areApproximate: Bool)?
        /// True while a status is requested; further changes request it once more.
        var isAsking = false
        var mustAsk = false
        var hasTicks = false
        var isStopped = false
    }

    private let state = Mutex(State())
    let box: ScreenMailbox
    private let serviceArguments: [String]
    private let attempts = Mutex(ConnectionAttempts())
    /// One thread connects at a time: two connections would report everything twice.
    private let opening = Mutex<Void>(())
    /// One thread starts an owner at a time.
    private let starting = Mutex<Void>(())
    /// The connections that are awaited, and the requests to play that the owner has not answered.
    let unanswered = DispatchGroup()
    /// False if nobody watches a download grow.
    private let showsDownload: Bool

    /// - Parameters:
    ///   - serviceArguments: the arguments after `earshot serve`.
    ///   - showsDownload: true to send the state each second while the playing item is downloaded.
    init(_ box: ScreenMailbox, serviceArguments: [String], showsDownload: Bool = true) {
        (self.box, self.serviceArguments, self.showsDownload) = (box, serviceArguments, showsDownload)
    }

    /// The folder of the control socket, for a watch; `nil` if it cannot be used.
    static var folder: RuntimeFolder? {
        try? RuntimeFolder.open(environment: CompositionRoot.controlEnvironment, creates: true)
    }

    // MARK: Connection

    /// Connects to the owner if there is one.
    /// - Parameter attempts: the number of attempts; an owner that has just created its socket may not listen yet.
    func connect(attempts wanted: Int = 1) {
        guard attempts.withLock({ $0.add(wanted) }) else { return }
        Task {
            await DiskWork.run { () throws(Never) in
                while self.attempts.withLock({ $0.take() }) {
                    if self.connectNow() {
                        self.attempts.withLock { $0.succeed() }
                    } else {
                        WakeSignal().wait(atMost: .milliseconds(20))
                    }
                }
            }
        }
    }

    /// - Returns: true if there is a connection now.
    private func connectNow() -> Bool {
        do throws(ControlConnection.Failure) {
            try open()
            return true
        } catch {
            if error != .notRunning { box.send(.failure(MediaFailure(error).reason)) }
            return false
        }
    }

    /// Connects unless there is a connection.
    private func open() throws(ControlConnection.Failure) {
        try opening.withLock { _ throws(ControlConnection.Failure) in
            guard state.withLock({ $0.link == nil && !$0.isStopped }) else { return }
            guard let folder = Self.folder else { throw .notRunning }
            var connection = try ControlConnection(to: folder, within: Self.limit)
            _ = try connection.call(.subscribe, ControlSession.subscription(ticks: nil), within: Self.limit)
            let number = state.withLock { state in
                state.connections += 1
                return state.connections
            }
            let link = ControlLink.start(
                connection, receive: { [weak self] in self?.receive($0) },
                ended: { [weak self] _ in self?.lost(number) })
            guard let link else { throw .timedOut }
            state.withLock { state in
                (state.link, state.isAsking, state.mustAsk, state.hasTicks) = (link, false, false, false)
            }
            askStatus()
        }
    }

    private func lost(_ number: Int) {
        let link = state.withLock { state -> ControlLink? in
            guard number == state.connections else { return nil }
            defer { (state.link, state.player, state.chapters) = (nil, nil, nil) }
            return state.link
        }
        guard let link else { return }
        box.send(.player(nil))
        // The thread of the link calls this, so `close` detaches it.
        link.close()
        // Another owner may have started meanwhile.
        box.send(.ownerAppeared)
    }

    /// Closes the connection; playback continues.
    func stop() {
        let link = state.withLock { state in
            defer { (state.link, state.isStopped) = (nil, true) }
            return state.link
        }
        link?.close()
    }

    // MARK: Events

    private func receive(_ event: JSONValue) {
        switch event["event"]?.string {
        case "position":
            let isEnough = state.withLock { $0.player?.move(event) == true && !$0.hasTicks }
            if isEnough { show() } else { askStatus() }
            return
        case "chapters":
            guard let item = event["track"]?.integer else { return }
            state.withLock { $0.chapters = (item, PlayerState.chapters(event), event["approximate"]?.bool ?? false) }
        case "note": if let text = event["text"]?.string { box.send(.note(text)) }
        case "error":
            let failure = MediaFailure(.unavailable, event["reason"]?.string ?? "")
            box.send(.failure(event["subject"]?.string.map { failure.sentence(about: $0) } ?? failure.reason))
        case "library", "queue": return box.send(.libraryTouched)
        default: break
        }
        askStatus()
    }

    /// Requests the status. While a request runs, the next one waits.
    func askStatus() {
        let asked = state.withLock { state -> (ControlLink, Int)? in
            if state.isAsking { state.mustAsk = true }
            guard !state.isAsking, let link = state.link else { return nil }
            state.isAsking = true
            return (link, state.connections)
        }
        guard let (link, number) = asked else { return }
        link.call(.status) { [weak self] reply in self?.answered(reply, number) }
    }

    private func answered(_ reply: ControlLink.Reply, _ number: Int) {
        // The connection may have ended before it was known here.
        if case .failure(.closed) = reply { return lost(number) }
        let again = state.withLock { state in
            if case .success(let status) = reply { state.player = PlayerState(status: status) }
            defer { (state.isAsking, state.mustAsk) = (false, false) }
            return state.mustAsk
        }
        show()
        if again { askStatus() }
        adjustTicks()
    }

    private func show() {
        let player = state.withLock { state in
            var player = state.player
            if let known = state.chapters, known.item == player?.track {
                player?.take(known.chapters, areApproximate: known.areApproximate)
            }
            return player
        }
        if let player { box.send(.player(player)) }
    }

    /// Asks for ticks while the bar grows; a download that is complete needs none.
    private func adjustTicks() {
        let change = state.withLock { state -> (ControlLink, Bool)? in
            guard showsDownload, let link = state.link, let player = state.player else { return nil }
            let wants = player.item != nil && !player.isDownloaded && player.bytesLeft != nil && player.rate > 0
            guard wants != state.hasTicks else { return nil }
            state.hasTicks = wants
            return (link, wants)
        }
        guard let (link, wants) = change else { return }
        link.call(.subscribe, ControlSession.subscription(ticks: wants ? Self.ticks : nil)) { _ in }
    }

    // MARK: Requests

    /// Performs a request, and reports its failure. Starts an owner to play if there is none.
    func perform(_ request: PlayerRequest) {
        send(request.call.method, request.call.parameters, starting: request.startsOwner)
    }

    /// Ends playback, also that of an owner that has just appeared, and sends `stopped` with its answer.
    func stopPlayback() {
        Task {
            await DiskWork.run { () throws(Never) in
                do throws(ControlConnection.Failure) {
                    try self.open()
                    self.requestStop()
                } catch {
                    self.box.send(.stopped(refusal: error == .notRunning ? nil : MediaFailure(error).reason))
                }
            }
        }
    }

    private func requestStop() {
        // A connection that has ended meanwhile was that of an owner that has ended.
        guard let link = state.withLock({ $0.link }) else { return box.send(.stopped(refusal: nil)) }
        link.call(.stop) { [box] reply in
            let refusal: String? = if case .failure(.refused(let error)) = reply { error.message } else { nil }
            box.send(.stopped(refusal: refusal))
        }
    }

    private func send(_ method: MethodName, _ parameters: [JSONValue.Member], starting: Bool) {
        reach(starting: starting) { [weak self] link in
            link.call(method, parameters) { [weak self] reply in
                self?.report(reply)
                // Not every change has an event.
                self?.askStatus()
            }
        }
    }

    /// Passes the connection to `use`, as soon as there is one.
    func reach(starting: Bool, _ use: @escaping @Sendable (ControlLink) -> Void) {
        if let link = state.withLock({ $0.link }) { return use(link) }
        unanswered.enter()
        Task {
            await DiskWork.run { () throws(Never) -> Void in
                defer { self.unanswered.leave() }
                let isReached = starting ? self.startOwner() : self.connectNow()
                if let link = self.state.withLock({ $0.link }) { return use(link) }
                if isReached {
                    self.box.send(.failure("the player has ended"))
                } else if !starting {
                    self.box.send(.failure("nothing is playing"))
                }
            }
        }
    }

    func report(_ reply: ControlLink.Reply) {
        guard case .failure(let failure) = reply else { return }
        switch failure {
        case .refused(let error): box.send(.failure(error.message))
        // The end of the connection is shown as the end of playback.
        case .closed: break
        default: box.send(.failure("the player does not answer"))
        }
    }

    /// Starts a process that owns playback, unless another thread has done so.
    /// - Returns: false after a failure, which was reported.
    private func startOwner() -> Bool {
        starting.withLock { _ in
            if connectNow() { return true }
            let failure = OwnerStart.run(serviceArguments) { connectNow() }
            if let failure { box.send(.failure("cannot start the player: \(failure)")) }
            return failure == nil
        }
    }
}
