// SPDX-License-Identifier: GPL-3.0-or-later
import CPulse

/// libpulse's thread and the lock that guards all its objects.
///
/// `@unchecked Sendable`: the pointer never changes, and `pa_threaded_mainloop` is designed for several threads.
final class PulseMainloop: @unchecked Sendable {
    private let raw: OpaquePointer
    // Guarded by the lock.
    private var isRunning = false
    private var isCancelled = false

    init() {
        guard let raw = pa_threaded_mainloop_new() else {
            preconditionFailure("no file descriptor left for the mainloop of libpulse")
        }
        self.raw = raw
        pa_threaded_mainloop_set_name(raw, "earshot-pulse")
    }

    deinit {
        stop()
        pa_threaded_mainloop_free(raw)
    }

    var api: UnsafeMutablePointer<pa_mainloop_api> { pa_threaded_mainloop_get_api(raw) }

    /// The time of libpulse's monotonic clock.
    static var now: Duration { .microseconds(Int64(clamping: pa_rtclock_now())) }

    /// Runs `body` with the lock held. Callbacks hold it already.
    func locked<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        if pa_threaded_mainloop_in_thread(raw) != 0 { return try body() }
        pa_threaded_mainloop_lock(raw)
        defer { pa_threaded_mainloop_unlock(raw) }
        return try body()
    }

    /// Starts the thread unless it runs. Requires the lock.
    func start() -> Bool {
        if !isRunning { isRunning = pa_threaded_mainloop_start(raw) >= 0 }
        return isRunning
    }

    /// Stops and joins the thread. Must be called without the lock.
    func stop() {
        let wasRunning = locked {
            defer { isRunning = false }
            return isRunning
        }
        if wasRunning { pa_threaded_mainloop_stop(raw) }
    }

    /// Releases the lock and waits until `condition` returns an answer; returns `nil` after `limit`, or once all
    /// waits were cancelled. Requires the lock.
    func wait<Answer>(atMost limit: Duration, for context: PulseContext, until condition: () -> Answer?) -> Answer? {
        var timeIsUp = false
        let timer = PulseTimer(after: limit, on: context, mainloop: self) {
            timeIsUp = true
            self.signal()
        }
        defer { timer.cancel() }
        while !timeIsUp, !isCancelled {
            if let answer = condition() { return answer }
            pa_threaded_mainloop_wait(raw)
        }
        return condition()
    }

    /// Ends all present and future waits immediately. Requires the lock.
    func cancelWaits() {
        isCancelled = true
        signal()
    }

    /// Wakes the threads in `wait`.
    func signal() { pa_threaded_mainloop_signal(raw, 0) }
}
