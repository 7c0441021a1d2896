// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
public import Listening

/// What `earshot subscribe` says of one address.
public enum SubscribeText {
    public static func plain(_ outcome: Subscribing.Outcome) -> [ReportText] {
        switch outcome {
        case .subscribed(let podcast):
            let count = "\(podcast.episodeCount) episode" + (podcast.episodeCount == 1 ? "" : "s")
            return [.output("\(podcast.id)  \(PrintableText(podcast.name).text)  (\(count))\n")]
        case .known(let podcast):
            return [LibraryRemark.said("\(podcast.name) is there already, as number \(podcast.id).")]
        case .restored(let podcast):
            return [.output("\(podcast.id)  \(PrintableText(podcast.name).text)  (back, as you left it)\n")]
        }
    }

    public static func json(_ outcome: Subscribing.Outcome) -> [ReportText] {
        let (word, podcast) =
            switch outcome {
            case .subscribed(let podcast): ("subscribed", podcast)
            case .known(let podcast): ("known", podcast)
            case .restored(let podcast): ("restored", podcast)
            }
        return [.output(LibraryJSON.line(.object([
            .init("outcome", .string(word)), .init("podcast", LibraryJSON.podcast(podcast)),
        ])))]
    }
}
