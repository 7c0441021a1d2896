// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
import Media
import ProgressiveDownload
import TrackReading

extension ContentRules {
    /// The rules of the formats that Earshot plays.
    static var episode: ContentRules {
        var rules = ContentRules()
        rules.declaredLength = { StreamInfo.of(beginning: $0)?.declaredFileLength }
        rules.fault = { file in
            guard TrackContent(of: file) == .unknown else { return nil }
            return MediaFailure(.badData, "the server sent no audio")
        }
        rules.statedEnd = { TrackFormat.statedEnd(of: $0) }
        return rules
    }
}
