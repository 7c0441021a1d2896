// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// One audio stream of a chained Ogg file, with the state of its parser. Source: RFC 3533 section 4.
struct OggLink: Sendable {
    /// The place of the stream among those of the file, from 0.
    let ordinal: Int
    /// The offset of its first page.
    let offset: Int64
    let serial: UInt32
    var mapping: any OggMapping
    var isInHeaders = true
    /// The offset of the first page with audio; `nil` before it is reached.
    var audioStart: Int64?
    /// The number of the first packet with audio among those that begin in that page.
    var audioIndex: Int64 = 0
    var clock: OggClock
    var assembler = OggPacketAssembler()
    /// True after the last page.
    var isOver = false
    /// The track was returned.
    var hasTrack = false
    /// The packet before the next one, if the parser has seen it.
    var previous: OggPacket.Place?

    init(ordinal: Int, offset: Int64, serial: UInt32, mapping: any OggMapping) {
        (self.ordinal, self.offset, self.serial, self.mapping) = (ordinal, offset, serial, mapping)
        let track = mapping.track
        clock = OggClock(
            trimsStart: mapping.trimsStart, trimsEnd: mapping.trimsEnd, preSkip: track?.start ?? 0,
            longestLag: mapping.longestLag, rate: track?.format.sampleRate ?? 0)
    }
}
