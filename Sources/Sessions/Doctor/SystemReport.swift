// SPDX-License-Identifier: GPL-3.0-or-later
import AudioDecoding
package import AudioOutput
package import EpisodeLibrary
import HTTPTransfer
import Media
package import ProgressiveDownload
import TerminalInterface

/// A report on the capabilities of this machine and on known vulnerabilities of the installed libraries.
package struct SystemReport: Sendable {
    /// One result of a check.
    package struct Diagnostic: Sendable, Equatable {
        /// The severity of a result.
        package enum Grade: String, Sendable { case good, remark, trouble }

        package let grade: Grade
        /// A sentence without its full stop.
        package let words: String

        package init(_ grade: Grade, _ words: String) { (self.grade, self.words) = (grade, words) }
    }

    /// The versions of the libraries whose faults matter most: libcurl and libfaad2.
    package static var versions: [Diagnostic] {
        [Diagnostic(.good, CurlVersion.fullText)] + (FAADVersion.text.map { [Diagnostic(.good, $0)] } ?? [])
    }

    /// The known vulnerabilities of the libraries that process untrusted data, each with Earshot's mitigation.
    package static var weaknesses: [Diagnostic] {
        let holes = CurlVersion.current.map(Advisory.possible) ?? []
        return holes.map { hole in
            Diagnostic(
                .remark, "\(hole.id), unless fixed in this build: \(hole.weakness); protection: \(hole.mitigation)")
        } + foreign.map { Diagnostic(.remark, $0) }
    }

    /// Advisories for libraries that do not show whether a distribution has fixed them; the mitigations cost nothing.
    private static let foreign = [
        "libmpg123, CVE-2024-10573: a stream that changes its format overflows a buffer; protection: a decoder gets "
            + "whole packets of one format only",
        "libfaad2, several memory errors in damaged packets (knik0/faad2 #217, #224); protection: the configuration "
            + "and the size of each packet are checked first, and a damaged packet replaces the decoder",
        "libvorbis 1.3.7, a crafted header overflows the stack; protection: the codebooks are checked first",
    ]

    /// Reports the number of podcasts and episodes in the library, or the damage to its file.
    package static func finding(of health: Library.Health) -> Diagnostic {
        guard let damage = health.damage.first else {
            let podcasts = CountText.text(health.podcasts, "podcast")
            let episodes = CountText.text(health.episodes, "episode")
            return Diagnostic(.good, "the library has \(podcasts) and \(episodes)")
        }
        return Diagnostic(
            .trouble, "the library file is damaged: \(damage); export the library and import it again")
    }

    /// Reports whether the library can be written.
    package static func writing(to library: Library) -> Diagnostic {
        do throws(LibraryError) {
            try library.beginLog()
            return Diagnostic(.good, "the library \(library.path) is writable")
        } catch {
            return Diagnostic(.trouble, "\(error.reason); changes cannot be saved until this is fixed")
        }
    }

    /// Reports the feeds whose last request failed.
    package static func failingFeeds(in podcasts: [PodcastSummary]) -> [Diagnostic] {
        podcasts.compactMap { podcast in
            let times = podcast.feed.failures > 1 ? " (\(podcast.feed.failures) times in a row)" : ""
            if podcast.feed.goneAt != nil {
                return Diagnostic(.remark, "the feed of \"\(podcast.name)\" no longer exists, according to its server")
            }
            return podcast.feed.failure.map { reason in
                Diagnostic(.remark, "the feed of \"\(podcast.name)\" could not be read\(times): \(reason)")
            }
        }
    }

    /// Reports whether sound can be heard. A machine without a sound server can download episodes, so it passes.
    /// - Parameter probe: the name of the device, `nil` for the server's default.
    package static func sound(_ probe: Result<String?, AudioOutputError>) -> Diagnostic {
        switch probe {
        case .success(let device):
            Diagnostic(.good, "sound plays on \(device.map { "\"\($0)\"" } ?? "the default device")")
        case .failure(.noServer(let reason)):
            Diagnostic(.remark, "no sound output: \(reason); earshot play needs a sound server, downloads do not")
        case .failure(.refused(let operation, let reason)):
            Diagnostic(.trouble, "no sound output: \(operation): \(reason)")
        case .failure(.cannotWrite(let path, let reason)):
            Diagnostic(.trouble, "no sound output: \(path): \(reason)")
        }
    }

    /// The length in bytes of an episode of an hour.
    private static let usualEpisode: Int64 = 64 << 20

    /// Reports whether episodes can be kept, and the disk space for them. Creates no files.
    package static func keeping(in directory: KeepDirectory, size: (Int64) -> String) -> [Diagnostic] {
        do throws(MediaFailure) {
            try directory.check()
        } catch {
            return [Diagnostic(.trouble, "cannot keep episodes: \(error.reason)")]
        }
        let place = Diagnostic(.good, "episodes are kept in \(directory.path)")
        guard let room = directory.room else { return [place] }
        guard room > 0 else {
            return [Diagnostic(.trouble, "the disk is full: downloads wait until space is freed"), place]
        }
        guard room >= usualEpisode else {
            return [Diagnostic(.remark, "the disk has only \(size(room)) of space for episodes"), place]
        }
        return [Diagnostic(.good, "the disk has \(size(room)) of space for episodes"), place]
    }
}
