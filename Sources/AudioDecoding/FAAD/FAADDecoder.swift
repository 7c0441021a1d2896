// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioContainers
public import Media

/// A decoder of AAC-LC and HE-AAC packets with libfaad2.
///
/// libfaad2 has had many memory errors in damaged packets, and leaves its state undefined after an error. So the
/// decoder checks the configuration and each packet's size before the library, provides the output buffer, checks the
/// output, and replaces the library's handle after each damaged packet. That packet and the next are then silent.
///
/// A packet overlaps with its predecessor: after `init` and `reset` the first packet is silent, and the second one is
/// that of a linear decode, bit for bit, unless the stream has noise substitution or SBR.
public final class FAADDecoder: AudioDecoder {
    public let format: AudioFormat
    /// The frames of the most raw data blocks that an ADTS packet may contain.
    public var maximumPacketFrames: Int { Self.mostBlocks * config.packetFrames }

    private let config: AACConfig
    private var handle: FAADHandle
    private let output: FAADOutput
    public private(set) var isPacketDamaged = false
    /// True after the first packet since the handle was created.
    private var hasPredecessor = false
    /// The number of consecutive packets with SBR that the configuration excludes.
    private var unexpectedSBR = 0

    private static let mostBlocks = 4

    /// - Parameter config: its SBR is known; see `resolve`. `unknown` is treated as absent.
    /// - Throws: `DecodingError.cannotStart`.
    public init(config: AACConfig) throws(DecodingError) {
        self.config = config
        format = config.format
        handle = try FAADHandle(config)
        output = FAADOutput(config)
    }

    /// Decodes a packet without its ADTS header: one raw_data_block, or up to four if `frames` states as many.
    /// - Throws: `DecodingError.formatChanged` if packets contain SBR that the configuration excludes, with the format
    ///   of `config.withImplicitSBR`. The first two such packets become silence, because they may be damaged.
    public func decode(
        _ packet: UnsafeRawBufferPointer, frames: Int, into pcm: inout PCMBuffer
    ) throws(DecodingError) {
        try check(frames, pcm)
        isPacketDamaged = false
        var target = pcm.freeSpace[..<(maximumPacketFrames * format.channels)]
        var rest: UnsafeRawBufferPointer? = packet
        for _ in 0..<max(1, (frames + config.packetFrames - 1) / config.packetFrames) {
            guard let bytes = rest else { break }
            rest = try decodeBlock(bytes, into: UnsafeMutableBufferPointer(rebasing: target))
            if rest != nil { target = target.dropFirst(config.packetFrames * format.channels) }
        }
        target.update(repeating: 0)
        pcm.commit(frames: frames)
    }

    /// Decodes the first of the remaining raw_data_blocks of a packet, and writes its PCM.
    /// - Returns: the bytes after it; `nil` if it is damaged.
    private func decodeBlock(
        _ bytes: UnsafeRawBufferPointer, into target: UnsafeMutableBufferPointer<Float>
    ) throws(DecodingError) -> UnsafeRawBufferPointer? {
        let result = config.accepts(packetSize: bytes.count) ? handle.decode(bytes, into: output.samples) : nil
        if let result, result.hasSBR != config.hasSBR {
            try meetSBR()
        } else {
            unexpectedSBR = 0
            if let result, output.isUsable(result, isFirst: !hasPredecessor) {
                if hasPredecessor {
                    output.write(to: target)
                } else {
                    target[..<(config.packetFrames * format.channels)].update(repeating: 0)
                }
                hasPredecessor = true
                return UnsafeRawBufferPointer(rebasing: bytes[min(result.byteCount, bytes.count)...])
            }
            isPacketDamaged = true
        }
        try reopen()
        return nil
    }

    public func reset() throws(DecodingError) {
        unexpectedSBR = 0
        try reopen()
    }

    private func reopen() throws(DecodingError) {
        hasPredecessor = false
        handle = try FAADHandle(config)
    }

    /// libfaad2 rejects the first packet in which SBR begins, and reports SBR from the second one on.
    private func meetSBR() throws(DecodingError) {
        unexpectedSBR += 1
        guard unexpectedSBR >= 2 else { return }
        try reset()
        throw .formatChanged(config.withImplicitSBR.format)
    }
}

extension FAADDecoder {
    /// The number of packets from which `resolve` finds SBR.
    public static let probePackets = 3

    /// Returns the configuration with SBR known: present if the configuration does not exclude it and one of the first
    /// packets contains it. The number of PCM frames of all packets is then doubled, like the rate.
    /// - Parameter packets: the first packets of the stream, at most `probePackets`.
    /// - Throws: `DecodingError.cannotStart`.
    public static func resolve(
        _ config: AACConfig, firstPackets packets: [[UInt8]]
    ) throws(DecodingError) -> AACConfig {
        guard config.sbr == .unknown else { return config }
        guard config.coreSampleRate <= 48000 else { return config.withoutSBR }
        let output = FAADOutput(config)
        for packet in packets.prefix(probePackets) where config.accepts(packetSize: packet.count) {
            // A handle reports SBR that begins after its first packet as an error.
            let handle = try FAADHandle(config)
            let result = packet.withUnsafeBytes { handle.decode($0, into: output.samples) }
            if let result, result.hasSBR { return config.withImplicitSBR }
        }
        return config.withoutSBR
    }
}

extension AACConfig {
    fileprivate var hasSBR: Bool {
        if case .present = sbr { return true }
        return false
    }

    fileprivate func accepts(packetSize: Int) -> Bool { 1...longestPacket ~= packetSize }
}
