// SPDX-License-Identifier: GPL-3.0-or-later
import CPulse
import Media

/// What the server has reported about the frames on their way. Requires the mainloop's lock.
extension PulseStream {
    /// The latest timing; `nil` while its indexes are invalid (just after a flush, or before the first update).
    var reading: Playhead.Reading? {
        guard isReady, let timing = pa_stream_get_timing_info(raw)?.pointee else { return nil }
        guard timing.write_index_corrupt == 0, timing.read_index_corrupt == 0 else { return nil }
        let queued = max(0, timing.write_index - timing.read_index) / Int64(format.bytesPerFrame)
        return Playhead.Reading(
            queued: queued, latency: .microseconds(Int64(clamping: timing.sink_usec)), isPlaying: timing.playing != 0)
    }

    /// The time since the server made `reading`; a machine under load delays the answer.
    var readingAge: Duration {
        guard let timing = pa_stream_get_timing_info(raw) else { return .zero }
        var timestamp = timing.pointee.timestamp
        // After a change of the clock, the age is unknown.
        let age = Duration.microseconds(Int64(clamping: pa_timeval_age(&timestamp)))
        return age < .milliseconds(500) ? age : .zero
    }

    /// The longest time for which the sink may hold a frame, as far as is known.
    var sinkLatency: Duration {
        guard isReady, let timing = pa_stream_get_timing_info(raw)?.pointee else { return .zero }
        return .microseconds(Int64(clamping: max(timing.sink_usec, timing.configured_sink_usec)))
    }
}
