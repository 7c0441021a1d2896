// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// A reader of the track gain in an ID3v2 tag: the user text `REPLAYGAIN_TRACK_GAIN`, as in "-6.50 dB".
///
/// Source: ID3v2.4 frames §4.2.6; ID3v2.2 §4.2.2; ReplayGain 2.0 specification, section on ID3v2.
public enum ID3v2Gain {
    /// The longest beginning of a tag to search. Pictures usually follow the texts.
    public static let longestPrefix = 256 << 10

    /// Returns the gain.
    /// - Parameter tag: the available bytes from the header on.
    public static func read(_ tag: [UInt8]) -> TrackGain? {
        guard let frames = ID3v2Tag(tag)?.frames else { return nil }
        return frames.lazy.filter { $0.name == "TXXX" || $0.name == "TXX" }.compactMap { gain(in: $0.bytes) }.first
    }

    private static func gain(in frame: ArraySlice<UInt8>) -> TrackGain? {
        guard let encoding = frame.first.flatMap(ID3Text.Encoding.init) else { return nil }
        let (name, value) = ID3Text.split(frame.dropFirst(), encoding)
        guard ID3Text.string(name, encoding)?.uppercased() == "REPLAYGAIN_TRACK_GAIN",
            let text = ID3Text.string(ID3Text.split(value, encoding).text, encoding)
        else { return nil }
        return TrackGain(replayGain: text)
    }
}
