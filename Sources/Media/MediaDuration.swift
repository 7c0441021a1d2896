// SPDX-License-Identifier: GPL-3.0-or-later

/// A duration with its accuracy.
public enum MediaDuration: Sendable, Equatable {
    case unknown
    /// Computed from a mean bit rate, declared by the feed, or by a tag of a file whose length does not confirm it.
    case estimated(Duration)
    /// Declared by the file's own tag (Xing, VBRI) and not contradicted so far.
    case declared(Duration)
    /// Counted from the audio of the file.
    case exact(Duration)

    /// The duration, with any accuracy; `nil` if unknown.
    public var value: Duration? {
        switch self {
        case .unknown: nil
        case .estimated(let value), .declared(let value), .exact(let value): value
        }
    }

    /// The duration; `nil` if it is an estimate or unknown.
    public var unlessEstimated: Duration? {
        switch self {
        case .declared(let value), .exact(let value): value
        case .estimated, .unknown: nil
        }
    }

    /// The word used in `--json`.
    public var quality: String {
        switch self {
        case .unknown: "unknown"
        case .estimated: "estimated"
        case .declared: "declared"
        case .exact: "exact"
        }
    }

    /// Creates the duration of an object of `--json` or of the control protocol.
    /// - Parameter json: an object with `duration` and `durationQuality`.
    public init(_ json: JSONValue) {
        guard let duration = json["duration"]?.duration else {
            self = .unknown
            return
        }
        self =
            switch json["durationQuality"]?.string {
            case "exact": .exact(duration)
            case "declared": .declared(duration)
            default: .estimated(duration)
            }
    }
}

/// A position in a track: as people write it (`45:00`, `1:02:03`, `2700`, `75%`), or saved while it was an estimate.
public enum TimeTarget: Sendable, Equatable {
    case time(Duration)
    /// A fraction of the duration, 0 ... 1.
    case fraction(Double)
    /// A time that counts from the estimated time of a packet. It names the same sound once the packet's time is known.
    case estimated(Duration, from: TimeAnchor)

    /// Creates the target of a time.
    /// - Parameter anchor: the packet from which an estimated time counts; `nil` for an exact time.
    public init(_ time: Duration, from anchor: TimeAnchor?) {
        self = anchor.map { .estimated(time, from: $0) } ?? .time(time)
    }

    /// The packet from which an estimated time counts; `nil` for other targets.
    public var anchor: TimeAnchor? { if case .estimated(_, let anchor) = self { anchor } else { nil } }
}

/// A packet that was read before the bytes that precede it had arrived, so that its time was estimated.
public struct TimeAnchor: Sendable, Equatable {
    /// The offset of the packet in the file, in bytes.
    public let offset: Int64
    /// The estimated time of the packet.
    public let time: Duration
    /// The length of the file in bytes. A file of another length is another version, whose packets are elsewhere.
    public let totalLength: Int64

    public init(offset: Int64, time: Duration, totalLength: Int64) {
        (self.offset, self.time, self.totalLength) = (offset, time, totalLength)
    }
}
