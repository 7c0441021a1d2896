// SPDX-License-Identifier: GPL-3.0-or-later
import Media

extension AudioDecoder {
    /// Checks the arguments of `decode`.
    func check(_ frames: Int, _ pcm: borrowing PCMBuffer) throws(DecodingError) {
        precondition(pcm.format == format, "a buffer of another format")
        guard 0...maximumPacketFrames ~= frames else {
            throw .badPacket(reason: "a packet of \(frames) PCM frames; the most are \(maximumPacketFrames)")
        }
        precondition(pcm.capacity - pcm.frames >= maximumPacketFrames, "no space for a packet's frames")
    }
}

extension PCMBuffer {
    mutating func appendSilence(frames count: Int) {
        freeSpace[..<(count * format.channels)].update(repeating: 0)
        commit(frames: count)
    }

    /// Appends a packet of which the first `decoded` frames were written to the free space: cuts it or pads it with
    /// silence.
    mutating func commit(frames count: Int, decoded: Int) {
        let kept = min(count, decoded)
        commit(frames: kept)
        appendSilence(frames: count - kept)
    }
}
