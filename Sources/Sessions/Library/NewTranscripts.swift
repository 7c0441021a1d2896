// SPDX-License-Identifier: GPL-3.0-or-later
import Logging
import Media
import Subscriptions

/// The transcripts of the episodes that a refresh found, if the settings ask for them.
struct NewTranscripts {
    /// The most episodes of a podcast; a first refresh finds a whole archive.
    private static let mostEpisodes = 20

    private let transcripts: LibraryTranscripts
    private let logger: Logger
    /// The time that all of them may take together.
    private let time: Duration

    init(_ transcripts: LibraryTranscripts, _ options: RefreshOptions) {
        self.transcripts = transcripts
        logger = CompositionRoot.logger(options.session.logLevel)
        time = options.time
    }

    /// Fetches the transcripts one after the other. Logs a failure instead of reporting it: the refresh has succeeded.
    func fetch(_ found: [(podcast: Int64, episodes: [Int64])]) async {
        let end = ContinuousClock.now + time
        do throws(MediaFailure) {
            let podcasts = try await transcripts.wantingNew(among: found.map(\.podcast))
            for (podcast, episodes) in found where podcasts.contains(podcast) {
                for episode in episodes.prefix(Self.mostEpisodes) where ContinuousClock.now < end {
                    await fetch(episode)
                }
            }
        } catch {
            log(error)
        }
    }

    private func fetch(_ episode: Int64) async {
        do throws(MediaFailure) {
            try await transcripts.fetchByRule(episode, on: .found)
        } catch {
            log(error)
        }
    }

    private func log(_ failure: MediaFailure) {
        logger.info("cannot fetch a transcript", metadata: ["reason": "\(failure.reason)"])
    }
}
