// SPDX-License-Identifier: GPL-3.0-or-later
import Media

extension BitReader {
    /// Reads a program_config_element. Source: ISO/IEC 14496-3 section 4.4.1.1.
    /// - Returns: its channels in the order of its elements.
    mutating func programConfig() -> SpeakerOrder {
        // element_instance_tag, object_type, sampling_frequency_index
        skip(4 + 2 + 4)
        let (front, side, back) = (read(4), read(4), read(4))
        let (lowFrequency, data, coupling) = (read(2), read(3), read(4))
        for width in [4, 4, 3] where flag() { skip(width) }
        var speakers: [ChannelLayout] = []
        for _ in 0..<front { speakers += element(.frontCenter, [.frontLeft, .frontRight]) }
        for _ in 0..<side { speakers += element(.sideLeft, [.sideLeft, .sideRight]) }
        for _ in 0..<back { speakers += element(.backCenter, [.backLeft, .backRight]) }
        for _ in 0..<lowFrequency {
            skip(4)
            speakers.append(.lowFrequency)
        }
        skip(4 * data + 5 * coupling)
        align()
        skip(8 * read(8))
        // Two single elements in front are left and right of a stereo recording.
        return speakers == [.frontCenter, .frontCenter]
            ? SpeakerOrder([.frontLeft, .frontRight]) : SpeakerOrder(speakers)
    }

    /// Parses a channel element: a single channel or a pair.
    private mutating func element(_ single: ChannelLayout, _ pair: [ChannelLayout]) -> [ChannelLayout] {
        defer { skip(4) }
        return flag() ? pair : [single]
    }
}
