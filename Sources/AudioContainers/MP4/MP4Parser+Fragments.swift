// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The packets of fragments.
extension MP4Parser {
    mutating func enterFragment(_ box: BoxHeader) throws(Interruption) {
        guard let trackBox, let movie = walker?.movie, box.bodyLength <= FragmentWalker.longest else { throw .damaged }
        let defaults = movie.fragmentDefaults[trackBox.id] ?? FragmentDefaults()
        fragmentWalker = FragmentWalker(box, track: trackBox.id, defaults: defaults)
        firstFragment = firstFragment ?? box.start
        phase = .fragment
    }

    mutating func walkFragment() throws(Interruption) {
        guard try fragmentWalker?.step(in: window) == true, let walker = fragmentWalker else { return }
        // The header of `mdat` stands between; reading it now avoids a jump back.
        let next =
            try window.fileEnd.map { $0 < walker.end + 8 } == true
            ? nil : window.box(at: walker.end, before: ByteWindow.farthest)
        let data = next.flatMap { $0.type == "mdat" ? $0 : nil }
        position = data?.end ?? walker.end
        if data != nil, hasOneTrack, !walker.runs.contains(where: \.isOurs) { loseFragment(walker.start..<position) }
        let isFirst = walker.start == firstFragment
        if rejectsHEAAC(lasting: walker.shortestDuration) { return }
        if isFirst { omittedPreSkip = findOmittedPreSkip(in: walker) }
        fragmentSamples = FragmentSamples(walker, omittedPreSkip: isFirst ? omittedPreSkip : nil)
        phase = .fragmentSamples
    }

    /// Returns the pre-skip that the first fragment of a track omits. It may be in the table of `moov` instead.
    private func findOmittedPreSkip(in fragment: FragmentWalker) -> OmittedPreSkip? {
        guard let trackBox, declaredFrames == 0 else { return nil }
        return OmittedPreSkip(fragment, of: trackBox, clock)
    }

    mutating func deliverFragmentSample() throws(Interruption) {
        guard let sample = try fragmentSamples?.current(in: window) ?? nil, let samples = fragmentSamples else {
            phase = .boxes
            return
        }
        if samples.fragment == firstFragment, samples.index == 0 { firstDuration = sample.duration }
        if let time = fragmentSamples?.takeStatedTime() { numberPackets(from: time, in: samples) }
        if case .index(let index, let frame) = skip, samples.index >= index { (skip, nextFrame) = (nil, frame) }
        let frames = clock.frames(from: 0, duration: sample.duration)
        // The frames of a fragment that is entered in the middle are not exact before that place.
        if case .index = skip { return pass(sample, frames) }
        endBorder(before: sample)
        remember(samples)
        let isAtBorder = belongsToBorder(sample)
        // The packets of a border may turn out to be played in full length.
        let number = border.map { $0.firstFrame(of: $0.packets) } ?? nextFrame
        if passes(number, frames, sample) { return pass(sample, frames, isAtBorder: isAtBorder) }
        let end = sample.offset + sample.size
        if sample.size > longestPacket, end > position { return leaveFragment(at: sample.offset) }
        if border == nil, releaseHeldPackets() { return }
        if endsBefore(samples.description, at: nextFrame) { return }
        let first = try emit(sample, at: nextFrame, frames: frames, isLast: samples.isAtLast)
        let place = first.map { ContainerPoint(frame: $0, offset: samples.fragment, index: samples.index) }
        if !holdShortPacket(sample, isAtBorder: isAtBorder, of: samples, at: place) { point = place }
        pass(sample, min(frames, 65535), isAtBorder: isAtBorder)
    }

    /// True for data after `moov` without a fragment that lists them: the header of that fragment is damaged. The data
    /// of other tracks look the same, so there must be none.
    func isOrphaned(_ data: BoxHeader) -> Bool {
        guard data.bodyLength > 0, isFragmented, hasOneTrack, let walker else { return false }
        // Another box may stand between a fragment and its data, which may be in several boxes.
        // After a jump back, the last fragment may be a later one.
        if let fragmentSamples, fragmentSamples.fragment < data.start, data.body < fragmentSamples.dataEnd {
            return false
        }
        return data.start >= walker.end && table?.count ?? 0 == 0
    }

    private var hasOneTrack: Bool { trackBox != nil && walker?.movie.trackCount == 1 }

    mutating func loseFragment(_ range: ByteRange) {
        reportGarbage(range)
        hasLostFragment = true
    }

    /// Continues after the data of a fragment that states an impossible size: the offsets of its other packets are
    /// unknown.
    private mutating func leaveFragment(at offset: Int64) {
        loseFragment(min(offset, position)..<position)
        phase = .boxes
    }

    private mutating func pass(_ sample: MediaSample, _ frames: Int64, isAtBorder: Bool = false) {
        let isStretched = frames > 0 && clock.frame(at: sample.duration) >= frames + frames / 2
        // The first packet of a track is stretched by a delay against the picture.
        if isStretched, nextFrame == 0 { firstDelay = sample.duration - clock.time(ofFrame: frames) }
        let hidesLoss = isStretched && nextFrame != 0 && fragmentSamples?.isAtLast == true
        fragmentSamples?.advance(past: sample)
        let counted = isAtBorder ? addToBorder(sample) : frames
        count(1, counted, sample.duration, hidesLoss: hidesLoss)
        lastLength = FragmentBorder.length(of: sample.duration, clock)
        guard let samples = fragmentSamples, frames > 0, border == nil else { return }
        switch skip {
        case .frame(let target):
            let packets = max(0, target - (nextFrame ?? target)) / frames
            count(fragmentSamples?.skipAlike(packets) ?? 0, frames, sample.duration)
        case .index(let index, _):
            count(fragmentSamples?.skipAlike(index - samples.index) ?? 0, frames, sample.duration)
        case .offset, nil: break
        }
    }

    /// Numbers the next packet after packets of equal length.
    private mutating func count(_ packets: Int64, _ frames: Int64, _ duration: Int64, hidesLoss: Bool = false) {
        fragmentTimes?.count(packets, frames: frames, duration: duration, clock, hidesLoss: hidesLoss)
        guard let frame = nextFrame else { return }
        let next = frame + min(packets.multipliedClamping(by: frames), ByteWindow.farthest - frame)
        nextFrame = next
        if clock.packetFrames == nil { noteRead(frame..<next) }
    }

    mutating func noteRead(_ frames: Range<Int64>) {
        guard !frames.isEmpty else { return }
        readFrames.insert(frames)
        if frames.upperBound > frontier.frame { frontier = (frames.upperBound, position) }
    }

    /// Takes the number of the next packet from a fragment's decoding time. Numbers never go back: a decoder's output
    /// continues.
    private mutating func numberPackets(from time: Int64, in samples: FragmentSamples) {
        endBorder(before: time)
        guard let packetFrames = clock.packetFrames, let next = nextFrame, let fragmentTimes
        else { return numberAfterJump(from: time, in: samples) }
        guard let lost = fragmentTimes.lostFrames(before: time, packetFrames: packetFrames, clock),
            lost <= Self.longestGap * clock.rate
        else { return }
        if lost > 0 { endBorder(isJoin: true) }
        let frame = max(next, min(next + lost, ByteWindow.farthest))
        // No fragment holds the lost ones.
        noteRead(next..<frame)
        nextFrame = frame
        self.fragmentTimes = FragmentTimes(from: time)
    }

    /// Numbers the packets of the first fragment, or of one that is read after a jump: its time counts from that of the
    /// first fragment. A fragment that was read before keeps its number.
    private mutating func numberAfterJump(from time: Int64, in samples: FragmentSamples) {
        let isFirst = samples.fragment == firstFragment && nextFrame == 0 && !hasLostFragment
        let base = fragmentBase ?? (isFirst ? time : 0)
        let before = fragments.last(atOrBeforeOffset: samples.fragment)
        let known = before.flatMap { $0.offset == samples.fragment ? $0.frame : nil }
        let omitted = samples.fragment == firstFragment ? 0 : omittedPreSkip?.time ?? 0
        var frame = known ?? clock.packetFrame(at: max(0, time - base - firstDelay) + omitted)
        let next = nextFrame ?? frame
        // The first packet may be in the table of `moov`, with the delay against the picture.
        if fragmentBase == nil, next > 0, (1...clock.rate / Self.delayShare).contains(frame - next) {
            firstDelay = clock.time(ofFrame: frame - next)
            frame = next
        }
        guard frame - next <= Self.longestGap * clock.rate else { return }
        (fragmentBase, nextFrame) = (base, max(next, frame))
        // The packet before is unknown, but the borders in fragments that were read before are known.
        if !isFirst { lastLength = readFrames.contiguousEnd(from: frame) > frame ? nil : .usual }
        if clock.packetFrames != nil { fragmentTimes = FragmentTimes(from: time) }
    }

    /// The share of a second that a delay against the picture may last.
    private static let delayShare: Int64 = 4

    /// The longest gap between two fragments in seconds; a longer one is a wrong number in a damaged file.
    private static let longestGap: Int64 = 3600

    /// Notes the packets from a frame to the end of the fragment, whose tables are known.
    mutating func noteRestOfFragment(from frame: Int64) {
        guard let packetFrames = clock.packetFrames, let samples = fragmentSamples else { return }
        let packets = max(0, samples.count - samples.index)
        noteRead(frame..<frame + min(packets, ByteWindow.farthest / packetFrames) * packetFrames)
    }

    /// Remembers the first frame of a fragment.
    private mutating func remember(_ samples: FragmentSamples) {
        guard samples.index == 0, let first = nextFrame else { return }
        noteRestOfFragment(from: first)
        // The numbers inside a border are preliminary.
        guard border == nil else { return }
        let known = fragments.last(atOrBefore: first)
        if known.map({ first - $0.frame >= clock.rate * Self.fragmentDistance }) ?? true {
            fragments.insert(.init(frame: first, offset: samples.fragment, index: 0))
        }
    }

    /// The least distance of remembered fragments in seconds.
    private static let fragmentDistance: Int64 = 5

    mutating func readSegmentIndex(_ box: BoxHeader) throws(Interruption) {
        guard box.bodyLength <= SegmentIndex.longest else { return }
        let content = try window.bytes(Int(box.bodyLength), at: box.body)
        guard let index = SegmentIndex(content, anchor: box.end) else { return }
        for segment in index.segments {
            let frame = segment.time.scaled(by: clock.rate, over: index.timescale)
            segmentsStart = segmentsStart ?? frame
            addSegment(at: frame - (segmentsStart ?? 0), offset: segment.offset)
        }
        let end = index.end.time.scaled(by: clock.rate, over: index.timescale) - (segmentsStart ?? 0)
        guard end > segmentsEnd?.frame ?? 0 else { return }
        segmentsEnd = (end, min(index.end.offset, ByteWindow.farthest))
    }

    private mutating func addSegment(at frame: Int64, offset: Int64) {
        let known = segments.last(atOrBefore: frame)
        if known.map({ frame - $0.frame >= clock.rate * Self.fragmentDistance }) ?? true {
            segments.insert(.init(frame: frame, offset: offset, index: 0))
        }
    }

    // MARK: Search

    /// Searches for the next fragment after the bytes at `position`, which are damaged.
    mutating func startScan() {
        lossStart = position
        position += 1
        phase = .scanning
    }

    /// Finds the header of a `moof` whose first box is an `mfhd`.
    mutating func scan() throws(Interruption) {
        while true {
            let header = try window.bytes(Self.fragmentHeader, at: position)
            if Self.isFragment(header) {
                if lossStart < position { reportGarbage(lossStart..<position) }
                phase = .boxes
                return
            }
            // The next header's type begins with an "m", at least five bytes ahead.
            let next = window.firstOffset(in: position + 5..<window.end) { $0 == UInt8(ascii: "m") }
            position = (next ?? window.end) - 4
        }
    }

    private static let fragmentHeader = 24

    private static func isFragment(_ header: ArraySlice<UInt8>) -> Bool {
        var fields = ByteFields(header)
        guard let size = fields.number(4), (24...Int(FragmentWalker.longest)).contains(size),
            fields.bytes(4).map(FourCC.init) == "moof", fields.number(4) == 16
        else { return false }
        return fields.bytes(4).map(FourCC.init) == "mfhd"
    }
}
