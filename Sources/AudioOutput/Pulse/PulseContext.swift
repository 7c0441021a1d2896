// SPDX-License-Identifier: GPL-3.0-or-later
import CPulse

/// A connection to a sound server. All methods require the mainloop's lock.
final class PulseContext {
    let raw: OpaquePointer
    private let mainloop: PulseMainloop
    private let onFailure: (PulseCode) -> Void
    private(set) var isReady = false

    /// - Parameter onFailure: Called when an established connection is lost.
    init(mainloop: PulseMainloop, applicationName: String, onFailure: @escaping (PulseCode) -> Void) {
        self.mainloop = mainloop
        self.onFailure = onFailure
        guard let raw = pa_context_new(mainloop.api, applicationName) else {
            preconditionFailure("libpulse refuses the application name \(applicationName)")
        }
        self.raw = raw
    }

    deinit {
        disconnect()
        pa_context_unref(raw)
    }

    var code: PulseCode { PulseCode(rawValue: pa_context_errno(raw)) }

    /// Connects and waits until the server accepts the connection. Starts no server.
    /// - Parameter server: The server in libpulse's notation; `nil` for the user's own.
    /// - Throws: `noServer`.
    func connect(to server: String?, within limit: Duration) throws(AudioOutputError) {
        let tried = server.map { "the sound server at \($0)" } ?? "a PulseAudio server"
        pa_context_set_state_callback(raw, contextStateChanged, Unmanaged.passUnretained(self).toOpaque())
        guard pa_context_connect(raw, server, PA_CONTEXT_NOAUTOSPAWN, nil) >= 0 else {
            throw .noServer("\(tried) does not answer: \(code)")
        }
        let answer = mainloop.wait(atMost: limit, for: self) { () -> Bool? in
            switch pa_context_get_state(raw) {
            case PA_CONTEXT_READY: true
            case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED: false
            default: nil
            }
        }
        guard let answer else { throw .noServer("\(tried) does not answer within \(limit)") }
        guard answer else { throw .noServer("\(tried) does not answer: \(code)") }
        isReady = true
    }

    func disconnect() {
        isReady = false
        pa_context_set_state_callback(raw, nil, nil)
        pa_context_disconnect(raw)
    }

    fileprivate func stateChanged() {
        mainloop.signal()
        let state = pa_context_get_state(raw)
        guard isReady, state == PA_CONTEXT_FAILED || state == PA_CONTEXT_TERMINATED else { return }
        isReady = false
        onFailure(code)
    }
}

private func contextStateChanged(_ raw: OpaquePointer?, _ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<PulseContext>.fromOpaque(context).takeUnretainedValue().stateChanged()
}

/// A result of libpulse (`pa_error_code_t`).
struct PulseCode: RawRepresentable, Equatable, CustomStringConvertible {
    let rawValue: CInt

    static let noEntity = PulseCode(rawValue: CInt(PA_ERR_NOENTITY.rawValue))
    /// The stream was ended: by a listener in a mixer, or by the server when its last sink disappeared.
    static let killed = PulseCode(rawValue: CInt(PA_ERR_KILLED.rawValue))

    var description: String {
        if self == .noEntity { return "there is no sound device" }
        return pa_strerror(rawValue).map { String(cString: $0) } ?? "error \(rawValue)"
    }
}
