// SPDX-License-Identifier: GPL-3.0-or-later
import CCurl

/// One transfer on the curl thread: its easy handle, and what has come of it so far.
final class CurlTransfer {
    private enum Phase {
        /// No body yet: the head may still be that of a redirect.
        case awaitingBody
        case receiving
        case refused
        case headersTooLarge
    }

    let id: TransferID
    private let receiver: any TransferReceiver
    private var handle: EasyHandle
    private var collector = HeadCollector()
    private var phase = Phase.awaitingBody
    private var received: Int64 = 0

    init(id: TransferID, request: HTTPRequest, receiver: any TransferReceiver, settings: CurlSettings)
        throws(TransferError)
    {
        self.id = id
        self.receiver = receiver
        guard let url = EscapedURL(request.url) else { throw .badURL(RedactedURL(request.url).description) }
        do throws(CurlCode) {
            handle = try EasyHandle()
            try settings.apply(to: handle)
            try handle.ask(for: request, at: url)
            let context = Unmanaged.passUnretained(self).toOpaque()
            try handle.set(CURLOPT_WRITEFUNCTION, bodyArrived, context: CURLOPT_WRITEDATA, context)
            try handle.set(CURLOPT_HEADERFUNCTION, headerArrived, context: CURLOPT_HEADERDATA, context)
        } catch {
            throw .protocolError("\(error)")
        }
    }

    var easy: UnsafeMutableRawPointer { handle.raw }

    /// Tells the receiver how it ended; called once, when the handle has left the multi handle.
    func finish(_ code: CurlCode) {
        receiver.finished(outcome(code), of: id)
    }

    /// Tells the receiver of an end that libcurl did not bring about.
    func end(_ outcome: TransferOutcome) {
        receiver.finished(outcome, of: id)
    }
}

extension CurlTransfer {
    /// - Returns: the number of bytes taken; any other than all of them makes libcurl end the transfer.
    fileprivate func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard !bytes.isEmpty else { return 0 }
        if case .awaitingBody = phase { deliverHead() }
        guard case .receiving = phase else { return 0 }
        received += Int64(bytes.count)
        guard receiver.receivedBody(bytes, of: id) == .accept else {
            phase = .refused
            return 0
        }
        return bytes.count
    }

    fileprivate func takeHeaderLine(_ line: UnsafeRawBufferPointer) -> Int {
        guard collector.take(line) else {
            phase = .headersTooLarge
            return 0
        }
        return line.count
    }

    /// Once the first byte of a body is there, or the end without one, no redirect can follow.
    private func deliverHead() {
        let head = ResponseHead(
            status: handle.number(CURLINFO_RESPONSE_CODE) ?? 0, fields: collector.fields,
            finalURL: handle.text(CURLINFO_EFFECTIVE_URL) ?? "")
        phase = receiver.receivedHead(head, of: id) == .accept ? .receiving : .refused
    }

    private func outcome(_ code: CurlCode) -> TransferOutcome {
        if code == .CURLE_OK, case .awaitingBody = phase { deliverHead() }
        switch phase {
        case .refused: return .refused
        case .headersTooLarge: return .failed(.headersTooLarge)
        case .awaitingBody, .receiving: return code == .CURLE_OK ? .complete : .failed(error(code))
        }
    }

    private func error(_ code: CurlCode) -> TransferError {
        let isConnected = (handle.offset(CURLINFO_PRETRANSFER_TIME_T) ?? 0) > 0
        let failure = CurlFailure(
            code: code, text: handle.failureText, errorNumber: handle.number(CURLINFO_OS_ERRNO) ?? 0,
            url: RedactedURL(handle.text(CURLINFO_EFFECTIVE_URL) ?? ""),
            stage: received > 0 ? .receiving : isConnected ? .waiting : .connecting, received: received)
        return TransferError(failure)
    }
}

/// libcurl has a piece of a body; `context` is the transfer, which lives until its handle is gone.
private func bodyArrived(
    data: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    return transfer.takeBody(UnsafeRawBufferPointer(start: data, count: size * count))
}

/// libcurl has one whole header line; `context` as above.
private func headerArrived(
    data: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    return transfer.takeHeaderLine(UnsafeRawBufferPointer(start: data, count: size * count))
}
