// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import EpisodeLibrary
import EpisodeSources
import Logging
import Media
import Playback
package import TerminalInterface

/// The composition of `earshot play`.
extension PlaySession {
    package static func run(_ options: PlayOptions) async -> ExitStatus {
        SignalWatcher.leaveToSystem()
        if let status = await RemoteSession.run(options) { return status }
        return await SessionParts.run(options.session, for: options.targets) { parts in
            do throws(LibraryError) {
                let options = try await options.atBookmark(in: parts.library, announce: parts.options.note)
                let memory = await SoundMemory.read(parts.library)
                let (applied, remark) = await memory.applied(to: options)
                if let remark { StandardStreams.write([FailureText.note(remark)]) }
                return await run(applied, parts, memory)
            } catch {
                StandardStreams.write([LibraryFailureText.line(error)])
                return ExitStatus(error.kind)
            }
        }
    }

    private static func run(
        _ options: PlayOptions, _ parts: SessionParts, _ memory: SoundMemory
    ) async -> ExitStatus {
        let (events, send) = AsyncStream.makeStream(of: SessionEvent.self)
        let inputs = SessionEventSources(send: send)
        let owner = options.ownsPlayback ? await claim(parts.logger, send) : nil
        let control = owner.map { SessionControl($0, DownloadDesk(options.session, $0) {}) }
        var deck = Deck(
            options, PlayRequest(options), nil, parts, memory, ItemNumbers(), control,
            silentOutput: options.isOutputChosen ? options.output : nil, send: send)
        inputs.followInput(options.input)
        let watch =
            options.followsLibrary
            ? LibraryWatch.start(CompositionRoot.libraryPath) { send.yield(.libraryTouched) } : nil
        for await event in events {
            if case .playerStopped = event { break }
            await deck.handle(event)
        }
        let status = await deck.close()
        await control?.downloads.stop()
        deck.control?.publishEnd()
        watch?.stop()
        inputs.stop()
        send.finish()
        owner?.stop()
        return status
    }

    /// Takes the ownership of playback. Playback needs neither the socket nor the desktop.
    private static func claim(
        _ logger: Logger, _ send: AsyncStream<SessionEvent>.Continuation
    ) async -> PlaybackOwner? {
        do throws(MediaFailure) {
            return try await PlaybackOwner.claim(.play, send: send)
        } catch {
            logger.info("playing without a control socket", metadata: ["reason": "\(error.reason)"])
            return nil
        }
    }
}

extension PlayOptions {
    /// True if changes of the library matter: a list is played, or the listener hears changed settings.
    fileprivate var followsLibrary: Bool { targets.isEmpty || output.isPaced }

    /// The source of keys or commands.
    var input: SessionInput.Source {
        readsCommands ? .lines : Terminal.standardInputIsTerminal ? .keys : .nothing
    }
}
