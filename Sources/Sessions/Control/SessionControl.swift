// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import ControlProtocol
import ControlSocket
import DesktopBus
import EpisodeSources
import Media
import Playback
import TerminalInterface

/// The side of a session that other programs see: it accepts the inputs of clients and of the desktop, and publishes
/// the events and the state of the player.
struct SessionControl {
    /// A command that the session executes and then finishes.
    struct Order {
        let command: PlayerCommand
        fileprivate let cause: EventCauses.Cause
        /// The reply that is due; `nil` for the desktop, which gets none.
        let ticket: ReplyTicket?
        /// False for a volume of the present playback only.
        let isRemembered: Bool

        fileprivate init(
            command: PlayerCommand, cause: EventCauses.Cause, ticket: ReplyTicket?, isRemembered: Bool = true
        ) {
            (self.command, self.cause, self.ticket, self.isRemembered) = (command, cause, ticket, isRemembered)
        }

        /// Creates the order of a client.
        init(_ command: PlayerCommand, _ ticket: ReplyTicket, isRemembered: Bool = true) {
            self.init(
                command: command, cause: .init(ticket.client.name, ticket.cause), ticket: ticket,
                isRemembered: isRemembered)
        }
    }

    /// A request that the session meets.
    enum Demand {
        case command(Order)
        /// The desktop gets no reply.
        case play(PlayRequest, ReplyTicket?)
        case libraryChanged(ReplyTicket)
        /// A request about the queue or the library.
        case library(ControlRequest)
        case output(OutputOption, ReplyTicket)
        /// - Parameter waits: true to quit when playback has ended.
        case quit(ReplyTicket, waits: Bool)
    }

    let owner: PlaybackOwner
    let downloads: DownloadDesk
    /// The present player; `nil` while nothing plays.
    var player: Player?
    /// The status without a player, and until a player has got its item.
    var resting = PlayerStatus()
    /// The volume of the next player, which was set without a player or is that of a playback that continues on another
    /// output.
    var chosenVolume: Double?
    var causes = EventCauses()
    var correction = PositionCorrection()
    var episodes: [PlaybackItem.ID: Int64] = [:]
    var authors: [PlaybackItem.ID: String] = [:]
    /// The paths of the covers.
    var covers: [PlayedCover: String] = [:]
    var volume: Int64?
    var repeatMode: RepeatMode?
    var sound: SoundSettings?
    var sleep = SleepCorrection()
    var shown: MPRISSnapshot?
    var jumps = 0
    var lastStarted: PlaybackItem.ID?
    /// The item that clients assume to be the current one.
    var named: PlaybackItem.ID?
    var ticks: Duration?
    var lastTick = Duration.zero
    private(set) var clients = 0
    /// The last known queue.
    var queue: [Int64]?
    /// The item that clients assume to be the next one.
    var namedNext: PlaybackItem.ID?
    /// The items that clients assume to be those of the request whose list is followed.
    var namedItems: [PlaybackItem.ID] = []
    /// The items of the last request to play, which the player may not have got yet.
    var awaited: [PlaybackItem.ID] = []

    init(_ owner: PlaybackOwner, _ downloads: DownloadDesk) { (self.owner, self.downloads) = (owner, downloads) }

    /// Notes that an item is an episode of the library.
    mutating func register(_ item: PlaybackItem.ID, as episode: Int64, by author: String?) {
        (episodes[item], authors[item]) = (episode, author)
    }

    /// Shows a cover on the desktop while its item or chapter is heard.
    mutating func register(_ cover: PlayedCover, at path: String) {
        covers = covers.filter { $0.key.item == cover.item }
        covers[cover] = path
        update()
    }

    // MARK: Inputs

    /// Accepts an input of a client. Answers requests for information.
    /// - Returns: a request that the caller meets; it executes a command and calls `finish`.
    mutating func accept(_ input: ControlInput) -> Demand? {
        switch input {
        case .command(let line, let ticket): return order(line, ticket).map { .command($0) }
        case .request(let request): return demand(request)
        case .snapshotWanted(let ticket):
            owner.deliver(ticket.topics.map { .init($0.rawValue, state(of: $0)) }, to: ticket)
        case .ticksWanted(let interval): ticks = interval
        case .clientCount(let count): clients = count
        // The session has ended its playback.
        case .ownershipLost: break
        }
        return nil
    }

    /// Accepts a request of the desktop.
    func accept(_ request: MPRISRequest) -> Demand? {
        if case .open(let address) = request {
            var play = PlayRequest()
            play.targets = [FileURL.path(ofURL: address) ?? address]
            return .play(play, nil)
        }
        return PlayerCommand(request).map { .command(Order(command: $0, cause: .init("mpris"), ticket: nil)) }
    }

    func order(_ line: String, _ ticket: ReplyTicket) -> Order? {
        do throws(ArgumentError) {
            return Order(command: try PlayerCommand(parsing: line), cause: .init(ticket.client.name), ticket: ticket)
        } catch {
            owner.reply(.failure(.invalidParameters(error.description)), to: ticket)
            return nil
        }
    }

    func demand(_ request: ControlRequest) -> Demand? {
        do throws(ControlError) {
            switch request.method {
            case .play: return .play(try PlayRequest(request.parameters), request.ticket)
            case .serviceQuit: return .quit(request.ticket, waits: request.quitsAtRest)
            case .libraryChanged: return .libraryChanged(request.ticket)
            case .queueList, .queueAdd, .queueRemove, .queueMove, .queueClear, .libraryPodcasts, .libraryEpisodes,
                .librarySearch, .libraryMark:
                return .library(request)
            case .downloadsList, .downloadsAdd, .downloadsRemove:
                downloads.perform(request)
                return nil
            case .command: return .command(try order(request))
            case .output: return .output(try Self.output(request), request.ticket)
            default: break
            }
            if let command = try PlayerCommand.command(of: request) {
                let isRemembered = request.parameters.bool("remember") ?? true
                return .command(Order(command, request.ticket, isRemembered: isRemembered))
            }
            let result = request.method == .serviceStatus ? serviceStatus : status
            owner.reply(.success(result), to: request.ticket)
        } catch {
            owner.reply(.failure(error), to: request.ticket)
        }
        return nil
    }

    func order(_ request: ControlRequest) throws(ControlError) -> Order {
        let command: PlayerCommand
        do throws(ArgumentError) {
            command = try PlayerCommand(parsing: request.parameters.text("line") ?? "")
        } catch {
            throw .invalidParameters(error.description)
        }
        guard let items = request.parameters.integers("items") else { return Order(command, request.ticket) }
        let ids = items.compactMap { PlaybackItem.ID(exactly: $0 - 1) }
        return Order(try command.counting(among: ids, on: player?.playlist), request.ticket)
    }

    static func output(_ request: ControlRequest) throws(ControlError) -> OutputOption {
        do throws(ArgumentError) {
            return try .device(request.parameters.text("to") ?? "")
        } catch {
            throw .invalidParameters(error.description)
        }
    }

    /// Notes that the session has executed a command, and replies.
    /// - Parameter failure: the reason why it could not be executed.
    mutating func finish(_ order: Order, _ failure: MediaFailure?) {
        if failure == nil { note(order.command, order.cause) }
        guard let ticket = order.ticket else { return }
        owner.reply(failure.map { .failure(ControlError($0)) } ?? .success(status), to: ticket)
    }

    /// Replies to a request to play.
    mutating func answer(_ ticket: ReplyTicket, _ outcome: Result<[PlaybackItem], MediaFailure>) {
        switch outcome {
        case .success(let items):
            causes.confirm(Self.cause(of: ticket))
            if let first = items.first {
                awaited = items.map(\.id)
                showSoon(first)
            }
            let list = JSONValue.array(items.map { StatusJSON.item($0, episodes[$0.id]) })
            reply(.success(.object(statusMembers + [.init("items", list)])), to: ticket)
        case .failure(let failure): refuse(ticket, failure)
        }
    }

    /// Replies that a request failed, so that it is not the cause of later events.
    mutating func refuse(_ ticket: ReplyTicket, _ failure: MediaFailure) {
        causes.forget(Self.cause(of: ticket))
        reply(.failure(ControlError(failure)), to: ticket)
    }

    /// Refuses a command that needs a player.
    mutating func refuse(_ order: Order) {
        if let ticket = order.ticket { refuse(ticket, MediaFailure(.unavailable, "nothing is playing")) }
    }

    /// Lets the machine sleep.
    func allowSleep() { owner.allowSleep() }

    func reply(_ result: Result<JSONValue, ControlError>, to ticket: ReplyTicket) { owner.reply(result, to: ticket) }

    /// Replies with the status of the player.
    func replyStatus(to ticket: ReplyTicket) { reply(.success(status), to: ticket) }

    /// Notes a command that the session has executed.
    /// - Parameter control: the name of the control, such as `keys`.
    mutating func note(_ command: PlayerCommand, by control: String) { note(command, .init(control)) }

    /// Notes a command of a client that the session has executed.
    mutating func note(_ command: PlayerCommand, by ticket: ReplyTicket) {
        note(command, Self.cause(of: ticket))
    }

    private static func cause(of ticket: ReplyTicket?) -> EventCauses.Cause {
        ticket.map { EventCauses.Cause($0.client.name, $0.cause) } ?? EventCauses.Cause("mpris")
    }

    private mutating func note(_ command: PlayerCommand, _ cause: EventCauses.Cause) {
        causes.note(command, cause, at: MonotonicTime.now)
    }

    /// Notes a request to play that the session begins to meet.
    /// - Parameter ticket: `nil` for a request of the desktop.
    mutating func note(_ request: PlayRequest, by ticket: ReplyTicket?) {
        causes.note(request, Self.cause(of: ticket), at: MonotonicTime.now)
    }

    /// Publishes the failure of a target of a request.
    /// - Parameter ticket: `nil` for a request of the desktop.
    mutating func publish(_ failure: MediaFailure, about subject: String, by ticket: ReplyTicket?) {
        causes.note(.error, Self.cause(of: ticket), at: MonotonicTime.now)
        publish(failure, about: subject)
    }

    // MARK: State

    var status: JSONValue { .object(statusMembers) }

    var statusMembers: [JSONValue.Member] {
        let status = playerStatus
        let episode = status.item.flatMap { episodes[$0.id] }
        return StatusJSON(status, at: MonotonicTime.now).members(episode: episode) + [
            .init("owner", .string(owner.hello.owner.rawValue)), nextMember(item(after: status.item)),
        ]
    }

    /// Returns the item that `player.next` plays.
    func item(after item: PlaybackItem?) -> PlaybackItem? {
        guard let player, let item, case .item(let next) = player.playlist.next(after: item.id) else { return nil }
        return next
    }

    func nextMember(_ item: PlaybackItem?) -> JSONValue.Member {
        .init("next", .optional(item) { StatusJSON.item($0, episodes[$0.id]) })
    }

    func state(of topic: Topic) -> JSONValue {
        switch topic {
        case .player: status
        case .queue: .object(queue.map { [.init("episodes", .array($0.map(JSONValue.integer)))] } ?? [])
        case .downloads: .object([.init("episodes", .array(downloads.episodes.map(JSONValue.integer)))])
        case .notes, .library: .object([])
        }
    }

    var serviceStatus: JSONValue {
        .object([
            .init("version", .string(owner.hello.version)), .init("pid", .integer(owner.hello.process)),
            .init("owner", .string(owner.hello.owner.rawValue)), .init("clients", .integer(Int64(clients))),
            .init("desktop", .bool(owner.isOnDesktop)),
        ])
    }
}
