// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import DesktopBus
import EpisodeLibrary
import Media
import Playback
import Subscriptions
import Synchronization
import TerminalInterface

/// The sources of session events: the player, keys, commands and signals. `PlaybackOwner` and `PlaylistFeeder` are
/// others.
final class SessionEventSources: Sendable {
    private let send: AsyncStream<SessionEvent>.Continuation
    private let tasks = Mutex<[Task<Void, Never>]>([])

    init(send: AsyncStream<SessionEvent>.Continuation) { self.send = send }

    func stop() {
        for task in tasks.withLock({ $0 }) { task.cancel() }
    }

    private func run(_ body: @escaping @Sendable () async -> Void) {
        let task = Task(operation: body)
        tasks.withLock { $0.append(task) }
    }

    func follow(_ player: Player) {
        run { [send] in
            for await event in player.events { send.yield(.player(event)) }
            send.yield(.playerStopped)
        }
    }

    /// Sends keys or commands, signals and clock ticks.
    func followInput(_ source: SessionInput.Source) {
        if source == .keys { Terminal.readKeys() }
        let task = SessionInput.follow(source, tickingEvery: nil) { [send] in send.yield(.person($0)) }
        tasks.withLock { $0.append(task) }
    }
}

/// The events of a running session, from all sources in one order.
enum SessionEvent: Sendable {
    case person(SessionInput)
    case player(PlayerEvent)
    /// The player has executed a command, and its status shows the effect.
    case statusChanged
    /// A change of bookmarks is stored, or has failed.
    case bookmarkEnded(Int)
    /// The player has stopped and closed its resources.
    case playerStopped
    /// A remark that is not a failure.
    case remark(String)
    case targetFailed(String, MediaFailure)
    /// A target of a client failed, or one of the desktop, which has no ticket.
    case requestFailed(String, MediaFailure, ReplyTicket?)
    /// The items of a client's request are on the playlist, or none of them.
    case answered(ReplyTicket, Result<[PlaybackItem], MediaFailure>)
    /// The cover of an item is a file.
    case covered(PlayedCover, path: String)
    /// The library may have changed.
    case libraryTouched
    /// The library has changed.
    case libraryChanged(queue: [Int64])
    /// The answer to a request about the library.
    case libraryAnswered(ReplyTicket, Result<JSONValue, ControlError>)
    /// A deadline of the service may have passed.
    case deadline
    /// No episode to resume, and the queue is empty.
    case nothingToPlay(hasPodcasts: Bool)
    /// A sentence for a person.
    case noted(String)
    /// The transcript of an item was loaded to be shown.
    case transcript(PlaybackItem.ID, StoredTranscript)
    /// An input of a client of the control socket.
    case control(ControlInput)
    /// The machine will sleep, or is awake again.
    case power(SleepGuard.Event)
    /// A request of the desktop, such as a media key.
    case desktop(MPRISRequest)
    /// The next item of the playlist is this episode of the library.
    case placed(PlaybackItem.ID, episode: Int64, author: String?)
}
