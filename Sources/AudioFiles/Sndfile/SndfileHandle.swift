// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import CSndfile
import Media

/// Owns a `SNDFILE`: a file that libsndfile reads or writes through callbacks.
struct SndfileHandle: ~Copyable {
    /// The format that libsndfile detected, or was given.
    let info: SF_INFO
    private let raw: OpaquePointer
    /// The object that the callbacks use, kept alive until the last call.
    private let file: AnyObject

    /// Opens a file for reading through `input`.
    /// - Throws: libsndfile's error message.
    init(reading input: SndfileInput) throws(SndfileFailure) {
        try self.init(SndfileInput.calls, input, SFM_READ, SF_INFO())
    }

    /// Begins a file of this format.
    /// - Throws: libsndfile's error message.
    init(writing output: SndfileOutput, _ info: SF_INFO) throws(SndfileFailure) {
        try self.init(SndfileOutput.calls, output, SFM_WRITE, info)
    }

    private init(
        _ calls: SF_VIRTUAL_IO, _ file: AnyObject, _ mode: Int, _ wanted: SF_INFO
    ) throws(SndfileFailure) {
        var (calls, info) = (calls, wanted)
        let context = Unmanaged.passUnretained(file).toOpaque()
        guard let raw = sf_open_virtual(&calls, CInt(mode), &info, context) else { throw SndfileFailure(nil) }
        (self.raw, self.file, self.info) = (raw, file, info)
    }

    /// Closes the file; the object of the callbacks receives a failure of the last writes.
    deinit { sf_close(raw) }

    /// The last failure; `nil` if there was none.
    var failure: SndfileFailure? { sf_error(raw) == SF_ERR_NO_ERROR ? nil : SndfileFailure(raw) }

    /// Reads frames into interleaved memory of the sample type.
    /// - Returns: The number of frames read.
    func read(_ type: SampleType, into target: UnsafeMutableRawPointer, frames: Int) -> Int {
        let frames = sf_count_t(frames)
        let count: sf_count_t =
            switch type {
            case .int16: sf_readf_short(raw, target.assumingMemoryBound(to: Int16.self), frames)
            case .int32: sf_readf_int(raw, target.assumingMemoryBound(to: Int32.self), frames)
            case .float32: sf_readf_float(raw, target.assumingMemoryBound(to: Float.self), frames)
            case .float64: sf_readf_double(raw, target.assumingMemoryBound(to: Double.self), frames)
            }
        return Int(count)
    }

    /// Writes frames from interleaved memory of the sample type.
    /// - Returns: The number of frames written.
    func write(_ type: SampleType, from source: UnsafeRawPointer, frames: Int) -> Int {
        let frames = sf_count_t(frames)
        let count: sf_count_t =
            switch type {
            case .int16: sf_writef_short(raw, source.assumingMemoryBound(to: Int16.self), frames)
            case .int32: sf_writef_int(raw, source.assumingMemoryBound(to: Int32.self), frames)
            case .float32: sf_writef_float(raw, source.assumingMemoryBound(to: Float.self), frames)
            case .float64: sf_writef_double(raw, source.assumingMemoryBound(to: Double.self), frames)
            }
        return Int(count)
    }

    /// Seeks to a frame.
    /// - Returns: True if the next frame read is `frame`.
    func seek(to frame: Int64) -> Bool { sf_seek(raw, frame, SEEK_SET) == frame }

    /// Returns a text stored in the file; `nil` if it has none of that kind.
    func string(_ kind: Int) -> String? { sf_get_string(raw, CInt(kind)).map { String(cString: $0) } }

    /// Stores a text in the file; not every file type supports every kind of text.
    func set(_ kind: Int, _ text: String) { _ = sf_set_string(raw, CInt(kind), text) }

    /// Turns a setting on or off.
    func set(_ command: Int, _ isOn: Bool) { _ = sf_command(raw, CInt(command), nil, CInt(isOn ? SF_TRUE : SF_FALSE)) }

    /// Sets the value of a setting.
    /// - Returns: True if the value was accepted.
    @discardableResult
    func set(_ command: Int, _ value: Double) -> Bool {
        var value = value
        return sf_command(raw, CInt(command), &value, CInt(MemoryLayout<Double>.size)) == SF_TRUE
    }

    /// Updates the sizes in the header.
    func updateHeader() { _ = sf_command(raw, CInt(SFC_UPDATE_HEADER_NOW), nil, 0) }

    /// The loudspeakers of the channels in libsndfile's numbering; empty if the file does not declare them.
    var channelMap: [CInt] {
        var map = [CInt](repeating: 0, count: Int(info.channels))
        let bytes = CInt(map.count * MemoryLayout<CInt>.size)
        return sf_command(raw, CInt(SFC_GET_CHANNEL_MAP_INFO), &map, bytes) == SF_TRUE ? map : []
    }

    func setChannelMap(_ map: [CInt]) {
        var map = map
        _ = sf_command(raw, CInt(SFC_SET_CHANNEL_MAP_INFO), &map, CInt(map.count * MemoryLayout<CInt>.size))
    }
}

/// A failure reported by libsndfile.
struct SndfileFailure: Error {
    /// A phrase without a full stop.
    let reason: String

    /// - Parameter handle: `nil` if opening failed.
    init(_ handle: OpaquePointer?) {
        let words = sf_strerror(handle).map { String(cString: $0) } ?? "unknown libsndfile error"
        var phrase = words.prefix { $0 != "\n" }
        while phrase.last == "." || phrase.last == " " { phrase.removeLast() }
        for word in ["Error : ", "Internal error : "] where phrase.hasPrefix(word) { phrase.removeFirst(word.count) }
        reason = phrase.prefix(1).lowercased() + phrase.dropFirst()
    }
}
