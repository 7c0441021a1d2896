// SPDX-License-Identifier: GPL-3.0-or-later
package import AudioFiles
import EpisodeLibrary
import EpisodeSources
import Media
import Subscriptions
package import TerminalInterface

/// The options of `earshot clip`.
package struct ClipOptions: Sendable {
    /// The part of the episode.
    package enum Part: Sendable, Equatable {
        case section(SectionTarget)
        /// A bookmark by its number or title, or a soundbite by its title, and the length of the part that begins
        /// there; `nil` for that of a soundbite, or 30 s from a bookmark on.
        case place(String, length: Duration?)
    }

    /// The name of the episode.
    package var episode: String
    package var part: Part
    package var output: String
    package var type: AudioFileType
    package var replaces: Bool
    package var session: SessionOptions

    package init(
        episode: String, part: Part, output: String, type: AudioFileType, replaces: Bool, session: SessionOptions
    ) {
        (self.episode, self.part, self.output, self.type) = (episode, part, output, type)
        (self.replaces, self.session) = (replaces, session)
    }
}

/// A run of `earshot clip`: finds the part of the episode, and writes it as `earshot render` does.
package enum ClipSession {
    /// Short enough not to be noticed, long enough to avoid a click.
    private static let fade = Duration.milliseconds(20)

    package static func run(_ options: ClipOptions) async -> TerminalInterface.ExitStatus {
        SignalWatcher.leaveToSystem()
        do throws(LibraryError) {
            return await RenderSession.run(
                try await DiskWork.run { () throws(LibraryError) in try rendering(options) })
        } catch {
            StandardStreams.write([LibraryFailureText.line(error)])
            return ExitStatus(error.kind)
        }
    }

    private static func rendering(_ options: ClipOptions) throws(LibraryError) -> RenderOptions {
        guard let library = try CompositionRoot.existingLibrary() else {
            throw LibraryError(.missing, "the library does not exist yet")
        }
        let match = try library.episodeMatch(options.episode)
        let episode = match.object
        if let taken = match.taken { StandardStreams.write([LibraryRemark.matched(options.episode, as: taken)]) }
        let section: SectionTarget
        switch options.part {
        case .section(let target): section = target
        case .place(let name, let length):
            let place = try library.place(named: name, in: episode.id)
            section = SectionTarget(
                place.position, from: place.anchor, length: length ?? place.length ?? .seconds(30))
        }
        try library.close()
        var rendering = RenderOptions(
            inputs: [RenderInput(target: "\(episode.id)", section: section)], output: options.output,
            type: options.type, replaces: options.replaces,
            play: SectionPlayback(times: 1, isReversed: false, crossfade: .zero), decibels: 0,
            session: options.session)
        rendering.fade = fade
        rendering.tags = { tags(episode, $0) }
        return rendering
    }

    private static func tags(_ episode: EpisodeSummary, _ section: TimeSection?) -> AudioMetadata {
        let range = section.map { " (\(ClockText.time($0.start))-\($0.end.map { ClockText.time($0) } ?? ""))" } ?? ""
        return AudioMetadata(
            title: episode.name + range, artist: episode.podcastTitle, album: episode.podcastTitle)
    }
}
