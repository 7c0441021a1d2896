// SPDX-License-Identifier: GPL-3.0-or-later

/// An object that the graph calls on the realtime thread before it renders each slice. Apple's counterparts are the
/// render observers of `AUAudioUnit`.
///
/// ```swift
/// graph.add(scheduler)    // a BlockScheduler, a MessageExchange or one of your own
/// ```
public protocol TimingReceiver: AnyObject, Sendable {
    /// Prepares for the slice of `frames` frames that begins at `slice` and is rendered next. It must not lock,
    /// allocate, wait or make system calls.
    func willRender(_ slice: AudioTimeStamp, frames: Int)
}
