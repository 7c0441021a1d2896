// SPDX-License-Identifier: GPL-3.0-or-later
import CPulse

/// The active output port of a sink: loudspeakers, headphones.
struct PulsePort: Equatable {
    /// The name of the port; `nil` if the sink has no ports.
    var name: String?
    /// The names of the ports with no device plugged in.
    var unplugged: Set<String> = []

    /// Returns true if this port became active because the previous one was unplugged, not because the listener chose
    /// it.
    func tookOver(from old: PulsePort) -> Bool {
        guard let before = old.name, before != name else { return false }
        return unplugged.contains(before)
    }
}

/// Follows the sink that a stream plays on, and reports when it is unplugged. All methods require the mainloop's
/// lock.
final class PulseDeviceWatch {
    private let context: PulseContext
    private let onUnplugged: () -> Void
    /// The index of the sink; `nil` while no sink is followed.
    private var index: UInt32?
    private var port: PulsePort?
    private var queries: [OpaquePointer] = []

    init(on context: PulseContext, onUnplugged: @escaping () -> Void) {
        self.context = context
        self.onUnplugged = onUnplugged
    }

    deinit { end() }

    private var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// Follows the sink with this index.
    func begin(_ index: UInt32) {
        self.index = index
        pa_context_set_subscribe_callback(context.raw, sinkChanged, pointer)
        if let operation = pa_context_subscribe(context.raw, PA_SUBSCRIPTION_MASK_SINK, nil, nil) {
            pa_operation_unref(operation)
        }
        requestSinkInfo(index)
    }

    /// Follows the stream to the sink `new`.
    ///
    /// A listener moves a stream away from a sink that stays. A server moves it when the sink disappears, and removes
    /// the sink from its list before. So a query for the old sink distinguishes the two cases. With
    /// `PA_STREAM_DONT_MOVE` the server would not move the stream, but neither could the listener.
    func moved(to new: UInt32) {
        guard let old = index, old != new else { return }
        (index, port) = (new, nil)
        requestSinkInfo(old)
        requestSinkInfo(new)
    }

    /// Stops following. No event is reported afterwards.
    func end() {
        guard index != nil else { return }
        index = nil
        for query in queries {
            pa_operation_cancel(query)
            pa_operation_unref(query)
        }
        queries = []
        pa_context_set_subscribe_callback(context.raw, nil, nil)
    }

    private func requestSinkInfo(_ sink: UInt32) {
        queries.removeAll { query in
            guard pa_operation_get_state(query) != PA_OPERATION_RUNNING else { return false }
            pa_operation_unref(query)
            return true
        }
        if let query = pa_context_get_sink_info_by_index(context.raw, sink, sinkTold, pointer) {
            queries.append(query)
        }
    }

    fileprivate func changed(_ sink: UInt32) {
        if sink == index { requestSinkInfo(sink) }
    }

    /// Handles the answer to a query.
    /// - Parameter end: Positive after the last sink of the answer, negative if the sink does not exist.
    fileprivate func receivedSinkInfo(_ info: pa_sink_info?, end: CInt) {
        if let info {
            guard info.index == index else { return }
            let new = PulsePort(info)
            defer { port = new }
            if let port, new.tookOver(from: port) { onUnplugged() }
        } else if end < 0, context.code == .noEntity {
            onUnplugged()
        }
    }
}

extension PulsePort {
    fileprivate init(_ info: pa_sink_info) {
        name = info.active_port.map { String(cString: $0.pointee.name) }
        for number in 0..<Int(info.n_ports) {
            guard let port = info.ports?[number]?.pointee, port.available == CInt(PA_PORT_AVAILABLE_NO.rawValue)
            else { continue }
            unplugged.insert(String(cString: port.name))
        }
    }
}

// Free functions: a closure literal in an isolated method would trap on libpulse's thread.

private func watch(_ context: UnsafeMutableRawPointer?) -> PulseDeviceWatch? {
    context.map { Unmanaged<PulseDeviceWatch>.fromOpaque($0).takeUnretainedValue() }
}

private func sinkChanged(
    _ raw: OpaquePointer?, _ event: pa_subscription_event_type_t, _ index: UInt32, _ context: UnsafeMutableRawPointer?
) {
    let kind = event.rawValue & PA_SUBSCRIPTION_EVENT_TYPE_MASK.rawValue
    if kind == PA_SUBSCRIPTION_EVENT_CHANGE.rawValue { watch(context)?.changed(index) }
}

private func sinkTold(
    _ raw: OpaquePointer?, _ info: UnsafePointer<pa_sink_info>?, _ end: CInt, _ context: UnsafeMutableRawPointer?
) {
    watch(context)?.receivedSinkInfo(info?.pointee, end: end)
}
