// SPDX-License-Identifier: GPL-3.0-or-later

/// A source of PCM from which a device pulls.
///
/// `render` runs on the device's realtime thread: it must not lock, allocate, wait or make system calls.
public protocol RenderSource: AnyObject, Sendable {
    /// Writes up to `frames` PCM frames, interleaved, to `output`.
    ///
    /// A call with 0 frames only drops frames that will never be rendered, so that there is space for others. A sink
    /// makes this call when it is flushed, because a corked sink does not render.
    /// - Parameter outputFrame: the number of the first frame on the device's timeline, which counts every frame that
    ///   the device has taken since it was opened, except those that it discarded before they played.
    /// - Returns: the number of frames written; fewer than requested is an underrun. The rest of `output` is
    ///   unchanged.
    func render(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int

    /// The sources that this source renders. A mixer and a graph follow them to reject cycles, so a source that
    /// renders others must list them. Not called on the realtime thread.
    var renderedSources: [any RenderSource] { get }

    /// Reads ahead until the next `frames` frames can be rendered, if the source reads ahead. A sink that renders as
    /// fast as it can calls this before each `render`, on its own thread, so that no frame is missing. By default,
    /// prepares `renderedSources`.
    /// - Returns: false if frames have not arrived yet. The sink then asks again, so this should wait about 0.1 s at
    ///   most: meanwhile the sink cannot be closed.
    func prepareToRender(frames: Int) -> Bool
}

extension RenderSource {
    public var renderedSources: [any RenderSource] { [] }

    public func prepareToRender(frames: Int) -> Bool {
        renderedSources.allSatisfy { $0.prepareToRender(frames: frames) }
    }

    /// Returns true if rendering this source would also render `other`.
    func leads(to other: any RenderSource) -> Bool {
        var visited: Set<ObjectIdentifier> = []
        var pending: [any RenderSource] = [self]
        while let source = pending.popLast() {
            if source === other { return true }
            if visited.insert(ObjectIdentifier(source)).inserted { pending += source.renderedSources }
        }
        return false
    }
}
