// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// A source that adds one source to another, such as a chime to an episode.
///
/// The main source determines the result: the overlay delivers exactly the frames that the main source delivers, so
/// underruns, positions and the end do not change. The other source plays only while the main source does; where it
/// is silent, every bit of the main source is preserved. The sum is not limited.
///
/// ```swift
/// let chime = Overlay(of: voices, on: ring, format: ring.format)
/// try sink.open(ring.format, pulling: chime) { _ in }
/// ```
public final class Overlay: RenderSource {
    /// The maximum number of PCM frames of the other source rendered in one call.
    private static let slice = 1024

    private let main: any RenderSource
    private let other: any RenderSource
    private let channels: Int
    private let turn = RenderTurn()
    /// Dereferenced only while `render` holds `turn`, which admits one call at a time.
    private nonisolated(unsafe) let scratch: UnsafeMutablePointer<Float>

    /// - Parameter format: the rate and the channels of both sources.
    public init(of other: any RenderSource, on main: any RenderSource, format: AudioFormat) {
        (self.main, self.other) = (main, other)
        channels = format.renderable.channels
        scratch = .allocate(capacity: Self.slice * channels)
        scratch.initialize(repeating: 0, count: Self.slice * channels)
    }

    deinit { scratch.deallocate() }

    public var renderedSources: [any RenderSource] { [main, other] }

    public func render(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int {
        guard turn.begin() else { return 0 }
        defer { turn.end() }
        let rendered = min(max(0, main.render(into: output, frames: frames, at: outputFrame)), max(0, frames))
        if frames == 0 { _ = other.render(into: scratch, frames: 0, at: outputFrame) }
        var done = 0
        while done < rendered {
            let part = min(Self.slice, rendered - done)
            let added = other.render(into: scratch, frames: part, at: outputFrame + Int64(done))
            addSamples(scratch, to: output + done * channels, count: min(max(0, added), part) * channels)
            done += part
        }
        return rendered
    }
}

@_noLocks @_noAllocation
private func addSamples(_ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int) {
    var index = 0
    while index < count {
        // The sum of a negative zero and a zero would be a positive zero.
        target[index] = source[index] == 0 ? target[index] : target[index] + source[index]
        index &+= 1
    }
}
