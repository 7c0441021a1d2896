// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import Media
import TrackReading

/// The way to read a file according to its first bytes; its name is ignored.
enum ContentKind {
    /// With the reader that plays it.
    case track(TrackFormat)
    /// With libsndfile, which reads samples in the type in which a complete file of this many bytes stores them; in
    /// the other way if the file has a format that only `play` reads.
    case stored(length: Int64, otherwise: TrackFormat?)

    /// - Throws: `notArrived` if the first bytes have not arrived; `unsupported`; `cannotRead`.
    init(_ source: any ByteSource, _ path: String) throws(AudioFileError) {
        var search = TrackFormatSearch()
        while true {
            switch search.step(source) {
            case .progressed: continue
            case .found(.container(.wave)): self = Self.complete(source, .container(.wave)) ?? .track(.container(.wave))
            case .found(let format): self = .track(format)
            case .failed(let failure):
                guard Self.isCoreAudio(source) else { throw .unsupported(path: path, reason: failure.reason) }
                guard let stored = Self.complete(source) else { throw .notArrived(path: path) }
                self = stored
            case .notYetAvailable: throw .notArrived(path: path)
            case .lost(let failure): throw .reading(path, failure)
            }
            return
        }
    }

    private static func complete(_ source: any ByteSource, _ other: TrackFormat? = nil) -> ContentKind? {
        let progress = source.downloadProgress
        guard progress.condition == .complete, let length = progress.total else { return nil }
        return .stored(length: length, otherwise: other)
    }

    /// True for Core Audio Format, which libsndfile reads although `play` does not.
    private static func isCoreAudio(_ source: any ByteSource) -> Bool {
        source.bytes(at: 0, count: 4).elementsEqual("caff".utf8)
    }
}
