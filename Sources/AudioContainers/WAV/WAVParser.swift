// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// A parser of uncompressed sound in WAV, RF64, Wave64 and AIFF files. Its packets are blocks of up to 4096 PCM frames.
public struct WAVParser: ContainerParser {
    enum Phase: Sendable {
        /// The header of the file is expected at `position`, perhaps after an ID3v2 tag.
        case start
        /// The header of a chunk is expected at `position`.
        case chunk
        /// The content of a chunk, which is parsed as a whole.
        case content(Content, length: Int, next: Int64)
        /// The start of AIFF's sound, which states how many bytes to skip.
        case soundHeader(length: Int64, next: Int64)
        case sound
        case done
    }

    /// The content of a chunk that is parsed.
    enum Content: Sendable {
        case format, lengths, info, title, artist, tag
    }

    public var totalLength: Int64?
    /// True if the file was rejected because it contains MPEG audio, which the parser for MP3 plays.
    public internal(set) var containsMPEG = false
    public internal(set) var refusal: MediaFailure?

    var window = ByteWindow()
    /// The offset before which all bytes are parsed.
    var position: Int64 = 0
    var phase = Phase.start
    var container = WaveContainer.riff
    /// The length of the file as its header declares it.
    var declaredFileLength: Int64 = 0
    /// The length of the sound in bytes in the chunk `ds64`, 0 if unknown.
    var longSoundLength: Int64 = 0
    var format: WaveFormat?
    /// The number of chunks parsed.
    var chunkCount = 0
    /// The number of PCM frames that AIFF declares.
    var declaredFrames: Int64?
    var sound: WaveSound?
    /// The sound of AIFF that precedes its format.
    var earlySound: WaveContainer.Chunk?
    /// The offset after a chunk of sound whose stated length is 0: the real one may follow, or the length is wrong.
    var emptySound: Int64?
    /// A jump that waits for the start of the sound.
    var jump: Int64?
    var events: [ContainerEvent] = []
    var current: AudioPacket?

    /// Creates a parser that starts at byte 0.
    public init() {}

    /// Returns true if the first bytes are those of a file that this parser plays: not for MPEG audio in WAV.
    public static func recognizes(_ head: [UInt8]) -> Bool {
        WaveContainer(head.prefix(WaveContainer.longestHeader)).map { $0.containsMPEG(head) != true } ?? false
    }

    public var readOffset: Int64 { window.end }
    public var readLimit: Int {
        switch phase {
        // Little is read in vain if a chunk is skipped.
        case .start, .chunk, .soundHeader: 4 << 10
        case .content(_, let length, _): max(0, length - Int(window.end - position)) + 4096
        case .sound, .done: 64 << 10
        }
    }

    public mutating func append(_ bytes: UnsafeRawBufferPointer) {
        window.append(bytes, keepingFrom: position)
    }

    public mutating func finish() { window.finish() }

    public mutating func next() -> ContainerEvent? {
        current = nil
        while true {
            if !events.isEmpty { return takeEvent() }
            guard !isDone, case .moved = step() else { return nil }
        }
    }

    private mutating func takeEvent() -> ContainerEvent {
        let event = events.removeFirst()
        if case .packet(let packet) = event { current = packet }
        return event
    }

    public var isDone: Bool {
        if case .done = phase { events.isEmpty } else { false }
    }

    public func withBytes<R>(of packet: AudioPacket, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try window.withBytes(of: packet.offset..<packet.offset + Int64(packet.length), body)
    }

    public var point: ContainerPoint? {
        current.flatMap { packet in packet.frame.map { ContainerPoint(frame: $0, offset: packet.offset) } }
    }

    private mutating func step() -> ParserStep {
        switch phase {
        case .start: readHeader()
        case .chunk: readChunkHeader()
        case .content(let content, let length, let next): readContent(content, length: length, next: next)
        case .soundHeader(let length, let next): readSoundHeader(length: length, next: next)
        case .sound: readSound()
        case .done: .needsBytes
        }
    }

    mutating func fail(_ reason: String) {
        events = [.failed(MediaFailure(.badData, reason))]
        (phase, sound, jump) = (.done, nil, nil)
    }

    /// Continues at `offset`.
    mutating func move(to offset: Int64, _ phase: Phase) {
        window.move(to: offset)
        (position, self.phase) = (offset, phase)
    }
}
