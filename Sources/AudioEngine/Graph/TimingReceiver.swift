// SPDX-License-Identifier: GPL-3.0-or-later

/// Told before each slice is rendered, on the realtime thread: what AUAudioUnit's render observers are elsewhere.
///
/// ```swift
/// graph.add(scheduler)    // a BlockScheduler, a MessageExchange or one of your own
/// ```
public protocol TimingReceiver: AnyObject, Sendable {
    /// The slice of `frames` frames that begins at `slice` is rendered next. It must not lock, allocate, wait or call
    /// out.
    func willRender(_ slice: AudioTimeStamp, frames: Int)
}
