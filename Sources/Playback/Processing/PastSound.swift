// SPDX-License-Identifier: GPL-3.0-or-later
import AudioDecoding
import AudioEngine
import AudioProcessing
import Media
import TrackReading

/// The sound of an item before a position, from which a chain learns what is a pause. It is decoded again, because it
/// was not processed when it was played.
struct PastSound {
    /// The time for which the levels of speech and noise count.
    private static let length = Duration.seconds(12)
    /// More steps than any format needs for that time.
    private static let mostSteps = 4000

    private let source: any ByteSource
    private let section: TrackSection
    private let output: AudioFormat
    private var converter: OutputConverter?

    init(_ source: any ByteSource, before time: Duration, as output: AudioFormat) {
        (self.source, self.output) = (source, output)
        section = TrackSection(start: .time(max(.zero, time - Self.length)), end: .time(time))
    }

    /// Decodes what the source has of the sound; asks for no bytes.
    /// - Parameter body: receives interleaved samples.
    mutating func read(_ body: (UnsafeBufferPointer<Float>) -> Void) throws(DecodingError) {
        guard let reader = TrackFormatSearch.format(of: source)?.makeReader(source, section) else { return }
        for _ in 0..<Self.mostSteps {
            guard case .progressed = reader.step() else { return }
            if reader.block.frames > 0 { try deliver(reader.block, body) }
            reader.block.removeAll()
        }
    }

    private mutating func deliver(
        _ block: PCMBlock, _ body: (UnsafeBufferPointer<Float>) -> Void
    ) throws(DecodingError) {
        guard block.format != output else { return body(block.samples) }
        if converter?.source != block.format {
            converter = try OutputConverter(from: block.format, to: output, carry: 0)
        }
        guard let converter else { return }
        converter.convert(block.samples)
        body(converter.ready)
        converter.removeReady()
    }
}

extension DecodePipeline {
    /// Lets the next chain of an item learn its pauses from the sound before a position.
    func learnPauses(of item: OpenItem, before time: Duration) throws(DecodingError) {
        guard let writer else { return }
        let (format, sound) = (writer.ring.format, sound(of: item, in: writer.ring.format))
        var settings = sound.settings
        settings.speed = 1
        guard var chain = ProcessingChain(settings, format: format, loudness: sound.loudness) else { return }
        var (output, frame) = (MappedAudio(channels: format.channels), Int64(0))
        var past = PastSound(item.reader.source, before: time, as: format)
        try past.read { samples in
            chain.process(samples, from: frame, into: &output)
            output.removeAll()
            frame += Int64(samples.count / format.channels)
        }
        writer.listener = (item.item.id, chain)
    }
}
