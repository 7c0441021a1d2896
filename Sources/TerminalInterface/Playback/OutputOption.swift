// SPDX-License-Identifier: GPL-3.0-or-later

/// The sound output: `pulse[:SINK]`, `null`, `null:fast`, `wav:PATH`, `raw:PATH`.
public enum OutputOption: Sendable, Equatable, CustomStringConvertible {
    /// A PulseAudio or PipeWire server; `nil` is its default sink.
    case pulse(sink: String?)
    /// Discards the sound in real time.
    case null
    /// Discards the sound as fast as bytes arrive.
    case nullFast
    case wav(path: String)
    /// Interleaved Float32, without a header; `-` is standard output.
    case raw(path: String)

    public init(parsing text: String) throws(ArgumentError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count == 2 ? String(parts[1]) : nil
        switch (parts.first, value) {
        case ("pulse", nil): self = .pulse(sink: nil)
        case ("pulse", let sink?) where !sink.isEmpty: self = .pulse(sink: sink)
        case ("null", nil): self = .null
        case ("null", "fast"): self = .nullFast
        case ("wav", let path?) where !path.isEmpty: self = .wav(path: path)
        case ("raw", let path?) where !path.isEmpty: self = .raw(path: path)
        default:
            throw ArgumentError(
                "invalid output \"\(text)\": write pulse, pulse:SINK, null, null:fast, wav:PATH or raw:PATH")
        }
    }

    /// Parses the output of a service, which plays in real time.
    public static func device(_ text: String) throws(ArgumentError) -> OutputOption {
        let output = try OutputOption(parsing: text)
        switch output {
        case .pulse, .null: return output
        case .nullFast, .wav, .raw:
            throw ArgumentError("a service plays to a device: write pulse, pulse:SINK or null")
        }
    }

    /// True if samples go to standard output, like the events of `--json`.
    public var isStandardOutput: Bool { self == .raw(path: "-") || self == .raw(path: "/dev/stdout") }

    /// True if sound is played in real time, and not as fast as bytes arrive.
    public var isPaced: Bool {
        switch self {
        case .pulse, .null: true
        case .nullFast, .wav, .raw: false
        }
    }

    public var description: String {
        switch self {
        case .pulse(nil): "pulse"
        case .pulse(let sink?): "pulse:\(sink)"
        case .null: "null"
        case .nullFast: "null:fast"
        case .wav(let path): "wav:\(path)"
        case .raw(let path): "raw:\(path)"
        }
    }
}
