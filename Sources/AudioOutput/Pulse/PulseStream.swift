// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import CPulse
import Media

/// A playback stream. All methods require the mainloop's lock.
final class PulseStream {
    /// An event of the stream, as reported by the server.
    enum Event: Equatable {
        /// The server accepts more frames.
        case writable
        /// The server has consumed all frames.
        case underrun
        /// `reading` has changed.
        case timed
        /// The stream was moved to another sink.
        case moved
        /// The sink, or the device plugged into it, was removed, and the server moved the stream elsewhere.
        case unplugged
        case suspensionChanged
        case drained
        case failed(PulseCode)
    }

    let format: AudioFormat
    private let buffer: Duration
    let raw: OpaquePointer
    private let mark = RenderMark()
    private let context: PulseContext
    private let mainloop: PulseMainloop
    private let handler: (PulseStream, Event) -> Void
    private(set) var isReady = false
    private var drainOperation: OpaquePointer?
    private var device: PulseDeviceWatch?
    /// The number of timing updates received.
    private(set) var timingUpdateCount = 0

    /// - Throws: `refused` for a format that libpulse does not support.
    init(
        _ format: AudioFormat, mediaName: String, buffer: Duration, on context: PulseContext, mainloop: PulseMainloop,
        handler: @escaping (PulseStream, Event) -> Void
    ) throws(AudioOutputError) {
        self.format = format
        self.buffer = buffer
        self.context = context
        self.mainloop = mainloop
        self.handler = handler
        var spec = pa_sample_spec(
            format: nativeFloat, rate: UInt32(clamping: format.sampleRate),
            channels: UInt8(clamping: format.channels))
        let properties = pa_proplist_new()
        defer { pa_proplist_free(properties) }
        pa_proplist_sets(properties, PA_PROP_MEDIA_NAME, mediaName)
        pa_proplist_sets(properties, PA_PROP_MEDIA_ROLE, "music")
        guard let raw = pa_stream_new_with_proplist(context.raw, mediaName, &spec, nil, properties) else {
            throw .refused(operation: "create a stream", reason: "\(context.code)")
        }
        self.raw = raw
    }

    deinit {
        disconnect()
        pa_stream_unref(raw)
    }

    /// Opens the stream, corked, on `sink` or on the default sink.
    func connect(to sink: String?, within limit: Duration) throws(AudioOutputError) {
        setCallbacks(Unmanaged.passUnretained(self).toOpaque())
        var attributes = bufferAttributes
        let flags = [PA_STREAM_START_CORKED, PA_STREAM_AUTO_TIMING_UPDATE, PA_STREAM_ADJUST_LATENCY]
        let set = pa_stream_flags_t(flags.reduce(0) { $0 | $1.rawValue })
        guard pa_stream_connect_playback(raw, sink, &attributes, set, nil, nil) >= 0 else {
            throw refusal(of: sink)
        }
        let answer = mainloop.wait(atMost: limit, for: context) { () -> Bool? in
            switch pa_stream_get_state(raw) {
            case PA_STREAM_READY: true
            case PA_STREAM_FAILED, PA_STREAM_TERMINATED: false
            default: nil
            }
        }
        guard let answer else { throw .refused(operation: Self.opening(sink), reason: "no answer within \(limit)") }
        guard answer else { throw refusal(of: sink) }
        isReady = true
        device = PulseDeviceWatch(on: context) { [weak self] in self?.notify(.unplugged) }
        device?.begin(pa_stream_get_device_index(raw))
    }

    private static func opening(_ sink: String?) -> String { sink.map { "open a stream to \($0)" } ?? "open a stream" }

    /// Returns the error that the server gave last.
    private func refusal(of sink: String?) -> AudioOutputError {
        guard let sink, context.code == .noEntity else {
            return .refused(operation: Self.opening(sink), reason: "\(context.code)")
        }
        let reason = "there is no sound device \"\(sink)\"; \"pactl list short sinks\" lists them"
        return .refused(operation: Self.opening(nil), reason: reason)
    }

    /// Disconnects the stream. No event comes afterwards.
    func disconnect() {
        guard isReady || pa_stream_get_state(raw) == PA_STREAM_CREATING else { return setCallbacks(nil) }
        isReady = false
        abandonDrain()
        device?.end()
        setCallbacks(nil)
        pa_stream_disconnect(raw)
    }

    /// The number of frames that the server requested and has not received.
    var writableFrames: Int {
        guard isReady else { return 0 }
        let bytes = pa_stream_writable_size(raw)
        return bytes == Int(bitPattern: UInt.max) ? 0 : bytes / format.bytesPerFrame
    }

    /// The number of frames that the server must hold to start playing after a silence.
    var startFrames: Int {
        // The server's own value: it may differ from the requested one, and changes with the sink.
        let attributes = pa_stream_get_buffer_attr(raw)?.pointee ?? bufferAttributes
        return Int(attributes.prebuf) / format.bytesPerFrame
    }

    /// Renders up to `frames` frames of `source` directly into the server's memory.
    /// - Parameter replacing: The number of the last written frames that these replace.
    /// - Returns: The number of frames requested from `source` and the number it rendered; `nil` if the stream is
    ///   lost.
    func write(
        upTo frames: Int, from source: any RenderSource, at outputFrame: Int64, replacing: Int = 0
    ) -> (asked: Int, written: Int)? {
        var bytes = frames * format.bytesPerFrame
        var memory: UnsafeMutableRawPointer?
        guard pa_stream_begin_write(raw, &memory, &bytes) >= 0, let memory else { return nil }
        let asked = min(frames, bytes / format.bytesPerFrame)
        let samples = memory.bindMemory(to: Float.self, capacity: asked * format.channels)
        let rendered = mark.render(source, into: samples, frames: asked, at: outputFrame)
        guard rendered > 0 else {
            pa_stream_cancel_write(raw)
            return (asked, 0)
        }
        let (bytesBack, size) = (Int64(replacing * format.bytesPerFrame), rendered * format.bytesPerFrame)
        guard pa_stream_write(raw, memory, size, nil, -bytesBack, PA_SEEK_RELATIVE) >= 0 else { return nil }
        return (asked, rendered)
    }

    /// Writes samples in place of the last written frames, as many.
    /// - Returns: false if the stream is lost.
    func replaceEnd(with samples: [Float]) -> Bool {
        let size = samples.count * MemoryLayout<Float>.stride
        return pa_stream_write(raw, samples, size, nil, -Int64(size), PA_SEEK_RELATIVE) >= 0
    }

    func cork(_ corked: Bool) { release(pa_stream_cork(raw, corked ? 1 : 0, nil, nil)) }

    func flush() { release(pa_stream_flush(raw, nil, nil)) }

    /// Plays all written frames, however few, and then reports `drained`.
    func drain() {
        abandonDrain()
        drainOperation = pa_stream_drain(raw, streamDrained, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Abandons the pending drain, which then reports no event.
    func abandonDrain() {
        guard let drainOperation else { return }
        self.drainOperation = nil
        pa_operation_cancel(drainOperation)
        pa_operation_unref(drainOperation)
    }

    /// Requests a timing update, which causes one `timed` event if the server answers.
    func requestTiming() { release(pa_stream_update_timing_info(raw, nil, nil)) }

    /// Requests a timing update and waits for it.
    func updateTiming(atMost limit: Duration, on context: PulseContext) {
        let before = timingUpdateCount
        requestTiming()
        _ = mainloop.wait(atMost: limit, for: context) { timingUpdateCount > before || !isReady ? true : nil }
    }

    var isSuspended: Bool { pa_stream_is_suspended(raw) == 1 }

    /// The name of the sink that the stream is connected to.
    var deviceName: String? { pa_stream_get_device_name(raw).map { String(cString: $0) } }
}

extension PulseStream {
    /// The buffer attributes: a quarter of the buffer per request. With the defaults, a prebuffer of seconds would
    /// never start a short episode; without a prebuffer, frames written after an underrun would be lost.
    private var bufferAttributes: pa_buffer_attr {
        let length = Int(format.frames(in: buffer))
        let request = UInt32(clamping: length / 4 * format.bytesPerFrame)
        return pa_buffer_attr(
            maxlength: .max, tlength: UInt32(clamping: length * format.bytesPerFrame), prebuf: request,
            minreq: request, fragsize: .max)
    }

    private func setCallbacks(_ context: UnsafeMutableRawPointer?) {
        let isOn = context != nil
        pa_stream_set_state_callback(raw, isOn ? streamStateChanged : nil, context)
        pa_stream_set_write_callback(raw, isOn ? streamWritable : nil, context)
        pa_stream_set_underflow_callback(raw, isOn ? streamRanDry : nil, context)
        pa_stream_set_latency_update_callback(raw, isOn ? streamTimed : nil, context)
        pa_stream_set_moved_callback(raw, isOn ? streamMoved : nil, context)
        pa_stream_set_suspended_callback(raw, isOn ? streamSuspended : nil, context)
    }

    /// Releases an operation whose end is not awaited; `nil` if the stream is lost, which the state callback reports.
    private func release(_ operation: OpaquePointer?) {
        if let operation { pa_operation_unref(operation) }
    }

    fileprivate func timed() {
        timingUpdateCount += 1
        mainloop.signal()
        notify(.timed)
    }

    fileprivate func moved() {
        notify(.moved)
        if isReady { device?.moved(to: pa_stream_get_device_index(raw)) }
    }

    fileprivate func stateChanged() {
        mainloop.signal()
        let state = pa_stream_get_state(raw)
        guard isReady, state == PA_STREAM_FAILED || state == PA_STREAM_TERMINATED else { return }
        isReady = false
        device?.end()
        handler(self, .failed(context.code))
    }

    fileprivate func notify(_ event: Event) {
        if isReady { handler(self, event) }
    }

    fileprivate func didDrain(_ success: Bool) {
        abandonDrain()
        if success { notify(.drained) }
    }
}

/// The value of `PA_SAMPLE_FLOAT32NE`, a macro that Swift does not import.
private let nativeFloat = 1.littleEndian == 1 ? PA_SAMPLE_FLOAT32LE : PA_SAMPLE_FLOAT32BE

// Free functions: a closure literal in an isolated method would trap on libpulse's thread.

private func stream(_ context: UnsafeMutableRawPointer?) -> PulseStream? {
    context.map { Unmanaged<PulseStream>.fromOpaque($0).takeUnretainedValue() }
}

private func streamStateChanged(_ raw: OpaquePointer?, _ context: UnsafeMutableRawPointer?) {
    stream(context)?.stateChanged()
}

private func streamWritable(_ raw: OpaquePointer?, _ bytes: Int, _ context: UnsafeMutableRawPointer?) {
    stream(context)?.notify(.writable)
}

private func streamRanDry(_ raw: OpaquePointer?, _ context: UnsafeMutableRawPointer?) {
    stream(context)?.notify(.underrun)
}

private func streamTimed(_ raw: OpaquePointer?, _ context: UnsafeMutableRawPointer?) {
    stream(context)?.timed()
}

private func streamMoved(_ raw: OpaquePointer?, _ context: UnsafeMutableRawPointer?) {
    stream(context)?.moved()
}

private func streamSuspended(_ raw: OpaquePointer?, _ context: UnsafeMutableRawPointer?) {
    stream(context)?.notify(.suspensionChanged)
}

private func streamDrained(_ raw: OpaquePointer?, _ success: CInt, _ context: UnsafeMutableRawPointer?) {
    stream(context)?.didDrain(success != 0)
}
