// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioContainers

/// The buffer that libfaad2 decodes a packet into, and its conversion to the channels of the configuration.
final class FAADOutput {
    /// Has space for 2,048 PCM frames, so that a packet with unexpected SBR fits.
    let samples: UnsafeMutableBufferPointer<Float>

    private let frames: Int
    /// libfaad2 returns mono as two equal channels.
    private let channels: Int
    private let isMono: Bool
    /// The number of the decoded channel for each output channel; `nil` if the order is the same.
    private let sources: [Int]?

    init(_ config: AACConfig) {
        frames = config.packetFrames
        channels = max(2, config.coded.channels)
        isMono = config.decoded.channels == 1
        sources = config.decoded.isStandard ? nil : config.decoded.sources
        samples = .allocate(capacity: 2048 * channels)
        samples.initialize(repeating: 0)
    }

    deinit { samples.deallocate() }

    /// Returns true if the packet has the expected form and plausible samples. Samples far above full scale come from
    /// damage, and they would stay in the library's filters.
    func isUsable(_ result: FAADHandle.Result, isFirst: Bool) -> Bool {
        guard result.channels == channels, let start = samples.baseAddress else { return false }
        if isFirst { return result.samples == 0 }
        return result.samples == frames * channels
            && VectorOperations.clipCount(start, count: result.samples, limit: 16) == 0
    }

    /// Writes the packet in the order of the output channels.
    func write(to target: UnsafeMutableBufferPointer<Float>) {
        if isMono {
            // If the stream is stereo nevertheless, both channels are heard. The mean of equal samples is exact.
            for frame in 0..<frames { target[frame] = (samples[2 * frame] + samples[2 * frame + 1]) * 0.5 }
        } else if let sources {
            for frame in 0..<frames {
                for (channel, source) in sources.enumerated() {
                    target[frame * channels + channel] = samples[frame * channels + source]
                }
            }
        } else {
            _ = target.update(fromContentsOf: samples[..<(frames * channels)])
        }
    }
}
