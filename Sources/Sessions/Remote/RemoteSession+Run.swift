// SPDX-License-Identifier: GPL-3.0-or-later
import ControlSocket
import EpisodeLibrary
import Media
import Subscriptions
import TerminalInterface

/// The composition of a `play` beside the owner of playback.
extension RemoteSession {
    /// The time in which an owner must send its greeting.
    private static let greetingTimeout = Duration.seconds(3)

    /// Plays through the owner of playback.
    /// - Returns: `nil` if there is no owner, or if the options ask for an own player.
    static func run(_ options: PlayOptions) async -> ExitStatus? {
        guard options.ownsPlayback, !options.isOutputChosen, options.session.keepFolder == nil, options.shown == nil
        else { return nil }
        let (events, send) = AsyncStream.makeStream(of: Event.self)
        guard let link = await connect(options, send) else { return nil }
        var options = options
        do throws(LibraryError) {
            options = try await options.atBookmark(announce: options.session.note)
        } catch {
            link.close()
            StandardStreams.write([LibraryFailureText.line(error)])
            return ExitStatus(error.kind)
        }
        let source: SessionInput.Source = options.input == .keys ? .plainKeys : options.input
        if source == .plainKeys { Terminal.readKeys() }
        let inputs = SessionInput.follow(source, tickingEvery: nil) { send.yield(.input($0)) }
        var session = RemoteSession(options, link, send)
        let status = await session.follow(events)
        inputs.cancel()
        link.close()
        return status
    }

    private static func connect(
        _ options: PlayOptions, _ send: AsyncStream<Event>.Continuation
    ) async -> ControlLink? {
        let environment = CompositionRoot.controlEnvironment
        let outcome = await DiskWork.run { () throws(Never) -> Result<ControlLink?, ControlConnection.Failure> in
            guard let folder = try? RuntimeFolder.open(environment: environment, creates: false) else {
                return .success(nil)
            }
            return Result { () throws(ControlConnection.Failure) in
                let connection = try ControlConnection(to: folder, within: greetingTimeout)
                return ControlLink.start(
                    connection, receive: { send.yield(.event($0)) }, ended: { send.yield(.lost($0)) })
            }
        }
        switch outcome {
        case .success(let link): return link
        case .failure(.notRunning): return nil
        case .failure:
            options.session.note("the owner of playback does not answer: playing in this process")
            return nil
        }
    }
}
