// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport

@testable import CodecTestSupport

/// The formats of the episode of the scenarios.
enum FaultFormat: String, CaseIterable, Sendable {
    case mp3, m4a, opus

    var contentType: String {
        switch self {
        case .mp3: "audio/mpeg"
        case .m4a: "audio/mp4"
        case .opus: "audio/ogg"
        }
    }
}

/// The episode of the scenarios: almost a megabyte, and the same episode after six seconds of another sound.
enum FaultEpisode {
    struct Versions: Sendable {
        let first: [UInt8]
        let second: [UInt8]
        /// The samples of both versions: of MP3 as mpg123 decodes them, otherwise those of a linear decode.
        let firstSound: [UInt8]
        let secondSound: [UInt8]
    }

    static func versions(_ format: FaultFormat) throws -> Versions {
        switch format {
        case .mp3: try mp3.get()
        case .m4a: try m4a.get()
        case .opus: try opus.get()
        }
    }

    private static let mp3 = Result { try Versions() }
    private static let m4a = Result { try Versions(.aac()) }
    private static let opus = Result { try Versions(.opus()) }
}

extension FaultEpisode.Versions {
    /// A minute of MP3 at 128 kbit/s.
    fileprivate init() throws {
        let sound = TestSound(frames: 60 * 44_100)
        first = try sound.encoded("-b", "128")
        // Hosts insert advertisements this way: packets before those of the episode, without a trace in any tag.
        let front = try TestSound(frames: 6 * 44_100, hertz: 330).encoded("-b", "128", "-t")
        second = try front + sound.encoded("-b", "128", "-t")
        let scratch = ScratchDirectory()
        firstSound = try ReferenceDecoder.samples(path: scratch.write(first, to: "1.mp3"))
        secondSound = try ReferenceDecoder.samples(path: scratch.write(second, to: "2.mp3"))
    }

    fileprivate init(_ versions: EpisodeVersions) {
        (first, second) = (versions.first.bytes, versions.second.bytes)
        (firstSound, secondSound) = (versions.first.parts[0].bytes, versions.second.parts[0].bytes)
    }
}
