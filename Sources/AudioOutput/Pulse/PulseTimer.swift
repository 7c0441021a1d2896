// SPDX-License-Identifier: GPL-3.0-or-later
import CPulse

/// Calls its handler once on the mainloop's thread. All methods require the mainloop's lock.
final class PulseTimer {
    private let mainloop: PulseMainloop
    private let handler: () -> Void
    private var event: OpaquePointer?

    init(after delay: Duration, on context: PulseContext, mainloop: PulseMainloop, handler: @escaping () -> Void) {
        self.mainloop = mainloop
        self.handler = handler
        let time = PulseMainloop.now + delay
        let microseconds = time.components.seconds * 1_000_000 + time.components.attoseconds / 1_000_000_000_000
        event = pa_context_rttime_new(
            context.raw, pa_usec_t(clamping: microseconds), timerFired, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { cancel() }

    func cancel() {
        guard let event else { return }
        self.event = nil
        mainloop.api.pointee.time_free(event)
    }

    fileprivate func fire() {
        cancel()
        handler()
    }
}

// A free function: a closure literal in an isolated method would trap on libpulse's thread.
private func timerFired(
    _ api: UnsafeMutablePointer<pa_mainloop_api>?, _ event: OpaquePointer?, _ time: UnsafePointer<timeval>?,
    _ timer: UnsafeMutableRawPointer?
) {
    guard let timer else { return }
    Unmanaged<PulseTimer>.fromOpaque(timer).takeUnretainedValue().fire()
}
