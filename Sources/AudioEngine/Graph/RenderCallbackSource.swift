// SPDX-License-Identifier: GPL-3.0-or-later

/// A source whose sound the caller computes: what an `AURenderCallback` and `AVAudioSourceNode` are elsewhere.
///
/// ```swift
/// let noise = RenderCallbackSource { samples, frames, _ in
///     for index in 0..<frames * 2 { samples[index] = generator.next() }
///     return frames
/// }
/// let tone = RenderCallbackSource(renderTone, context: toneState)   // a C function, for the hot path
/// ```
public final class RenderCallbackSource: RenderSource {
    /// Writes up to so many interleaved frames, the first of which has that number; returns how many it wrote. Called
    /// on the realtime thread: it must not lock, allocate, wait or call out.
    public typealias Body = @Sendable (UnsafeMutablePointer<Float>, _ frames: Int, _ frame: Int64) -> Int
    /// The same as a C function, with the context given beside it.
    public typealias Function = @convention(c) @Sendable (
        _ context: UnsafeMutableRawPointer?, UnsafeMutablePointer<Float>, _ frames: Int, _ frame: Int64
    ) -> Int

    private let body: Body

    public init(_ body: @escaping Body) { self.body = body }

    /// - Parameter context: handed to `function` with each call; it must live as long as this source.
    public init(_ function: @escaping Function, context: UnsafeMutableRawPointer?) {
        // A pointer as a number is all that crosses; what it points to is the function's own affair.
        let address = UInt(bitPattern: context)
        body = { function(UnsafeMutableRawPointer(bitPattern: address), $0, $1, $2) }
    }

    public func render(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int {
        min(max(0, body(output, frames, outputFrame)), max(0, frames))
    }
}

/// Shows the caller what another source renders, on the realtime thread, as it passes: what `AVAudioSinkNode` is
/// elsewhere. A `Tap` does so on a thread that may take its time.
///
/// ```swift
/// graph.output = RenderCallbackSink(mixer) { samples, frames, _ in analyser.push(samples, frames) }
/// ```
public final class RenderCallbackSink: RenderSource {
    /// Given so many interleaved frames, the first of which has that number. It must not lock, allocate, wait or call
    /// out.
    public typealias Body = @Sendable (UnsafePointer<Float>, _ frames: Int, _ frame: Int64) -> Void
    /// The same as a C function, with the context given beside it.
    public typealias Function = @convention(c) @Sendable (
        _ context: UnsafeMutableRawPointer?, UnsafePointer<Float>, _ frames: Int, _ frame: Int64
    ) -> Void

    private let source: any RenderSource
    private let body: Body

    public init(_ source: any RenderSource, _ body: @escaping Body) {
        self.source = source
        self.body = body
    }

    /// - Parameter context: handed to `function` with each call; it must live as long as this sink.
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
