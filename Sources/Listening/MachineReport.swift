// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
import HTTPTransfer
import Media
public import ProgressiveDownload

/// What this machine offers to a listener, and what is known against the libraries on it.
public struct MachineReport: Sendable {
    public struct Finding: Sendable, Equatable {
        public enum Grade: String, Sendable { case good, remark, trouble }

        public let grade: Grade
        /// A sentence without its full stop.
        public let words: String

        public init(_ grade: Grade, _ words: String) { (self.grade, self.words) = (grade, words) }
    }

    /// The libraries that touch what strangers send, each with its known weaknesses and what Earshot does about them.
    public static var libraries: [Finding] {
        let holes = CurlVersion.current.map(KnownHole.possible) ?? []
        return [Finding(.good, CurlVersion.fullText)]
            + holes.map { hole in
                Finding(.remark, "\(hole.id), unless mended by now: \(hole.weakness); here \(hole.defence)")
            } + foreign.map { Finding(.remark, $0) }
    }

    /// These do not say whether a distribution has mended them, and what guards against them costs nothing.
    private static let foreign = [
        "libmpg123, CVE-2024-10573: a stream that changes its format writes past a buffer; here a decoder sees whole "
            + "packets of one format alone"
    ]

    /// What is in the library, and whether its file is whole.
    public static func finding(of health: Library.Health) -> Finding {
        guard let damage = health.damage.first else {
            return Finding(.good, "the library has \(health.podcasts) podcasts and \(health.episodes) episodes")
        }
        return Finding(.trouble, "the library's file is damaged: \(damage); export what is there, and import it anew")
    }

    /// Whether episodes can be kept.
    public static func keeping(in directory: KeepDirectory) -> Finding {
        do throws(MediaFailure) {
            try directory.create()
            return Finding(.good, "episodes are kept in \(directory.path)")
        } catch {
            return Finding(.trouble, "no episode can be kept: \(error.reason)")
        }
    }
}
