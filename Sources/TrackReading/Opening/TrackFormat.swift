// SPDX-License-Identifier: GPL-3.0-or-later
package import AudioContainers
package import MPEGAudio
package import Media

/// The format of a track: it determines the reader.
package enum TrackFormat: Sendable, Equatable {
    /// MPEG audio, or unknown bytes, which are searched for it.
    case mpeg
    case container(ContainerKind)

    /// Creates a reader of a source of this format.
    /// - Parameter kept: returns an index made when the file was last read, if there is one.
    package func makeReader(
        _ source: any ByteSource, _ section: TrackSection = TrackSection(),
        kept: @escaping () -> KeptFrameIndex? = { nil }
    ) -> any TrackReader {
        switch self {
        case .mpeg: MPEGTrackReader(source, section, kept: kept)
        case .container(let kind): ContainerTrackReader(kind, source, section)
        }
    }
}

extension TrackFormat {
    /// Returns the reason why a complete file is shorter than its container declares, or has no packet although Earshot
    /// plays its format; `nil` if neither is so, or if it is MPEG audio. Reads the whole file.
    package static func shortfall(of source: any ByteSource) -> MediaFailure? {
        guard let kind = TrackFormatSearch.container(of: source) else { return nil }
        let reader = TrackFormat.container(kind).readWhole(source)
        return reader.timeline?.shortfall ?? damage(of: source, kind)
    }

    /// Returns the failure of a file that has no packet because it is damaged, or ends before its first packet; `nil`
    /// for audio that Earshot cannot play.
    private static func damage(of source: any ByteSource, _ kind: ContainerKind) -> MediaFailure? {
        var parser = kind.makeParser()
        parser.totalLength = source.downloadProgress.total
        while let event = parser.next(reading: source) {
            switch event {
            case .failed(let failure): return failure == parser.refusal ? nil : failure
            case .packet: return nil
            case .track, .metadata, .chapters, .gain, .garbage: continue
            }
        }
        return nil
    }

    /// Returns the reason why a complete file of this format is shorter than its header declares, as far as that is
    /// known without reading the file.
    package func shortfallOfHeader(in source: any ByteSource) -> MediaFailure? {
        openReader(of: source).timeline?.shortfall
    }

    /// Returns the times of a complete file; `nil` unless all its packets can be counted. Reads the whole file.
    package static func exactTimeline(of source: any ByteSource) -> (any TrackTimeline)? {
        let format = TrackFormatSearch.container(of: source).map { TrackFormat.container($0) } ?? .mpeg
        let reader = format.readWhole(source)
        return reader.isWholeIndexed ? reader.timeline : nil
    }

    private func readWhole(_ source: any ByteSource) -> any TrackReader {
        let reader = openReader(of: source)
        while reader.indexMore() {}
        return reader
    }

    private func openReader(of source: any ByteSource) -> any TrackReader {
        let reader = makeReader(source)
        while reader.timeline == nil, case .progressed = reader.step() {}
        return reader
    }
}

/// The content of a file according to its first bytes, by the rules of playback.
package enum TrackContent: Sendable, Equatable {
    /// Audio that can be played, with its highest rate and its largest number of channels as far as they are known.
    case audio(AudioFormat)
    /// A known format that cannot be played, for this reason.
    case unplayable(MediaFailure)
    /// No known format.
    case unknown
    /// The answer depends on bytes that are not available.
    case undecided

    /// - Parameter isSoundDue: false if the formats of all streams of a complete file may be looked for, as in
    ///   `TrackReader.findFormats`. That takes a second for an hour of FLAC.
    package init(of source: any ByteSource, isSoundDue: Bool = true) {
        var search = TrackFormatSearch()
        while true {
            switch search.step(source) {
            case .found(let format):
                self.init(of: source, as: format, isSoundDue: isSoundDue)
                return
            case .progressed: continue
            case .notYetAvailable, .lost: self = .undecided
            case .failed(let failure): self = .unplayable(failure)
            }
            return
        }
    }

    private init(of source: any ByteSource, as format: TrackFormat, isSoundDue: Bool) {
        let reader = format.makeReader(source)
        while true {
            if let timeline = reader.timeline {
                if !isSoundDue, source.downloadProgress.condition == .complete {
                    reader.findFormats(isSoundDue: false)
                }
                self = .audio(reader.timeline?.maximumFormat ?? timeline.maximumFormat)
                return
            }
            switch reader.step() {
            case .progressed: continue
            case .notYetAvailable, .lost: self = .undecided
            case .failed(let failure): self = format == .mpeg ? .unknown : .unplayable(failure)
            case .ended: self = .unknown
            }
            return
        }
    }
}
