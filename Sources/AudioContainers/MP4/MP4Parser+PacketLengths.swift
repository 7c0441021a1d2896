// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The frames of packets of Opus and FLAC, whose lengths differ. The tables state times, which are in milliseconds if a
/// program copied them from Matroska, and which are uneven in a live recording. The packets state their lengths, and
/// follow each other; times that are much later tell of a loss.
extension MP4Parser {
    /// Numbers the packet at `payload`.
    /// - Parameters:
    ///   - start: its first frame according to the tables; `nil` if it is unknown.
    ///   - stated: its frames according to the tables; 0 if they are unknown.
    ///   - isLast: true if the track may end inside the packet.
    /// - Returns: its first frame, and the frames that are played of it.
    mutating func number(
        _ sample: MediaSample, at start: Int64?, stated: Int64, isLast: Bool
    ) -> (frame: Int64?, frames: Int64) {
        let coded = codedFrames ?? min(stated, mostFrames)
        let (frame, late) = place(at: start, coded)
        var (played, end) = (coded, coded)
        if isLast, endsTrack(stated, coded) {
            played = max(1, min(coded, stated + late))
            end = played
        } else if !isLast, stated > 0, endsPart(sample, coded) {
            // The stated time of the next part is that of its pre-skip, which overlaps with the end of this packet.
            (played, end) = (min(coded, stated + preSkip), stated)
        }
        isAfterShortPacket = stated < end - rounding
        lastEnd = frame.map { $0 + end }
        return (frame, played)
    }

    /// The frames that the packet at `payload` states; `nil` for AAC, and if it is damaged.
    private var codedFrames: Int64? {
        let frames = window.withBytes(of: payload) { bytes -> Int? in
            switch track?.codec {
            case .opus: OpusPacketDuration.frames(of: bytes)
            case .flac(let info): FLACFrameHeader.blockSize(of: bytes, in: info)
            case .aac, .vorbis, .pcm, nil: nil
            }
        }
        return frames.map(Int64.init)
    }

    private var preSkip: Int64 {
        if case .opus(let head) = track?.codec { Int64(head.preSkip) } else { 0 }
    }

    /// The most frames of a packet. The tables may state more, but decoders return no more.
    private var mostFrames: Int64 {
        switch track?.codec {
        case .flac(let info): Int64(info.blockSizes.upperBound)
        default: Int64(OpusHead.maximumPacketFrames)
        }
    }

    /// Returns true if a track of Opus ends inside its last packet. One of FLAC ends with the packet.
    private func endsTrack(_ stated: Int64, _ coded: Int64) -> Bool {
        guard case .opus = track?.codec, !isFragmented else { return false }
        return (1..<coded).contains(stated)
    }

    /// Returns true if a packet is stated shorter than it is because a part of a joined file ends inside it. Those
    /// before and after it are not; if the durations change often, none is longer.
    private func endsPart(_ sample: MediaSample, _ coded: Int64) -> Bool {
        guard clock.packetFrames == nil, !isAfterShortPacket else { return false }
        let usual = usualDurations(coded)
        guard sample.duration < usual.lowerBound else { return false }
        if phase == .fragmentSamples { return fragmentSamples.map { isAlone(sample, in: $0, usual) } ?? false }
        return table.map { isAlone(sample, in: $0, usual) } ?? false
    }

    /// Returns true if the sample after a shorter one has a usual duration, and none is longer in uneven times, as far
    /// as the entries are loaded. A damaged packet, which states a wrong length, has the same duration as the next one.
    private func isAlone(_ sample: MediaSample, in samples: some SampleCursor, _ usual: ClosedRange<Int64>) -> Bool {
        let next = Self.durationOfNext(sample, in: samples) ?? usual.lowerBound
        let isEqual = next == sample.duration && clock.frame(at: next) >= Int64(OpusPacketDuration.shortestFrame)
        guard isEqual || usual.contains(next) else { return false }
        return !mayBeUneven || !samples.hasDuration(above: usual.upperBound)
    }

    /// Returns the duration of the sample after one; `nil` after the last one, and if it is not loaded.
    private static func durationOfNext(_ sample: MediaSample, in samples: some SampleCursor) -> Int64? {
        var samples = samples
        samples.advance(past: sample)
        do throws(Interruption) {
            return try samples.current(in: ByteWindow())?.duration
        } catch {
            return nil
        }
    }

    /// The durations of a packet whose times may be rounded, in units of the media timescale.
    private func usualDurations(_ coded: Int64) -> ClosedRange<Int64> {
        clock.time(ofFrame: max(0, coded - rounding))...clock.time(ofFrame: coded + rounding)
    }

    // MARK: Times

    /// The most frames by which the times of the tables differ from those of the packets if they are rounded: two
    /// milliseconds, because two times are. AAC is numbered by its packets.
    var rounding: Int64 { clock.packetFrames == nil ? clock.rate / 500 : 0 }

    /// The most frames by which a packet without a loss before it is late: 50 ms in uneven times.
    private var tolerance: Int64 { mayBeUneven ? longestJitter : rounding }

    /// The most frames by which uneven times differ from those of the packets.
    var longestJitter: Int64 { clock.packetFrames == nil ? clock.rate / 20 : 0 }

    private var hasUnevenTimes: Bool { phase == .samples && table?.hasUnevenTimes ?? false }

    /// True also for fragments, which do not show it.
    private var mayBeUneven: Bool { phase == .fragmentSamples || hasUnevenTimes }

    /// Returns the first frame of a packet that the tables place at a frame, and the frames by which it is late. It
    /// follows the one before unless it is much later. The shift that rounding and overlapping parts leave stays.
    private mutating func place(at stated: Int64?, _ coded: Int64) -> (frame: Int64?, late: Int64) {
        guard clock.packetFrames == nil, let stated else { return (stated, 0) }
        let next = lastEnd ?? frameAfterJump(stated, coded)
        let isJitter = hasUnevenTimes && abs(stated - next) <= longestJitter
        let shift = timeShift ?? (isJitter ? 0 : stated - next)
        let late = stated - next - shift
        let isRounding = abs(late) <= rounding && !hasUnevenTimes
        timeShift = isRounding || late < -tolerance ? shift + late : shift
        return late > tolerance ? (next + late, 0) : (next, late)
    }

    /// Returns the first frame of a packet that the tables place at a frame, so that it has the same number as in a
    /// linear read: uneven times of Opus lie around those of packets of equal length. Those of FLAC are only rounded,
    /// and the last block of a part of a joined file is shorter than the others.
    private func frameAfterJump(_ stated: Int64, _ coded: Int64) -> Int64 {
        guard case .opus = track?.codec, let unit = packetUnit, hasUnevenTimes, let table,
            table.hasDuration(where: { clock.frame(at: $0) % unit != 0 })
        else { return unrounded(stated) }
        let number = table.position.packet.multipliedClamping(by: coded)
        return abs(number - stated) <= longestJitter ? number : unrounded(stated)
    }

    /// Returns the frame for which a whole number of milliseconds stands. The parts of joined files may begin there,
    /// too, but their times are exact.
    private func unrounded(_ frame: Int64) -> Int64 {
        guard let unit = packetUnit, let first = table?.firstDuration ?? firstDuration,
            clock.frame(at: first) % unit != 0, clock.isInMilliseconds(frame)
        else { return frame }
        let nearest = (frame + unit / 2) / unit * unit
        return abs(nearest - frame) <= rounding ? nearest : frame
    }

    /// The number of frames of which each packet begins at a multiple; `nil` if there is none.
    private var packetUnit: Int64? {
        switch track?.codec {
        case .opus: Int64(OpusPacketDuration.shortestFrame)
        case .flac(let info) where info.blockSizes.count == 1: Int64(info.blockSizes.upperBound)
        case .flac, .aac, .vorbis, .pcm, nil: nil
        }
    }
}
