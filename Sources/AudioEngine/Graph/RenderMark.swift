// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// Tells a watchdog loaded in front of the program when a thread is within a render call, so that it can count what
/// must not happen there. Without one it costs a branch.
public struct RenderMark: Sendable {
    private typealias Hook = @convention(c) @Sendable () -> Void
    private let entered: Hook?
    private let left: Hook?

    /// Looks for the watchdog; not in a render call, for looking up a name takes a lock.
    public init() {
        entered = Self.hook("earshot_render_entered")
        left = Self.hook("earshot_render_left")
    }

    private static func hook(_ name: String) -> Hook? {
        dlsym(nil, name).map { unsafeBitCast($0, to: Hook.self) }
    }

    /// This thread renders from now on. Calls nest.
    public func enter() { entered?() }
    /// This thread renders no more.
    public func leave() { left?() }

    /// Renders, marked: how whoever owns a device, a file or a buffer pulls.
    public func render(
        _ source: any RenderSource, into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64
    ) -> Int {
        enter()
        defer { leave() }
        return source.render(into: output, frames: frames, at: outputFrame)
    }

    /// Tells a source that the output threw away what was pulled and not heard: a pull of no frames.
    public func flush(_ source: any RenderSource, at outputFrame: Int64) {
        var nothing: Float = 0
        _ = render(source, into: &nothing, frames: 0, at: outputFrame)
    }
}
