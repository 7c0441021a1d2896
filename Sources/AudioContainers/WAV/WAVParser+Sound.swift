// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The sound, and jumps inside it.
extension WAVParser {
    /// Begins the sound in the chunk `data`.
    mutating func beginSound(_ chunk: WaveContainer.Chunk) {
        var length: Int64? = chunk.length
        if container == .rf64, chunk.length == 0xFFFF_FFFF { length = longSoundLength }
        // Programs that write to a pipe, or that were interrupted, leave lengths of 0 or of all ones.
        let isFileLengthUnknown = declaredFileLength <= chunk.start || container == .rf64
        if length == 0, isFileLengthUnknown { length = nil }
        if length == 0xFFFF_FFFF, container == .riff { length = nil }
        if length == 0 {
            emptySound = chunk.start
            return move(to: chunk.next, .chunk)
        }
        let next = chunk.length == length ? chunk.next : length.map { chunk.start + $0 + $0 & 1 }
        begin(at: chunk.start, length: length, next: next)
    }

    /// Reads the numbers before AIFF's sound: the bytes to skip, and the size of blocks.
    mutating func readSoundHeader(length: Int64, next: Int64) -> ParserStep {
        switch window.block(8, at: position) {
        case .undecided: return .needsBytes
        case .absent: fail("the wave file ends before its sound")
        case .found(let header):
            let start = position + 8 + Int64(header.prefix(4).number(.bigEndian))
            let end = position + length
            let isUnknown = length <= 8 || length == 0xFFFF_FFFF
            begin(at: start, length: isUnknown ? nil : max(0, end - start), next: isUnknown ? nil : next)
        }
        return .moved
    }

    mutating func begin(at start: Int64, length: Int64?, next: Int64?) {
        guard let format else { return fail("the wave file has no format before its sound") }
        let frames = length.map { $0 / Int64(format.bytesPerFrame) }
        sound = WaveSound(start: start, bytesPerFrame: format.bytesPerFrame, frames: frames, next: next)
        events.append(.track(AudioTrack(codec: .pcm(format.encoding), format: format.format)))
        move(to: start, .sound)
        if let jump { synchronize(from: jump) }
    }

    mutating func readSound() -> ParserStep {
        guard let sound, sound.nextPacketFrames > 0 else { return endSound() }
        let missing = sound.offset(of: sound.nextFrame + sound.nextPacketFrames) - position
        guard window.holds(position..<position + missing) else {
            guard window.isClosed else { return .needsBytes }
            let frames = (window.end - position) / Int64(sound.bytesPerFrame)
            guard frames > 0 else { return endSound() }
            returnPacket(frames)
            return .moved
        }
        returnPacket(sound.nextPacketFrames)
        return .moved
    }

    private mutating func returnPacket(_ frames: Int64) {
        guard var sound else { return }
        let end = sound.offset(of: sound.nextFrame + frames)
        let packet = AudioPacket(
            frame: sound.nextFrame, frames: Int(frames), offset: position, length: Int(end - position))
        events.append(.packet(packet))
        sound.nextFrame += frames
        sound.isReached = true
        (self.sound, position) = (sound, end)
    }

    /// Continues with the chunks after the sound, if there are any.
    private mutating func endSound() -> ParserStep {
        if let sound, sound.isReached { self.sound?.exactFrames = sound.nextFrame }
        guard let next = sound?.next, !window.isClosed || next < window.end else {
            phase = .done
            return .moved
        }
        move(to: next, .chunk)
        return .moved
    }

    public mutating func seek(to frame: Int64) -> Bool {
        guard let sound, 0..<(sound.exactFrames ?? sound.frames ?? ContainerPoint.farthest) ~= frame else {
            return false
        }
        go(to: sound.packetStart(of: frame))
        return true
    }

    public mutating func synchronize(from offset: Int64) {
        let offset = ContainerPoint.clamped(offset)
        guard let sound else {
            jump = offset
            return
        }
        go(to: sound.firstPacket(from: offset))
    }

    public mutating func resume(at point: ContainerPoint) {
        guard sound != nil else {
            jump = point.offset
            return
        }
        go(to: point.clamped.frame)
    }

    private mutating func go(to frame: Int64) {
        guard let sound else { return }
        let first = min(frame, sound.frames ?? frame)
        events.removeAll(where: \.belongsToPosition)
        (jump, current) = (nil, nil)
        self.sound?.nextFrame = first
        self.sound?.isReached = first == 0
        move(to: sound.offset(of: first), .sound)
    }

    /// Programs that write to a pipe declare almost 2^31 bytes: sox 0x7F000000 in AIFF.
    public var statedFrames: Int64? {
        guard let sound, let frames = sound.frames else { return nil }
        let isPlaceholder = ![.rf64, .wave64].contains(container) && sound.offset(of: frames) >= 0x7F00_0000
        return isPlaceholder ? nil : frames
    }

    public var length: TrackLength {
        guard let sound else { return declaredFrames.map { .declared($0) } ?? .unknown }
        if let frames = sound.exactFrames { return .exact(frames) }
        let available = totalLength.map { max(0, $0 - sound.start) / Int64(sound.bytesPerFrame) }
        guard let frames = sound.frames ?? available else { return .unknown }
        return .declared(min(frames, available ?? frames))
    }

    public func offset(ofFrame frame: Int64) -> Int64? {
        guard let sound else { return nil }
        let frame = ContainerPoint.clamped(frame)
        return sound.offset(of: min(frame, sound.frames ?? frame))
    }

    public func frame(atOffset offset: Int64) -> Int64? {
        guard let sound else { return nil }
        let frame = max(0, ContainerPoint.clamped(offset) - sound.start) / Int64(sound.bytesPerFrame)
        return min(frame, sound.frames ?? frame)
    }
}
