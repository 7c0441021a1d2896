// SPDX-License-Identifier: GPL-3.0-or-later
import ControlSocket
import FullScreen
import Glibc
import Media
import Screens
import TerminalInterface

/// The loop of the screen, on a thread of its own: it passes inputs to the screen, performs its effects and draws it.
///
/// It decides nothing. While nothing happens it sleeps without a timer, so a paused player costs no wake-ups.
struct ScreenLoop: ~Copyable {
    /// The end of the screen: the status, and the sentence after it.
    struct Ending: Sendable, Equatable {
        var status: ExitStatus = .success
        var sentence = ""

        init(status: ExitStatus = .success, sentence: String = "") { (self.status, self.sentence) = (status, sentence) }

        init(afterStop refusal: String?) {
            sentence = "Playback was stopped."
            if let refusal { (status, sentence) = (.unavailable, "Playback was not stopped: \(refusal).") }
        }
    }

    /// The time after which a lone ESC is the key Esc.
    private static let escapeDelay = Duration.milliseconds(50)
    /// The shortest time between two readings of a library that changes all the time.
    private static let libraryInterval = Duration.seconds(1)
    private static let libraryDelay = Duration.milliseconds(50)
    private static let stopLimit = Duration.seconds(5)

    let parts: ScreenParts
    var screen: Screen
    private var painter: ScreenPainter
    private var watch: FolderWatch?
    /// The watched files, and their folders, which stand for lost events.
    private var libraryFiles: Set<String> = []
    private var controlFiles: Set<String> = []
    private var options: ScreenFile
    private var decoder = KeyDecoder()
    private var keys = ScreenKeys()
    private var probe: TerminalProbe
    private var day: LocalDay
    private var ending: Ending?
    /// The number of subscribed podcasts, once it is known.
    private var feeds: Int?

    // Times at which the loop must act; `nil` for none.
    private var wakeAt: Duration?
    private var escapeAt: Duration?
    private var libraryAt: Duration?
    private var stopAt: Duration?
    private var lastLibrary = Duration.zero

    init(_ parts: ScreenParts, _ screen: Screen, _ options: ScreenFile, day: LocalDay) {
        (self.parts, self.screen, self.options, self.day) = (parts, screen, options, day)
        painter = ScreenPainter(parts.output, parts.box.wake, parts.style)
        probe = TerminalProbe(
            isUnicode: parts.style.glyphs == .unicode, environment: CompositionRoot.environment)
        watch = FolderWatch()
        let library = CompositionRoot.dataFolder
        watch?.add(library)
        libraryFiles = [CompositionRoot.libraryPath, CompositionRoot.libraryPath + "-wal", library]
        guard let control = ScreenPlayer.folder?.path else { return }
        watch?.add(control)
        controlFiles = ["\(control)/control", control]
    }

    /// Runs until the screen ends.
    mutating func run() -> Ending {
        if parts.use.take() { begin() }
        handle([.clock(MonotonicTime.now), .resized(painter.size)])
        parts.player.connect()
        while ending == nil {
            painter.paint(screen)
            let files = watch.map { [$0.descriptor] } ?? []
            let changed = parts.box.wait(atMost: limit, or: files)
            let now = MonotonicTime.now
            tell(now)
            if !changed.isEmpty { noteChanges(at: now) }
            for input in parts.box.take() { handle(input, at: now) }
            passTimes(now)
        }
        return ending ?? Ending()
    }

    private mutating func begin() {
        guard !decoder.expectsReports else { return }
        decoder.expectsReports = true
        painter.write(probe.questions)
    }

    /// The time until the next action; `nil` if there is none.
    private var limit: Duration? {
        let times = [wakeAt, escapeAt, libraryAt, stopAt].compactMap { $0 }
        return times.min().map { max(.zero, $0 - MonotonicTime.now) }
    }

    /// Tells the screen the time.
    private mutating func tell(_ now: Duration) {
        if let wakeAt, wakeAt <= now { self.wakeAt = nil }
        handle([.clock(now)])
        if let today = LocalDay(CompositionRoot.now), today != day {
            day = today
            handle([.day(today)])
        }
    }

    private mutating func passTimes(_ now: Duration) {
        if let escapeAt, escapeAt <= now {
            self.escapeAt = nil
            for key in decoder.flush() { handle(key, at: now) }
        }
        if let libraryAt, libraryAt <= now {
            (self.libraryAt, lastLibrary) = (nil, now)
            handle([.libraryChanged])
        }
        if let stopAt, stopAt <= now { ending = Ending(status: .unavailable, sentence: "The player did not answer.") }
    }

    // MARK: Inputs

    private mutating func noteChanges(at now: Duration) {
        let changes = watch?.changes() ?? []
        if !changes.isDisjoint(with: libraryFiles) {
            libraryAt = libraryAt ?? max(now + Self.libraryDelay, lastLibrary + Self.libraryInterval)
        }
        if !changes.isDisjoint(with: controlFiles) { parts.player.connect(attempts: 10) }
    }

    private mutating func handle(_ input: ScreenInput, at now: Duration) {
        switch input {
        case .event(.answer(let query, let answer)):
            if case .podcasts(let rows) = answer { feeds = rows.count }
            handle([.answer(query, answer)])
        case .event(let event): handle([event])
        case .bytes(let bytes): handle(bytes, at: now)
        case .closed: ending = ending ?? Ending(status: .hungUp)
        case .inForeground:
            if parts.use.take() { begin() }
            redraw()
        case .signal(.stop(let status)): ending = Ending(status: status, sentence: screen.farewell)
        case .signal(.redraw): redraw()
        case .libraryTouched:
            // The first command creates the folder.
            watch?.add(CompositionRoot.dataFolder)
            libraryAt = now
        case .ownerAppeared: parts.player.connect(attempts: 10)
        case .commands(let words): screen.setCommands(words)
        case .picture(let request, let bytes): painter.keep(bytes, of: request)
        case .stopped(let refusal): if stopAt != nil { ending = ending ?? Ending(afterStop: refusal) }
        }
    }

    private mutating func redraw() {
        painter.forget()
        handle([.resized(painter.size)])
    }

    private mutating func handle(_ bytes: [UInt8], at now: Duration) {
        for key in decoder.decode(bytes, at: now) { handle(key, at: now) }
        escapeAt = decoder.isPending ? now + Self.escapeDelay : nil
    }

    private mutating func handle(_ key: KeyDecoder.Key, at now: Duration) {
        guard case .report(let report) = key else { return handle(keys.events(of: key, at: now)) }
        guard let abilities = probe.receive(report) else { return }
        painter.use(abilities)
        if let pictures = abilities.pictures { parts.covers.use(pictures) }
    }

    private mutating func handle(_ events: [ScreenEvent]) {
        for event in events {
            for effect in screen.handle(event) { perform(effect) }
        }
    }

    // MARK: Effects

    private mutating func perform(_ effect: ScreenEffect) {
        switch effect {
        case .load(let query): parts.library.load(query)
        case .player(let request): parts.player.perform(request)
        case .run(let run): perform(run)
        case .save(let option): save(option)
        case .cover(let request): parts.covers.load(request)
        case .wake(let time): wakeAt = time
        // The thread of the signals restores the terminal first.
        case .suspend: kill(getpid(), SIGTSTP)
        case .repaint: painter.forget()
        case .quit(let sentence): ending = Ending(sentence: sentence)
        case .stopAndQuit:
            stopAt = MonotonicTime.now + Self.stopLimit
            parts.player.stopPlayback()
        }
    }

    private mutating func perform(_ run: CommandRun) {
        switch ScreenCommand(run.arguments) {
        case .play(let arguments): play(arguments, run)
        case .refused(let sentence):
            parts.box.send(
                .command(run.id, .ended(status: ExitStatus.wrongUsage.rawValue, output: [], errors: [sentence])))
        case .background: parts.commands.run(run, feeds: feeds)
        }
    }

    private func play(_ arguments: [String], _ run: CommandRun) {
        // The command itself reports wrong arguments, and prints its help.
        guard let options = parts.parse(arguments) else { return parts.commands.run(run, feeds: feeds) }
        parts.player.play(options)
        parts.box.send(.command(run.id, .ended(status: 0, output: [], errors: [])))
    }

    private mutating func save(_ option: ScreenOption) {
        if case .mouse(let isOn) = option {
            parts.use.setMouse(isOn)
            painter.write(Array(ScreenUse.mouse(isOn).utf8))
        }
        options.set(option)
        do throws(MediaFailure) {
            try options.save()
        } catch {
            handle([.failure("the option cannot be saved: \(error.reason)")])
        }
    }
}
