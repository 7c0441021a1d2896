// SPDX-License-Identifier: GPL-3.0-or-later
import CPulse

/// A result of libpulse (`pa_error_code_t`).
struct PulseCode: RawRepresentable, Equatable, CustomStringConvertible {
    let rawValue: CInt

    static let noEntity = PulseCode(rawValue: CInt(PA_ERR_NOENTITY.rawValue))
    /// Somebody ended the stream: a listener by a mixer, or the server when the last sink went.
    static let killed = PulseCode(rawValue: CInt(PA_ERR_KILLED.rawValue))

    var description: String { pa_strerror(rawValue).map { String(cString: $0) } ?? "error \(rawValue)" }
}
