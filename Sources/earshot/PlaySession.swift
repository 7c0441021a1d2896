// SPDX-License-Identifier: GPL-3.0-or-later
import AudioOutput
import HTTPTransfer
import Listening
import Logging
import Media
import Playback
import TerminalInterface

/// One run of `earshot play`: wires the parts, passes what happens to the reporter and what is asked to the player.
struct PlaySession {
    private let options: PlayOptions
    private let player: Player
    private let started = ContinuousClock.now
    private var reporter: any PlaybackReporter
    private var keys = KeyDecoder()
    private var lines = LineSplitter()
    /// How the session ends: the first thing that went wrong, or the signal that ended it.
    private var status = ExitStatus.success

    static func run(_ options: PlayOptions) async -> ExitStatus {
        let logger = CompositionRoot.logger(options.logLevel)
        let (inputs, send) = AsyncStream.makeStream(of: SessionInput.self)
        let transport = CompositionRoot.transport(logger: logger)
        let sources = EnclosureSources(
            transport: transport, keeping: CompositionRoot.keepDirectory(options.keepFolder), logger: logger)
        let player = Player(
            sink: CompositionRoot.sink(for: options.output, logger: logger), sources: sources,
            options: .init(outputChannels: CompositionRoot.channels(of: options.output), volume: options.volume),
            logger: logger)
        let feeders = SessionFeeders(send: send, options: options)
        feeders.follow(player)
        feeders.resolveTargets(with: TargetResolver(transport: transport), into: player, sources)
        feeders.followPeople()
        var session = PlaySession(options: options, player: player)
        let status = await session.follow(inputs)
        feeders.stop()
        transport.shutdown()
        return status
    }

    private init(options: PlayOptions, player: Player) {
        self.options = options
        self.player = player
        let isTerminal = Terminal.standardErrorIsTerminal
        let choice = ReporterChoice(
            quiet: options.quiet, json: options.json, isTerminal: isTerminal,
            environment: CompositionRoot.environment)
        let style = LineStyle(isTerminal: isTerminal, environment: CompositionRoot.environment)
        reporter = choice.reporter(width: Terminal.width() ?? 80, style: style)
    }

    private mutating func follow(_ inputs: AsyncStream<SessionInput>) async -> ExitStatus {
        for await input in inputs {
            if case .playerStopped = input { break }
            handle(input)
        }
        write(reporter.finish())
        Terminal.restore()
        return status
    }

    private mutating func handle(_ input: SessionInput) {
        switch input {
        case .player(let event): handle(event)
        case .targetFailed(let target, let failure): fail(failure, about: target)
        case .keys(let bytes):
            for key in keys.decode(bytes) { if let command = key.command { obey(command) } }
        case .commandBytes(let bytes): for line in lines.consume(bytes) { answer(line) }
        case .commandsEnded: if let line = lines.finish() { answer(line) }
        case .signal(.redraw): reporter.redraw(width: Terminal.width() ?? 80)
        case .signal(.stop(let status)):
            self.status = status
            player.stop()
        case .tick: write(reporter.refresh(player.status, at: now))
        case .playerStopped: break
        }
    }

    private var now: Duration { ContinuousClock.now - started }

    private func write(_ texts: [ReportText]) { StandardStreams.write(texts) }

    // MARK: What happens

    private mutating func handle(_ event: PlayerEvent) {
        switch event {
        case .itemFailed(_, let failure): note(failure)
        case .outputLost(let failure):
            note(failure)
            player.stop()
        case .ended: player.stop()
        case .activityChanged, .itemStarted, .itemEnded, .stallBegan, .stallEnded: break
        }
        write(reporter.report(event, status: player.status, at: now))
        if case .outputLost = event, case .pulse = options.output {
            write(reporter.note("choose another output with --output: null, wav:PATH or raw:PATH"))
        }
    }

    private mutating func fail(_ failure: MediaFailure, about target: String) {
        note(failure)
        write(reporter.report(failure, about: target))
    }

    private mutating func note(_ failure: MediaFailure) {
        if status == .success { status = ExitStatus(failure.kind) }
    }

    // MARK: What is asked

    private mutating func answer(_ line: LineSplitter.Line) {
        switch line.command() {
        case .success(let command):
            obey(command)
            if case .text(let text) = line { write(reporter.answer(CommandAnswer(line: text))) }
        case .failure(let problem): write(reporter.answer(problem))
        }
    }

    private func obey(_ command: PlayerCommand) {
        switch command {
        case .play: player.play()
        case .pause: player.pause()
        case .togglePause: player.togglePause()
        case .seek(let target): player.seek(to: target)
        case .next: player.next()
        case .previous: player.previous()
        case .setVolume(let volume): player.setVolume(volume)
        case .changeVolume(let step): player.changeVolume(by: step)
        case .quit: player.stop()
        }
    }
}
