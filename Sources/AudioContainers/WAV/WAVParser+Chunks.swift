// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The chunks before and after the sound.
extension WAVParser {
    private static let mostChunks = 10_000

    mutating func readHeader() -> ParserStep {
        switch ID3Tag.length(in: window, at: position) {
        case .undecided: return .needsBytes
        case .found(let length):
            move(to: position + length, .start)
            return .moved
        case .absent: break
        }
        let head = window.prefix(WaveContainer.longestHeader, at: position)
        if head.count < WaveContainer.longestHeader, !window.isClosed { return .needsBytes }
        guard let container = WaveContainer(head) else {
            fail("this is not a wave file")
            return .moved
        }
        self.container = container
        let length = head.dropFirst(4).prefix(4).number(container.byteOrder)
        declaredFileLength = length == 0xFFFF_FFFF || container == .wave64 ? 0 : position + Int64(length) + 8
        move(to: position + container.headerLength, .chunk)
        return .moved
    }

    mutating func readChunkHeader() -> ParserStep {
        switch window.block(container.chunkHeaderLength, at: position) {
        case .undecided: return .needsBytes
        case .absent: endChunks()
        case .found(let header):
            chunkCount += 1
            guard chunkCount <= Self.mostChunks, let chunk = container.chunk(header, at: position),
                position != emptySound || chunk.name == "data"
                    || chunk.start + chunk.length <= declaredFileLength
            else {
                endChunks(atOtherBytes: true)
                return .moved
            }
            begin(chunk)
        }
        return .moved
    }

    /// Ends the parse at the end of the file, or at bytes that are not a chunk.
    private mutating func endChunks(atOtherBytes: Bool = false) {
        guard sound == nil else { return phase = .done }
        if let emptySound {
            // They are the sound if they follow its length, which is 0 after an interrupted recording.
            let isSound = atOtherBytes && position == emptySound
            return begin(at: position, length: isSound ? nil : 0, next: nil)
        }
        fail(format == nil ? "the wave file has no format" : "the wave file ends before its sound")
    }

    private mutating func begin(_ chunk: WaveContainer.Chunk) {
        switch (chunk.name, container.isAIFF) {
        case ("fmt ", false) where format == nil: read(.format, of: chunk, atMost: WaveFormatChunk.longest)
        case ("COMM", true) where format == nil: read(.format, of: chunk, atMost: AIFFSoundFormat.longest)
        case ("ds64", false) where sound == nil: read(.lengths, of: chunk, atMost: 28)
        case ("data", false) where sound == nil: beginSound(chunk)
        case ("SSND", true) where format == nil:
            earlySound = earlySound ?? chunk
            move(to: chunk.next, .chunk)
        case ("SSND", true) where sound == nil: readSound(of: chunk)
        case ("LIST", false) where chunk.length <= WaveInfo.longest: read(.info, of: chunk)
        case ("NAME", true) where chunk.length <= WaveInfo.longest: read(.title, of: chunk)
        case ("AUTH", true) where chunk.length <= WaveInfo.longest: read(.artist, of: chunk)
        case ("id3 ", _) where chunk.length <= PictureBlock.longest: read(.tag, of: chunk)
        case ("ID3 ", _) where chunk.length <= PictureBlock.longest: read(.tag, of: chunk)
        default: move(to: chunk.next, .chunk)
        }
    }

    /// Begins with the numbers before the sound of AIFF.
    private mutating func readSound(of chunk: WaveContainer.Chunk) {
        move(to: chunk.start, .soundHeader(length: chunk.length, next: chunk.next))
    }

    private mutating func read(_ content: Content, of chunk: WaveContainer.Chunk, atMost limit: Int = .max) {
        let length = Int(min(chunk.length, Int64(limit)))
        move(to: chunk.start, .content(content, length: length, next: chunk.next))
    }

    mutating func readContent(_ content: Content, length: Int, next: Int64) -> ParserStep {
        switch window.block(length, at: position) {
        case .undecided: return .needsBytes
        case .absent: endChunks()
        case .found(let bytes):
            do throws(MediaFailure) {
                try parse(content, bytes)
                guard format != nil, let chunk = earlySound.take() else {
                    move(to: next, .chunk)
                    return .moved
                }
                readSound(of: chunk)
            } catch {
                if error != Self.damaged { refusal = error }
                fail(error.reason)
            }
        }
        return .moved
    }

    private mutating func parse(_ content: Content, _ bytes: ArraySlice<UInt8>) throws(MediaFailure) {
        switch content {
        case .format: try parseFormat(bytes)
        case .lengths:
            let length = bytes.dropFirst(8).prefix(8).number(.littleEndian)
            longSoundLength = length < 1 << 60 ? Int64(length) : 0
        case .info: report(WaveInfo.metadata(ofList: bytes))
        case .title: report(AudioMetadata(title: WaveInfo.text(bytes)))
        case .artist: report(AudioMetadata(artist: WaveInfo.text(bytes)))
        case .tag:
            report(ID3Tag.metadata(of: Array(bytes)))
            ID3Tag.gain(of: Array(bytes)).map { events.append(.gain($0)) }
        }
    }

    private mutating func report(_ metadata: AudioMetadata) {
        if !metadata.isEmpty { events.append(.metadata(metadata)) }
    }

    private mutating func parseFormat(_ bytes: ArraySlice<UInt8>) throws(MediaFailure) {
        if container.isAIFF {
            guard let chunk = AIFFSoundFormat(bytes, isAIFFC: container == .aiffC) else { throw Self.damaged }
            (format, declaredFrames) = (try chunk.format(), chunk.frames)
        } else {
            guard let chunk = WaveFormatChunk(bytes) else { throw Self.damaged }
            containsMPEG = chunk.isMPEG
            format = try chunk.format()
        }
    }

    private static var damaged: MediaFailure { MediaFailure(.badData, "the header of the wave file is damaged") }
}
