// SPDX-License-Identifier: GPL-3.0-or-later

/// A source whose sound the caller computes. Apple's counterparts are `AURenderCallback` and `AVAudioSourceNode`.
///
/// ```swift
/// let noise = RenderCallbackSource { samples, frames, _ in
///     for index in 0..<frames * 2 { samples[index] = generator.next() }
///     return frames
/// }
/// let tone = RenderCallbackSource(renderTone, context: toneState)   // a C function, for the hot path
/// ```
public final class RenderCallbackSource: RenderSource {
    /// A closure that writes up to `frames` interleaved frames, the first of which has the number `frame`, and
    /// returns the number of frames written. It runs on the realtime thread: it must not lock, allocate, wait or make
    /// system calls.
    public typealias Body = @Sendable (UnsafeMutablePointer<Float>, _ frames: Int, _ frame: Int64) -> Int
    /// A C function with the same contract, which also receives the context.
    public typealias Function = @convention(c) @Sendable (
        _ context: UnsafeMutableRawPointer?, UnsafeMutablePointer<Float>, _ frames: Int, _ frame: Int64
    ) -> Int

    private let body: Body

    public init(_ body: @escaping Body) { self.body = body }

    /// - Parameter context: passed to `function` with each call; it must be valid as long as this source exists.
    public init(_ function: @escaping Function, context: UnsafeMutableRawPointer?) {
        // The closure captures only the address; the function is responsible for the memory it points to.
        let address = UInt(bitPattern: context)
        body = { function(UnsafeMutableRawPointer(bitPattern: address), $0, $1, $2) }
    }

    public func render(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int {
        min(max(0, body(output, frames, outputFrame)), max(0, frames))
    }
}

/// A source that renders another source and shows each block to the caller on the realtime thread. Apple's
/// counterpart is `AVAudioSinkNode`. A `Tap` does the same on a thread that may block.
///
/// ```swift
/// graph.output = RenderCallbackSink(mixer) { samples, frames, _ in analyser.push(samples, frames) }
/// ```
public final class RenderCallbackSink: RenderSource {
    /// A closure that receives `frames` interleaved frames, the first of which has the number `frame`. It must not
    /// lock, allocate, wait or make system calls.
    public typealias Body = @Sendable (UnsafePointer<Float>, _ frames: Int, _ frame: Int64) -> Void
    /// A C function with the same contract, which also receives the context.
    public typealias Function = @convention(c) @Sendable (
        _ context: UnsafeMutableRawPointer?, UnsafePointer<Float>, _ frames: Int, _ frame: Int64
    ) -> Void

    private let source: any RenderSource
    private let body: Body

    public init(_ source: any RenderSource, _ body: @escaping Body) {
        self.source = source
        self.body = body
    }

    /// - Parameter context: passed to `function` with each call; it must be valid as long as this sink exists.
    public convenience init(
        _ source: any RenderSource, _ function: @escaping Function, context: UnsafeMutableRawPointer?
    ) {
        let address = UInt(bitPattern: context)
        self.init(source) { function(UnsafeMutableRawPointer(bitPattern: address), $0, $1, $2) }
    }

    public var renderedSources: [any RenderSource] { [source] }

    public func render(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int {
        let rendered = source.render(into: output, frames: frames, at: outputFrame)
        let passed = min(max(0, rendered), max(0, frames))
        if passed > 0 { body(output, passed, outputFrame) }
        return rendered
    }
}
