// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// A mark that tells a preloaded watchdog library when a thread is inside a render call, so that the watchdog can
/// count forbidden operations. Without a watchdog it costs one branch.
public struct RenderMark: Sendable {
    private typealias Hook = @convention(c) @Sendable () -> Void
    private let entered: Hook?
    private let left: Hook?

    /// Looks up the watchdog's functions. Do not call this inside a render call, because the lookup takes a lock.
    public init() {
        entered = Self.hook("earshot_render_entered")
        left = Self.hook("earshot_render_left")
    }

    private static func hook(_ name: String) -> Hook? {
        dlsym(nil, name).map { unsafeBitCast($0, to: Hook.self) }
    }

    /// Marks the start of rendering on this thread. Calls nest.
    public func enter() { entered?() }
    /// Marks the end of rendering on this thread.
    public func leave() { left?() }

    /// Renders a source between `enter` and `leave`. The owner of a device, a file or a buffer pulls with this
    /// function.
    public func render(
        _ source: any RenderSource, into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64
    ) -> Int {
        enter()
        defer { leave() }
        return source.render(into: output, frames: frames, at: outputFrame)
    }

    /// Notifies a source, by pulling 0 frames, that the output discarded frames that it pulled but did not play.
    public func flush(_ source: any RenderSource, at outputFrame: Int64) {
        var nothing: Float = 0
        _ = render(source, into: &nothing, frames: 0, at: outputFrame)
    }
}
