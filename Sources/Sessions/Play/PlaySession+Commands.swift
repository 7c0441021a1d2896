// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import DesktopBus
import EpisodeSources
import Media
import Playback
import TerminalInterface

// MARK: Commands
extension PlaySession {
    mutating func handle(_ input: SessionInput) {
        switch input {
        // The player reports keys without an effect: it knows the item and the position after earlier keys.
        case .key(let command): execute(command, by: "keys")
        case .pressed: break
        case .command(let command, let line):
            let problem = failure(executing: command, by: "commands")?.reason
            write(reporter.answer(CommandAnswer(line: line, problem: problem)))
        case .badCommand(let answer): write(reporter.answer(answer))
        case .commandsEnded: hasCommandsEnded = true
        case .stop(let status):
            self.status = status
            player.send(.stop)
        case .redraw:
            reporter.redraw(width: Terminal.width() ?? 80)
            tick()
        case .tick: tick()
        }
    }

    /// Looks at the status, which changes without events.
    mutating func tick() {
        save(positions.tick(player.status, at: now))
        write(reporter.setBackground(Terminal.isShownInBackground))
        reportSaveError()
        writeCues()
        write(reporter.refresh(player.status, at: now))
        let followed = feeder.followed
        control?.publish(followed: followed)
        showChapterCover()
        control?.update()
        endWithoutOutput()
        checkDiskSpace(player.status)
        reportUnsavedItem(player.status)
        for remark in spaceRecovery?.removeRemarks() ?? [] { report(note: remark) }
    }

    /// Looks for the picture of the chapter at the position, also in a pause.
    private mutating func showChapterCover() {
        guard control?.owner.hasDesktop == true else { return }
        let status = player.status
        guard let item = status.item, let image = status.chapter?.chapter.image else { return }
        let picture = PlayedCover(item: item.id, image: image)
        guard picture != chapterCover?.picture else { return }
        chapterCover?.search.cancel()
        chapterCover = (picture, covers.begin(image, in: item, as: positions.episode(of: item.id)))
    }

    /// Returns a volume that the listener has chosen, to store it now; `nil` if there is none.
    mutating func settledVolume() -> Double? { volumeChanges.update(player.status.volume, at: now) }

    /// Pauses before sleep, and stays paused afterwards.
    mutating func prepare(for event: SleepGuard.Event) {
        guard event == .sleeps else { return }
        isFallingAsleep = true
        player.send(.pause)
    }

    /// Lets the machine sleep when playback has paused.
    mutating func allowSleepIfPaused() {
        guard isFallingAsleep, player.status.rate == 0 else { return }
        isFallingAsleep = false
        control?.allowSleep()
    }

    /// Ends a session that nobody can resume: it is paused, its commands have ended, and nothing controls it from
    /// outside.
    mutating func endIfPausedForGood() {
        // The last command may resume playback.
        guard hasCommandsEnded, control == nil, player.isUpToDate, case .paused = player.status.activity else { return }
        hasCommandsEnded = false
        report(note: "the commands ended while playback was paused, so playback ends")
        player.send(.stop)
    }

    mutating func meet(_ demand: SessionControl.Demand) {
        switch demand {
        case .command(let order): execute(order)
        case .play(let request, let ticket):
            if request.isResumption, let ticket { return execute(SessionControl.Order(.play, ticket)) }
            control?.note(request, by: ticket)
            feeder.add(request, ticket)
        case .quit(let ticket, let waits):
            control?.reply(.success(.object([])), to: ticket)
            // The process ends with its playback.
            guard !waits else { return }
            control?.note(.stop, by: ticket)
            player.send(.stop)
        case .libraryChanged(let ticket):
            control?.reply(.success(.object([])), to: ticket)
            desk.look(isKnown: true)
        case .library(let request): desk.perform(request)
        case .output(_, let ticket):
            control?.refuse(ticket, MediaFailure(.unavailable, "only a service can change the output"))
        }
    }

    mutating func execute(_ order: SessionControl.Order) {
        let failure = failure(executing: order.command, by: nil)
        if failure == nil, !order.isRemembered, case .setVolume(let volume) = order.command {
            volumeChanges.assume(volume)
        }
        control?.finish(order, failure)
    }

    /// Executes a command.
    /// - Returns: the reason why it has no effect; `nil` if it has one.
    mutating func failure(executing command: PlayerCommand, by control: String?) -> MediaFailure? {
        // The player publishes the status before the playlist.
        let (isOlder, playlist, status) = (!player.isUpToDate, player.playlist, player.status)
        let awaited = self.control?.awaited ?? []
        if let problem = command.problem(status, playlist, awaiting: awaited, isOlder: isOlder) {
            return MediaFailure(status.item == nil ? .unavailable : .missing, problem)
        }
        return execute(command, by: control) ? nil : MediaFailure(.unavailable, command.refusal)
    }

    /// - Parameter control: the name of the control; `nil` if `SessionControl` knows it.
    /// - Returns: false if the command cannot be executed now.
    @discardableResult
    mutating func execute(_ command: PlayerCommand, by control: String?) -> Bool {
        // A chime may come from a timer, which is no sign of a listener.
        if command != .chime { writer?.claim() }
        if let control { self.control?.note(command, by: control) }
        return player.send(command)
    }

    mutating func checkDiskSpace(_ status: PlayerStatus) {
        let subject = status.item?.location ?? "the download"
        switch diskFullTimeout.update(status.downloadProgress?.condition, at: now) {
        case .began(let reason):
            report(note: "\(subject): \(reason); it resumes when space is freed")
            if let downloadProgress = status.downloadProgress { spaceRecovery?.make(for: downloadProgress) }
        case .over(let failure):
            fail(failure, about: subject)
            player.send(.stop)
        case nil: break
        }
    }

    mutating func reportUnsavedItem(_ status: PlayerStatus) {
        guard let reason = status.downloadProgress?.unsavedReason, let item = status.item, item.id != unsavedItem
        else { return }
        unsavedItem = item.id
        report(note: "\(item.location): \(reason); playing without saving the file")
    }

    /// Ends an unattended session whose output stays unavailable.
    mutating func endWithoutOutput() {
        outputTimeout.postpone(player.status, at: now)
        guard let failure = outputTimeout.failure(player.status, at: now) else { return }
        outputTimeout.restored()
        fail(failure, about: "sound output")
        player.send(.stop)
    }
}
