// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import AudioDecoding
import Media

/// A search for SBR in the first packets of an AAC track that does not signal it. With SBR the rate is doubled.
struct ImplicitSBRProbe {
    private let config: AACConfig
    private var packets: [[UInt8]] = []

    /// - Returns: `nil` if the codec states its format.
    init?(_ codec: AudioCodec) {
        guard case .aac(let config) = codec, config.sbr == .unknown else { return nil }
        self.config = config
    }

    var isComplete: Bool { packets.count >= FAADDecoder.probePackets }

    mutating func append(_ packet: UnsafeRawBufferPointer) { packets.append(Array(packet)) }

    /// The configuration with SBR known. Without a decoder none is assumed: decoding will report the error.
    var result: AACConfig {
        do throws(DecodingError) {
            return try FAADDecoder.resolve(config, firstPackets: packets)
        } catch {
            return config.withoutSBR
        }
    }
}

extension ContainerTrackReader {
    func resolve(_ packet: AudioPacket) -> TrackStep {
        parser.withBytes(of: packet) { probe?.append($0) }
        guard let probe, probe.isComplete else { return .progressed }
        return restart(assuming: probe.result)
    }

    /// Handles an error of the decoder: SBR that begins later in the track needs another configuration.
    func recover(from error: DecodingError) -> TrackStep {
        if case .formatChanged = error, case .aac(let config)? = decoding?.codec, assumed != config.withImplicitSBR {
            return restart(assuming: config.withImplicitSBR)
        }
        return fail(MediaFailure(.badData, "cannot decode the audio: \(error)"))
    }

    /// Reads the file from its start again, as one of this configuration.
    func restart(assuming config: AACConfig) -> TrackStep {
        let target = if case .land(let target) = goal { target } else { saved ?? .time(nextTime ?? requestedTime) }
        (parser, assumed, probe) = (kind.makeParser(assuming: config), config, nil)
        (segments, segment, index, decoding, surveyor, guide) = ([], 0, PacketIndex(), nil, nil, nil)
        (history, island, silencedPacket) = (PacketHistory(), nil, nil)
        (isFollowingIndex, isWholeIndexed, isEndKnown) = (true, false, false)
        (finalFrame, isCutOff, isRefused) = (nil, false, false)
        (parsedSegments, surveyedSegments, estimated) = (0, 0, nil)
        goal = .land(target)
        return .progressed
    }
}
