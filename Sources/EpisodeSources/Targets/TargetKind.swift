// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import HTTPTransfer
import Media
import Subscriptions

/// The kind of a target, determined before anything is fetched.
enum TargetKind: Equatable {
    case audioFile(path: String)
    case feedFile(path: String)
    /// An audio file by its name; it is fetched as audio immediately.
    case audioURL(String)
    /// An address whose content is known only after it was fetched.
    case url(String)

    init(_ target: String) throws(MediaFailure) {
        let url = WebURL(target)
        // File managers copy the URL of a file.
        if let path = FileURL.path(ofURL: target) {
            self = try Self.file(at: path)
            return
        }
        guard url.isAbsolute, let scheme = url.scheme else {
            self = try Self.file(at: target)
            return
        }
        guard scheme == "http" || scheme == "https" else {
            throw MediaFailure(.badProtocol, "unsupported URL scheme \"\(scheme)\": use http or https")
        }
        let isSound = url.fileExtension.map(Self.sounds.contains) ?? false
        self = isSound ? .audioURL(target) : .url(target)
    }

    /// The extensions of the formats that `play` reads.
    private static let sounds: Set = [
        "mp3", "mp2", "mpga", "m4a", "m4b", "mp4", "m4v", "mov", "aac", "ogg", "oga", "opus", "flac", "wav",
        "w64", "rf64", "aif", "aiff",
    ]

    private static func file(at path: String) throws(MediaFailure) -> TargetKind {
        let head = try FeedFile.firstBytes(of: path)
        // A file that begins like markup is treated as a feed; the feed parser rejects it if it is something else.
        if case .foreign = AudioSniffer.look(at: head), !head.isEmpty, Self.isText(head) {
            return .feedFile(path: path)
        }
        return .audioFile(path: path)
    }

    private static func isText(_ head: [UInt8]) -> Bool {
        head.contains(UInt8(ascii: "<"))
    }
}
