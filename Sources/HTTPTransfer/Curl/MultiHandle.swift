// SPDX-License-Identifier: GPL-3.0-or-later
import CCurl

/// Owns the `CURLM` handle, which only the curl thread uses, except for its waker.
struct MultiHandle: ~Copyable {
    /// Ends a `poll` from any thread.
    ///
    /// Unchecked: curl_multi_wakeup is the only function that libcurl allows on other threads; the mailbox that owns
    /// the waker drops it, under its lock, before the handle is destroyed.
    struct Waker: @unchecked Sendable {
        fileprivate let raw: UnsafeMutableRawPointer

        func wake() {
            curl_multi_wakeup(raw)
        }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String

        fileprivate static func check(_ code: CURLMcode) throws(Failure) {
            guard code != CURLM_OK else { return }
            throw Failure(description: String(cString: curl_multi_strerror(code)))
        }
    }

    private let raw: UnsafeMutableRawPointer

    init() throws(Failure) {
        guard let raw = curl_multi_init() else { throw Failure(description: "no memory for a multi handle") }
        // A libcurl that does not know an option works without it.
        for (option, value) in Self.options { _ = earshot_multi_setopt_long(raw, option, value) }
        self.raw = raw
    }

    /// The connection limits: as many connections per host as a browser makes. Transfers beyond the limits wait
    /// within libcurl. Idle connections are kept; otherwise libcurl would close those beyond four per transfer,
    /// although the next transfer is about to start.
    private static let options = [
        (CURLMOPT_MAX_HOST_CONNECTIONS, 6), (CURLMOPT_MAX_TOTAL_CONNECTIONS, 64),
        (CURLMOPT_MAXCONNECTS, 64), (CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX)),
    ]

    deinit {
        curl_multi_cleanup(raw)
    }

    var waker: Waker { Waker(raw: raw) }

    func add(_ easy: UnsafeMutableRawPointer) throws(Failure) {
        try Failure.check(curl_multi_add_handle(raw, easy))
    }

    /// Removes a handle and ends its transfer; libcurl no longer calls its callbacks.
    func remove(_ easy: UnsafeMutableRawPointer) {
        curl_multi_remove_handle(raw, easy)
    }

    /// Advances every transfer as far as possible without waiting; calls the callbacks.
    func perform() throws(Failure) {
        var running: CInt = 0
        try Failure.check(curl_multi_perform(raw, &running))
    }

    /// Waits until a socket or a timer of libcurl is due, the waker is called, or the time has passed.
    func poll(for time: Duration) throws(Failure) {
        try Failure.check(curl_multi_poll(raw, nil, 0, CInt(clamping: time.wholeMilliseconds), nil))
    }

    /// Returns the next transfer that has ended since the last call.
    func nextEnded() -> (easy: UnsafeMutableRawPointer, code: CurlCode)? {
        var left: CInt = 0
        while let message = curl_multi_info_read(raw, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
            return (easy, CurlCode(message.pointee.data.result))
        }
        return nil
    }
}
