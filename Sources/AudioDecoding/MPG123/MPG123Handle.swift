// SPDX-License-Identifier: GPL-3.0-or-later
import CMPG123
import Media

/// An `mpg123_handle` that accepts whole packets of one format and returns unmodified Float32: no trimming, no
/// resampling, no mixing, no tags. (`mpg123_init` does nothing since mpg123 1.27.)
struct MPG123Handle: ~Copyable {
    private let raw: OpaquePointer

    /// - Throws: `DecodingError.cannotStart`.
    init(format: AudioFormat) throws(DecodingError) {
        self = try Self.opened(format)
    }

    private init(owning raw: OpaquePointer) { self.raw = raw }

    deinit { mpg123_delete(raw) }

    /// Discards all input and the decoder's state; the settings are kept.
    ///
    /// The output after this call is bit-identical to that of a new handle, and the memory is reused.
    func reopen() throws(DecodingError) {
        mpg123_close(raw)
        try open()
    }

    /// Sets the length of the next free-format packets, whose headers do not contain it.
    /// - Parameter size: bytes without header and padding.
    func setFreeFormatSize(_ size: Int) {
        // If libmpg123 rejects the size, the packet yields no PCM.
        _ = mpg123_param2(raw, Int32(MPG123_FREEFORMAT_SIZE.rawValue), size, 0)
    }

    func feed(_ packet: UnsafeRawBufferPointer) -> MPG123Code {
        MPG123Code(
            rawValue: mpg123_feed(raw, packet.baseAddress?.assumingMemoryBound(to: UInt8.self), packet.count))
    }

    /// Decodes the next MPEG frame of the input.
    /// - Returns: interleaved PCM, valid until the next call; empty if no frame was decoded.
    func decodeFrame() -> (code: MPG123Code, pcm: UnsafeRawBufferPointer) {
        var number: off_t = 0
        var audio: UnsafeMutablePointer<UInt8>?
        var bytes = 0
        let code = mpg123_decode_frame(raw, &number, &audio, &bytes)
        return (MPG123Code(rawValue: code), UnsafeRawBufferPointer(start: audio, count: audio == nil ? 0 : bytes))
    }

    /// True if fed bytes are still unread.
    var hasInput: Bool {
        var fill = 0
        let code = mpg123_getstate2(raw, Int32(MPG123_BUFFERFILL.rawValue), &fill, nil)
        return MPG123Code(rawValue: code) != .MPG123_OK || fill > 0
    }
}

extension MPG123Handle {
    private static func opened(_ format: AudioFormat) throws(DecodingError) -> MPG123Handle {
        var code = MPG123Code.MPG123_OK.rawValue
        guard let raw = mpg123_new(nil, &code) else {
            throw .cannotStart(operation: "mpg123_new", reason: MPG123Code(rawValue: code).description)
        }
        let handle = MPG123Handle(owning: raw)
        try handle.configure()
        try handle.allowOnly(format)
        try handle.open()
        return handle
    }

    private func allowOnly(_ format: AudioFormat) throws(DecodingError) {
        // libmpg123 interprets 3 as "mono or stereo".
        guard 1...2 ~= format.channels else {
            throw .cannotStart(operation: "mpg123_format", reason: "\(format.channels) channels")
        }
        try MPG123Code(rawValue: mpg123_format_none(raw)).check("mpg123_format_none")
        let encoding = Int32(MPG123_ENC_FLOAT_32.rawValue)
        let code = mpg123_format(raw, format.sampleRate, Int32(clamping: format.channels), encoding)
        try MPG123Code(rawValue: code).check("mpg123_format")
    }

    private func configure() throws(DecodingError) {
        // Without read-ahead every packet, including the last, is decoded when it is fed. NO_FRANKENSTEIN restricts
        // the handle to one format (CVE-2024-10573).
        let wanted =
            MPG123_FORCE_FLOAT.rawValue | MPG123_SKIP_ID3V2.rawValue | MPG123_IGNORE_INFOFRAME.rawValue
            | MPG123_NO_READAHEAD.rawValue | MPG123_NO_FRANKENSTEIN.rawValue | MPG123_QUIET.rawValue
        try set(MPG123_ADD_FLAGS, Int(wanted))
        try set(MPG123_REMOVE_FLAGS, Int(MPG123_GAPLESS.rawValue | MPG123_AUTO_RESAMPLE.rawValue))
        try set(MPG123_RESYNC_LIMIT, -1)
        // A seek index and spare input buffers are useful only if libmpg123 itself reads and seeks.
        try set(MPG123_INDEX_SIZE, 0)
        try set(MPG123_FEEDPOOL, 1)
    }

    private func set(_ parameter: mpg123_parms, _ value: Int) throws(DecodingError) {
        try MPG123Code(rawValue: mpg123_param2(raw, Int32(parameter.rawValue), value, 0)).check("mpg123_param2")
    }

    private func open() throws(DecodingError) {
        try MPG123Code(rawValue: mpg123_open_feed(raw)).check("mpg123_open_feed")
    }
}

/// A result code of libmpg123; the constants have the library's names.
struct MPG123Code: RawRepresentable, Equatable, Sendable, CustomStringConvertible {
    let rawValue: Int32

    init(rawValue: Int32) { self.rawValue = rawValue }

    private init(_ code: mpg123_errors) { rawValue = Int32(code.rawValue) }

    static let MPG123_OK = MPG123Code(CMPG123.MPG123_OK)
    /// The output format is known; the next identical call returns PCM.
    static let MPG123_NEW_FORMAT = MPG123Code(CMPG123.MPG123_NEW_FORMAT)

    var description: String { String(cString: mpg123_plain_strerror(rawValue)) }

    /// - Throws: `DecodingError.cannotStart` unless this is `MPG123_OK`.
    func check(_ operation: String) throws(DecodingError) {
        guard self == .MPG123_OK else {
            throw .cannotStart(operation: operation, reason: description)
        }
    }
}
