// SPDX-License-Identifier: GPL-3.0-or-later

/// Something a device pulls PCM from.
///
/// `render` runs on the device's realtime thread: it must not lock, allocate, wait or call out.
public protocol RenderSource: AnyObject, Sendable {
    /// Writes up to `frames` PCM frames, interleaved, into `output`.
    ///
    /// Asked for 0 frames it only lets go of what it will never render, so that there is room behind it; a sink does
    /// that when it is flushed, since a corked one does not render.
    /// - Parameter outputFrame: the number of the first of them on the device's timeline, which counts every frame
    ///   the device has taken since it was opened, less those it threw away unheard.
    /// - Returns: the frames written; fewer than asked means starved. The rest of `output` is left as it was.
    func render(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int

    /// The sources that this one renders. A mixer and a graph refuse a source that leads back to them this way, so a
    /// source that renders others names them. Not called on the realtime thread.
    var renderedSources: [any RenderSource] { get }
}

extension RenderSource {
    public var renderedSources: [any RenderSource] { [] }

    /// Whether rendering this source would render `other`.
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
