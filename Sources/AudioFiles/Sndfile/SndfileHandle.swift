// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import CSndfile
import Media

/// Owns a `SNDFILE`: a file that libsndfile reads or writes, through calls of ours.
struct SndfileHandle: ~Copyable {
    /// What libsndfile found out, or was told.
    let info: SF_INFO
    private let raw: OpaquePointer
    /// What the calls work on, down to the last one.
    private let file: AnyObject

    /// Opens what `input` reads.
    /// - Throws: libsndfile's own words.
    init(reading input: SndfileInput) throws(SndfileFailure) {
        try self.init(SndfileInput.calls, input, SFM_READ, SF_INFO())
    }

    /// Begins a file of this form.
    /// - Throws: libsndfile's own words.
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

    /// Ends the file; what cannot be written then is heard of by whoever made the calls.
    deinit { sf_close(raw) }

    /// What went wrong last; `nil` where nothing did.
    var failure: SndfileFailure? { sf_error(raw) == SF_ERR_NO_ERROR ? nil : SndfileFailure(raw) }

    /// Reads frames into interleaved memory of the sample type.
    /// - Returns: how many.
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

    /// Writes frames of interleaved memory of the sample type.
    /// - Returns: how many.
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

    /// - Returns: whether the next frame read is `frame`.
    func seek(to frame: Int64) -> Bool { sf_seek(raw, frame, SEEK_SET) == frame }

    /// A text in the file; `nil` where it has none of that kind.
    func string(_ kind: Int) -> String? { sf_get_string(raw, CInt(kind)).map { String(cString: $0) } }

    /// Puts a text into the file; not every kind of file has room for every kind of text.
    func set(_ kind: Int, _ text: String) { _ = sf_set_string(raw, CInt(kind), text) }

    /// Turns a setting on or off.
    func set(_ command: Int, _ isOn: Bool) { _ = sf_command(raw, CInt(command), nil, CInt(isOn ? SF_TRUE : SF_FALSE)) }

    /// Gives a setting its value.
    /// - Returns: whether it was taken.
    @discardableResult
    func set(_ command: Int, _ value: Double) -> Bool {
        var value = value
        return sf_command(raw, CInt(command), &value, CInt(MemoryLayout<Double>.size)) == SF_TRUE
    }

    /// Makes the sizes in front of what was written those of now.
    func updateHeader() { _ = sf_command(raw, CInt(SFC_UPDATE_HEADER_NOW), nil, 0) }

    var isOpus: Bool { Int(info.format) & SF_FORMAT_SUBMASK == SF_FORMAT_OPUS }

    /// The loudspeakers of the channels, as libsndfile numbers them; empty where the file does not say.
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

/// What libsndfile says went wrong.
struct SndfileFailure: Error {
    /// A phrase without a full stop.
    let reason: String

    /// - Parameter handle: `nil` where none could be opened.
    init(_ handle: OpaquePointer?) {
        let words = sf_strerror(handle).map { String(cString: $0) } ?? "libsndfile does not say why"
        var phrase = words.prefix { $0 != "\n" }
        while phrase.last == "." || phrase.last == " " { phrase.removeLast() }
        for word in ["Error : ", "Internal error : "] where phrase.hasPrefix(word) { phrase.removeFirst(word.count) }
        reason = phrase.prefix(1).lowercased() + phrase.dropFirst()
    }
}
