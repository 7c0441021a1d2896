// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioBuffers
public import Media

/// A renderer that pulls from a graph, or from any source, as fast as possible. Apple's counterpart is the manual
/// rendering mode of `AVAudioEngine`.
///
/// ```swift
/// let graph = RenderGraph(
///     format: format, hostTimes: .nominal(origin: HostTime(nanoseconds: 0)), events: EventThread(every: nil))
/// graph.output = mixer
/// var renderer = OfflineRenderer(graph)
/// let minute = renderer.render(frames: 60 * format.sampleRate)
/// ```
/// The same graph yields the same bits in each run and with any block size. After each block, the renderer delivers
/// events on the calling thread.
public struct OfflineRenderer: ~Copyable {
    public let format: AudioFormat
    /// The number of the frame rendered next.
    public private(set) var position: Int64

    private let source: any RenderSource
    private let events: EventThread?
    private let block: AudioBufferList
    private let prepare: (_ frames: Int, _ frame: Int64) -> Void
    private let mark = RenderMark()

    /// The valid positions, chosen so that adding a length to one cannot overflow 64 bits.
    private static var positions: Range<Int64> { -(1 << 62)..<1 << 62 }

    /// - Parameters:
    ///   - format: the format of `source`.
    ///   - block: the maximum number of PCM frames per pull, 1...2²⁰.
    ///   - position: the number of the first frame. Frames are counted from -2⁶² to 2⁶²; outside, nothing is
    ///     rendered.
    ///   - events: drained after each block.
    ///   - prepare: called before each block with its length and the number of its first frame. Code that reads ahead
    ///     of rendering can wait here until it has read enough.
    public init(
        _ source: any RenderSource, format: AudioFormat, block: Int = 1024, from position: Int64 = 0,
        events: EventThread? = nil, prepare: @escaping (_ frames: Int, _ frame: Int64) -> Void = { _, _ in }
    ) {
        self.source = source
        self.format = format.renderable
        self.position = position
        self.events = events
        self.prepare = prepare
        self.block = AudioBufferList(format: self.format, frameCapacity: min(max(1, block), AudioFormat.longestSlice))
    }

    /// Creates a renderer for a graph and its event thread.
    public init(
        _ graph: RenderGraph, block: Int = 1024, from position: Int64 = 0,
        prepare: @escaping (_ frames: Int, _ frame: Int64) -> Void = { _, _ in }
    ) {
        self.init(
            graph, format: graph.format, block: block, from: position, events: graph.events, prepare: prepare)
    }

    /// Renders up to `frames` frames into a new list; its `frameLength` is less if the source delivered fewer frames.
    /// - Parameter frames: limited by memory, as for an `AudioBufferList`.
    public mutating func render(frames: Int) -> AudioBufferList {
        var list = AudioBufferList(format: format, frameCapacity: frames)
        let all = list.allFrames
        var done = 0
        while done < all.frames {
            let part = all.dropFirst(done, count: block.frameCapacity)
            let rendered = pull(part)
            done += rendered
            if rendered < part.frames { break }
        }
        list.frameLength = done
        return list
    }

    /// Renders up to `frames` frames, block by block; each block is valid until `body` returns.
    /// - Returns: the number of frames rendered, fewer than requested if the source delivered fewer.
    /// - Throws: the error of `body`; its block counts as rendered.
    @discardableResult
    public mutating func render<Failure: Error>(
        frames: Int64, _ body: (AudioBufferSlice) throws(Failure) -> Void
    ) throws(Failure) -> Int64 {
        var done: Int64 = 0
        while done < frames {
            let room = block.allFrames.dropFirst(0, count: Int(clamping: frames - done))
            let rendered = pull(room)
            done += Int64(rendered)
            if rendered > 0 { try body(room.dropFirst(0, count: rendered)) }
            if rendered < room.frames { break }
        }
        return done
    }

    private mutating func pull(_ part: AudioBufferSlice) -> Int {
        guard Self.positions.contains(position) else { return 0 }
        prepare(part.frames, position)
        let samples = part.plane(0).assumingMemoryBound(to: Float.self)
        let given = mark.render(source, into: samples, frames: part.frames, at: position)
        let rendered = min(max(0, given), part.frames)
        position += Int64(rendered)
        events?.drain()
        return rendered
    }
}
