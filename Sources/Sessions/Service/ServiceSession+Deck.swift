// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import ControlProtocol
import DesktopBus
import EpisodeLibrary
import EpisodeSources
import Media
import Playback
import Subscriptions
import TerminalInterface

/// The service without a player, and the start and end of one.
extension ServiceSession {
    mutating func rest(_ input: ControlInput) async {
        if let demand = control.accept(input) { await rest(demand) }
    }

    mutating func rest(_ request: MPRISRequest) async {
        if let demand = control.accept(request) { await rest(demand) }
    }

    private mutating func rest(_ demand: SessionControl.Demand) async {
        switch demand {
        case .command(let order): await rest(order)
        case .play(let request, let ticket):
            control.note(request, by: ticket)
            await play(request, ticket)
        case .quit(let ticket, _):
            control.note(.stop, by: ticket)
            control.reply(.success(.object([])), to: ticket)
            quit()
        case .libraryChanged(let ticket):
            control.reply(.success(.object([])), to: ticket)
            desk.look(isKnown: true)
        case .library(let request): desk.perform(request)
        case .output(let output, let ticket):
            do throws(ControlError) {
                try await choose(output)
                let memory = await soundMemory()
                showVolume(memory)
                control.replyStatus(to: ticket)
            } catch {
                control.reply(.failure(error), to: ticket)
            }
        }
    }

    private mutating func rest(_ order: SessionControl.Order) async {
        switch order.command {
        case .play, .togglePause:
            control.note(PlayRequest(), by: order.ticket)
            await play(PlayRequest(), order.ticket)
        case .setVolume, .changeVolume: await changeVolume(order)
        case .setRepeat, .cycleRepeat: control.change(order)
        default: control.refuse(order)
        }
    }

    /// Creates a player for a request.
    /// - Parameter predecessor: the record whose processing and sleep timer apply; `nil` for that of a request that
    ///   continues, otherwise for those of the settings.
    mutating func play(
        _ wanted: PlayRequest, _ ticket: ReplyTicket?, like predecessor: DeckRecord? = nil
    ) async {
        let request = wanted.isResumption ? resumption : wanted
        let predecessor = predecessor ?? (wanted.isResumption && record.isOpen ? record : nil)
        let isPaused = startsPaused
        startsPaused = false
        guard !isQuitting else {
            return refuse(ticket, Self.isAboutToEnd)
        }
        do throws(LibraryError) {
            let parts = try await SessionParts.open(options.session, for: request.targets)
            guard parts.library != nil || !request.targets.isEmpty else {
                parts.close()
                return refuse(ticket, MediaFailure(.missing, "nothing to play yet: earshot subscribe URL"))
            }
            let memory = await SoundMemory.read(parts.library)
            let request = await Self.placed(request, parts.library)
            self.parts = parts
            let (applied, remark) = await memory.applied(to: playOptions(like: predecessor))
            let isReplaceable = formerOutput?.canReplace(applied.output, chosen: output) ?? false
            deck = Deck(
                applied, request, ticket, parts, memory, numbers, control, silentOutput: silentOutput,
                isPaused: isPaused, awaitsOutput: !isReplaceable, send: send)
            if let remark { report(note: remark) }
        } catch {
            refuse(ticket, MediaFailure(error))
        }
    }

    static let isAboutToEnd = MediaFailure(.temporary, "the service is about to end")

    mutating func report(note sentence: String) {
        deck?.control?.publish(note: sentence)
        StandardStreams.write([FailureText.note(sentence)])
    }

    /// Returns the request with the start at the last position, unless the library has a position.
    private static func placed(_ request: PlayRequest, _ library: Library?) async -> PlayRequest {
        guard let position = request.lastPosition, let library, let episode = request.targets.first.flatMap(Int64.init)
        else { return request }
        // A failure is reported when the target is resolved.
        let isStarted = await DiskWork.run { () throws(Never) in (try? library.episode(episode))?.progress == .started }
        var placed = request
        if !isStarted { placed.from = .time(position) }
        return placed
    }

    private mutating func refuse(_ ticket: ReplyTicket?, _ failure: MediaFailure) {
        if let ticket { return control.refuse(ticket, failure) }
        control.publish(failure, about: "playback")
        StandardStreams.write([FailureText.note(failure.reason)])
    }

    func playOptions(like predecessor: DeckRecord?) -> PlayOptions {
        var play = PlayOptions(
            targets: [], scope: .everything, output: output, volume: nextVolume,
            sound: predecessor?.sound ?? SoundChanges(), sleep: predecessor?.sleep,
            repeatMode: control.restingRepeatMode, session: options.session, readsCommands: false)
        play.isService = true
        return play
    }

    mutating func closeDeck() async {
        guard let status = deck?.player.status else { return }
        // Before the positions are stored, which may take until the process must end: without this record, the end
        // would look like a crash, and the next service would play.
        let last = deck?.record()
        closeRecord(last)
        let successor = isQuitting ? nil : self.successor?.completed(by: last, status)
        let isPaused = successor?.pause.applied(to: status.isPaused) ?? false
        let ticket = handedOver.take()
        self.successor = nil
        let items = deck?.items ?? []
        _ = await deck?.close(awaiting: successor.map { _ in .awaitingItem(isPaused: isPaused) })
        if let control = deck?.control { self.control = control }
        let memory = await SoundMemory.read(parts?.library)
        (deck, isStopping, isReleased) = (nil, false, false)
        parts?.close()
        parts = nil
        ProcessMemory.release()
        if let successor {
            numbers.keep(items)
            startsPaused = isPaused
            await play(successor.request, ticket, like: DeckRecord(processingLike: status))
            for seek in status.awaitedSeeks { deck?.player.send(.seek(seek)) }
        } else if let ticket {
            control.refuse(ticket, MediaFailure(.temporary, "playback has ended"))
        }
        if deck == nil { publishRest(memory) }
    }

    private mutating func publishRest(_ memory: SoundMemory) {
        numbers.forget()
        (formerOutput, postponed) = (nil, [])
        control.publishRest()
        showVolume(memory)
        for ticket in stopTickets { control.replyStatus(to: ticket) }
        stopTickets = []
        if quitsAtRest { quit() }
    }
}
