// SPDX-License-Identifier: GPL-3.0-or-later

/// Generates Opus streams: real headers, and packets with a valid first byte and noise.
struct OpusStream {
    var channels = 2
    var preSkip = 312
    var family = 0
    var serial: UInt32 = 0x1234
    /// The configuration and the number of frames of each packet.
    var packets: [(configuration: Int, count: Int)] = Array(repeating: (9, 1), count: 60)
    var packetsPerPage = 8
    var packetLength = 90
    var segmentLimit = 255
    /// The granule position of the start.
    var firstGranule: Int64 = 0
    /// The PCM frames to drop at the end.
    var endTrim: Int64 = 0
    var comments: [[UInt8]] = []
    var gain: Int16 = 0

    var head: [UInt8] {
        var head = Array("OpusHead".utf8) + [1, UInt8(channels)] + UInt16(preSkip).littleEndianBytes
        head += UInt32(44100).littleEndianBytes + gain.littleEndianBytes + [UInt8(family)]
        if family == 1 { head += [UInt8(channels - channels / 3), UInt8(channels / 3)] + (0..<UInt8(channels)) }
        return head
    }

    /// Returns the number of frames at 48 kHz of a packet.
    static func frames(_ configuration: Int, _ count: Int) -> Int {
        let silk = [480, 960, 1920, 2880]
        let celt = [120, 240, 480, 960]
        return count
            * (configuration < 12
                ? silk[configuration % 4]
                : configuration < 16 ? silk[configuration % 2] : celt[configuration % 4])
    }

    func packet(_ number: Int) -> [UInt8] {
        let (configuration, count) = packets[number]
        let start = UInt8(configuration << 3 | 4)
        let noise = [UInt8].noise(packetLength + number % 7, number)
        switch count {
        case 1: return [start] + noise
        case 2: return [start | 1] + noise
        default: return [start | 3, UInt8(count)] + noise
        }
    }

    var bytes: [UInt8] {
        var writer = OggWriter(serial: serial, segmentLimit: segmentLimit)
        writer.add(head, granule: 0)
        writer.flush()
        writer.add(Array("OpusTags".utf8) + CommentBlock.bytes(comments), granule: 0)
        writer.flush()
        var granule = firstGranule
        for number in packets.indices {
            granule += Int64(Self.frames(packets[number].configuration, packets[number].count))
            let isLast = number == packets.count - 1
            writer.add(packet(number), granule: isLast ? granule - endTrim : granule)
            if isLast || number % packetsPerPage == packetsPerPage - 1 { writer.flush(isLast: isLast) }
        }
        return writer.bytes
    }
}

/// The list of entries in a comment header.
enum CommentBlock {
    static func bytes(_ entries: [[UInt8]], program: String = "test") -> [UInt8] {
        let name = Array(program.utf8)
        let list = entries.flatMap { UInt32($0.count).littleEndianBytes + $0 }
        return UInt32(name.count).littleEndianBytes + name + UInt32(entries.count).littleEndianBytes + list
    }

    static func picture(_ image: [UInt8], use: UInt32 = 3, kind: String = "image/png") -> [UInt8] {
        var block = use.bigEndianBytes + UInt32(kind.utf8.count).bigEndianBytes + Array(kind.utf8)
        block += UInt32(2).bigEndianBytes + Array("hi".utf8) + [UInt8](repeating: 0, count: 16)
        return block + UInt32(image.count).bigEndianBytes + image
    }

    static func base64(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        return stride(from: 0, to: bytes.count, by: 3).flatMap { place -> [UInt8] in
            let group = bytes[place..<min(place + 3, bytes.count)]
            let value = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            let text = [18, 12, 6, 0].map { digits[value >> $0 & 63] }
            return text.prefix(group.count + 1) + [UInt8](repeating: UInt8(ascii: "="), count: 3 - group.count)
        }
    }
}

/// Generates Vorbis streams: valid headers, and packets with a valid mode and noise.
struct VorbisStream {
    var serial: UInt32 = 0x77
    /// True for each packet with a long block.
    var blocks: [Bool] = (0..<80).map { $0 % 5 != 3 }
    /// The exponents of the block sizes.
    var exponents = (8, 11)
    var packetsPerPage = 9
    var packetLength = 70
    var segmentLimit = 255
    /// The granule position of the start.
    var firstGranule: Int64 = 0
    var endTrim: Int64 = 0
    var comments: [[UInt8]] = []

    var identification: [UInt8] {
        [1] + Array("vorbis".utf8) + [0, 0, 0, 0, 2] + UInt32(44100).littleEndianBytes
            + [UInt8](repeating: 0, count: 12)
            + [UInt8(exponents.0 | exponents.1 << 4), 1]
    }

    /// Returns the number of PCM frames of each packet.
    var durations: [Int] {
        let sizes = blocks.map { 1 << ($0 ? exponents.1 : exponents.0) }
        return [0] + zip(sizes, sizes.dropFirst()).map { ($0 + $1) / 4 }
    }

    /// The modes of the setup header: a short and a long block.
    static func setup(modes: [Bool] = [false, true]) -> [UInt8] {
        var bits = BitWriter()
        bits.write(0, 8)
        for (value, width) in [(0x564342, 24), (1, 16), (2, 24), (0, 1), (0, 1), (0, 5), (0, 5), (0, 4)] {
            bits.write(value, width)
        }
        // Times; a floor of type 1 without partitions; a residue; a mapping.
        for (value, width) in [(0, 6), (0, 16), (0, 6), (1, 16), (0, 5), (0, 2), (0, 4)] { bits.write(value, width) }
        for width in [6, 16, 24, 24, 24, 6, 8, 3, 1] { bits.write(0, width) }
        for width in [6, 16, 1, 1, 2, 8, 8, 8] { bits.write(0, width) }
        bits.write(modes.count - 1, 6)
        for mode in modes { for (value, width) in [(mode ? 1 : 0, 1), (0, 32), (0, 8)] { bits.write(value, width) } }
        bits.write(1, 1)
        return [5] + Array("vorbis".utf8) + bits.bytes
    }

    func packet(_ number: Int) -> [UInt8] { [blocks[number] ? 2 : 0] + .noise(packetLength + number % 11, number) }

    var bytes: [UInt8] {
        var writer = OggWriter(serial: serial, segmentLimit: segmentLimit)
        writer.add(identification, granule: 0)
        writer.flush()
        writer.add([3] + Array("vorbis".utf8) + CommentBlock.bytes(comments) + [1], granule: 0)
        writer.add(Self.setup(), granule: 0)
        writer.flush()
        var granule = firstGranule
        for (number, frames) in durations.enumerated() {
            granule += Int64(frames)
            let isLast = number == blocks.count - 1
            writer.add(packet(number), granule: isLast ? granule - endTrim : granule)
            if isLast || number % packetsPerPage == packetsPerPage - 1 { writer.flush(isLast: isLast) }
        }
        return writer.bytes
    }
}
