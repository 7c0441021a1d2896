// SPDX-License-Identifier: GPL-3.0-or-later
import Media

extension MP4Parser {
    /// The most frames by which the times of `sidx` may differ from decoding times: an encoder's delay.
    private static let indexTolerance: Int64 = 8192

    public var length: TrackLength {
        if let countedEnd { return .exact(countedEnd) }
        guard isFragmented else { return declaredFrames > 0 ? .declared(declaredFrames) : .unknown }
        if let movie = walker?.movie, movie.fragmentDuration > 0 {
            // If the times of the fragments count from the first frame that is played, so does the duration.
            let omitted = clock.frame(at: omittedPreSkip?.time ?? 0)
            let frames = movie.fragmentDuration.scaled(by: clock.rate, over: movie.timescale)
            return .declared(min(frames + omitted, ByteWindow.farthest))
        }
        if let segmentsEnd, totalLength.map({ segmentsEnd.offset + Self.longestEnd >= $0 }) ?? true {
            return .declared(segmentsEnd.frame)
        }
        // Some writers put an index of one fragment before each.
        let known = segmentsEnd.map { $0.frame > frontier.frame ? $0 : frontier } ?? frontier
        guard let firstFragment, known.frame > 0 else { return .unknown }
        return LengthEstimate.length(
            frames: known.frame, bytes: known.offset - firstFragment, total: totalLength.map { $0 - firstFragment })
    }

    /// The most bytes after the last indexed fragment: another index (`mfra`) and padding.
    private static let longestEnd: Int64 = 16 << 10

    /// The stated frames of the track. The stated length of a fragmented movie is that of its longest track.
    public var statedFrames: Int64? {
        guard !isFragmented || walker?.movie.trackCount == 1, case .declared(let frames) = length else { return nil }
        return frames
    }

    /// The frames that rounded times may add: in a joined file, a millisecond for each part. `isCutOff` is true if the
    /// table lists a missing packet. Fragments may also state packets that were lost and left no hole.
    public var statedTolerance: Int64 { isFragmented || clock.packetFrames != nil ? longestJitter : clock.rate / 2 }

    public mutating func seek(to frame: Int64) -> Bool {
        guard let track, frame >= 0 else { return false }
        let target = max(0, frame - track.preRoll - longestJitter)
        if frame < declaredFrames {
            leave()
            let goal = clock.packetFrames.map { SampleLocator.Goal.packet(target / $0) } ?? .time(timeBefore(target))
            return begin(goal)
        }
        guard let entry = fragmentEntry(for: target, holding: frame) else { return false }
        leave()
        skip = .frame(target)
        (position, phase, nextFrame) = (entry.offset, .boxes, entry.frame)
        settle()
        return true
    }

    public mutating func resume(at point: ContainerPoint) {
        guard track != nil else { return }
        let point = point.clamped
        leave()
        if clock.packetFrames == nil { lastEnd = point.frame }
        guard isFragmented, point.offset != walker?.start else {
            _ = begin(.packet(point.index))
            return
        }
        skip = .index(point.index, frame: point.frame)
        (position, phase, nextFrame) = (point.offset, .boxes, nil)
        settle()
    }

    public mutating func synchronize(from offset: Int64) {
        let offset = ContainerPoint.clamped(offset)
        guard track != nil else {
            skip = .offset(offset)
            return
        }
        leave()
        guard isFragmented, let walker, !isInTable(offset) else {
            skip = .offset(offset)
            _ = begin(.packet(checkpoints.last(atOrBeforeOffset: offset)?.index ?? 0))
            return
        }
        (position, phase, nextFrame, lossStart) = (max(offset, walker.end), .scanning, nil, .max)
        settle()
    }

    /// Returns true if the table is known to list a packet at or after an offset.
    private func isInTable(_ offset: Int64) -> Bool {
        guard let table, table.count > 0, let walker else { return false }
        return offset < walker.end || checkpoints.frame(atOffset: offset) != nil
    }

    public func offset(ofFrame frame: Int64) -> Int64? {
        checkpoints.offset(ofFrame: frame) ?? fragments.offset(ofFrame: frame) ?? segments.offset(ofFrame: frame)
    }

    public func frame(atOffset offset: Int64) -> Int64? {
        checkpoints.frame(atOffset: offset) ?? fragments.frame(atOffset: offset) ?? segments.frame(atOffset: offset)
    }

    /// Forgets the position, but keeps the tables.
    private mutating func leave() {
        // A failure after the first packet is that of the samples at the position.
        pending.removeAll { if case .failed = $0 { true } else { $0.belongsToPosition } }
        (payload, point, skip, goal, locator, lastEnd) = (0..<0, nil, nil, nil, nil, nil)
        (fragmentTimes, held, releasing, released) = (nil, [], [], nil)
        hasJumped = true
        if let border { borders.insert(border.offset) }
        (border, lastLength) = (nil, nil)
        (timeShift, isAfterShortPacket) = (nil, false)
        boxesLeft = Self.mostBoxes
        pattern.leave()
    }

    /// Searches for a packet in the tables, or first reads the rest of `moov`, which states the places of the chunks.
    private mutating func begin(_ goal: SampleLocator.Goal) -> Bool {
        // The first fragment follows the table.
        if isFragmented { nextFrame = declaredFrames }
        if table?.offsets == nil, hasRest {
            self.goal = goal
            phase = .movie
        } else {
            beginLocating(goal)
        }
        settle()
        return true
    }

    /// Returns the greatest media time that does not lie after a frame.
    private func timeBefore(_ frame: Int64) -> Int64 {
        let time = clock.time(ofFrame: frame)
        return clock.frame(at: time) > frame ? max(0, time - 1) : time
    }

    /// Returns the offset to start at and its frame, which is `nil` if a fragment will state it more exactly.
    private func fragmentEntry(for target: Int64, holding frame: Int64) -> (offset: Int64, frame: Int64?)? {
        guard isFragmented else { return nil }
        // After a jump, there may be unread fragments between the known one and the target.
        if let known = fragments.last(atOrBefore: target), readFrames.contiguousEnd(from: known.frame) > frame {
            return (known.offset, known.frame)
        }
        guard let segmentsEnd, frame < segmentsEnd.frame,
            let segment = segments.last(atOrBefore: max(0, target - Self.indexTolerance))
        else { return nil }
        return (segment.offset, fragmentBase == nil ? segment.frame : nil)
    }
}
