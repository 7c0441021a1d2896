// SPDX-License-Identifier: GPL-3.0-or-later
import CCurl
import Media

/// One transfer on the curl thread through all its hops: the easy handle of the current hop, and the state of its
/// response.
final class CurlTransfer {
    /// The reason why a hop ended.
    enum HopResult {
        case curl(CurlCode)
        /// The deadline has passed.
        case overdue
    }

    enum Next {
        /// The transfer follows a redirect, or repeats its request: `easy` is a new handle.
        case anotherHop
        case end(TransferOutcome)
    }

    private enum Phase {
        /// No body yet.
        case awaitingBody
        /// Dropping the body of a redirect; the number of bytes so far.
        case redirected(dropped: Int)
        /// `takesTurns` is false with HTTP/2, whose streams share a connection.
        case receiving(takesTurns: Bool)
        case refused
        case failed(TransferError)
    }

    /// The size up to which a redirect's body is read to its end, so that the connection can be reused.
    private static let longestRedirectBody = 64 * 1024

    /// The maximum expansion of a compressed body. Text compresses to a tenth, highly repetitive text to a fiftieth.
    private static let mostSwelling = 100
    /// The size up to which any expansion is allowed.
    private static let smallBody: Int64 = 1 << 20

    /// The most bytes that a transfer receives before the loop reads messages and serves other transfers. libcurl alone
    /// would fill its buffer a hundred times: a request for the reader's position would wait on a fast link for
    /// megabytes that nobody needs.
    private static let longestTurn: Int64 = 128 * 1024

    let id: TransferID
    private(set) var route: CurlRoute
    private var request: HTTPRequest
    private let receiver: any TransferReceiver
    private let settings: CurlSettings
    private var handle: EasyHandle
    private var collector = HeadCollector()
    private var phase = Phase.awaitingBody
    private var watch: TransferTimeout
    private var received: Int64 = 0
    /// The value of `received` at which the current turn ends.
    private var turnEnd = CurlTransfer.longestTurn
    /// True while libcurl keeps bytes that arrived after the end of a turn.
    private(set) var isPaused = false
    /// The first bytes of the body, for the log.
    private var bodyPrefix: [UInt8] = []

    init(id: TransferID, request: HTTPRequest, receiver: any TransferReceiver, settings: CurlSettings)
        throws(TransferError)
    {
        self.id = id
        self.request = request
        self.receiver = receiver
        self.settings = settings
        route = try CurlRoute(request, settings: settings)
        watch = TransferTimeout(
            limits: settings.limits, for: request.accept, timeoutFactor: request.timeoutFactor)
        do throws(CurlCode) {
            handle = try EasyHandle()
        } catch {
            throw .protocolError("\(error)")
        }
        try prepareHandle()
    }

    var easy: UnsafeMutableRawPointer { handle.raw }

    var deadline: ContinuousClock.Instant? { watch.deadline }

    /// The text of the refused page; `nil` if it is not text.
    var pageText: String? { PageText.of(bodyPrefix, urls: [request.url, route.chain.address.text]) }

    /// Begins the next turn, with the bytes that were kept in the last one.
    /// - Throws: the failure of these bytes; the hop has ended.
    func beginTurn() throws(CurlCode) {
        turnEnd = received + Self.longestTurn
        guard isPaused else { return }
        isPaused = false
        try handle.resume()
    }

    /// Handles the end of a hop. Call this after the handle has left the multi handle.
    func hopEnded(_ end: HopResult) -> Next {
        if case .awaitingBody = phase, isHeadFinal(end) { headArrived() }
        do throws(TransferError) {
            if case .redirected = phase {
                try route.follow(collector.fields, status: status)
            } else if isMislabelled(end) {
                // Without a list of accepted codings, libcurl delivers the body as sent.
                request.accept = .identity
            } else {
                return .end(outcome(end))
            }
            try beginHop()
            return .anotherHop
        } catch {
            return .end(.failed(error))
        }
    }

    /// Delivers the outcome to the receiver; called once.
    func finish(_ outcome: TransferOutcome) {
        receiver.finished(outcome, of: id)
    }
}

// MARK: Hops
extension CurlTransfer {
    private func beginHop() throws(TransferError) {
        (phase, received, bodyPrefix) = (.awaitingBody, 0, [])
        (turnEnd, isPaused) = (Self.longestTurn, false)
        watch.restart()
        do throws(CurlCode) {
            // A new handle, because it has no state of the previous hop.
            handle = try EasyHandle()
        } catch {
            throw .protocolError("\(error)")
        }
        try prepareHandle()
    }

    private func prepareHandle() throws(TransferError) {
        do throws(CurlCode) {
            try settings.apply(to: handle)
            try handle.configure(for: request, at: route.chain, proxy: route.proxy)
            let context = Unmanaged.passUnretained(self).toOpaque()
            try handle.set(CURLOPT_WRITEFUNCTION, bodyArrived, context: CURLOPT_WRITEDATA, context)
            try handle.set(CURLOPT_HEADERFUNCTION, headerArrived, context: CURLOPT_HEADERDATA, context)
            try handle.set(opening: socketWanted, sending: requestDue, context: context)
        } catch {
            throw .protocolError("\(error)")
        }
    }

    /// Returns true if the head is complete. A redirect is followed even if its page is incomplete or late.
    private func isHeadFinal(_ end: HopResult) -> Bool {
        if case .curl(.CURLE_OK) = end { return true }
        return collector.isComplete && RedirectChain.isRedirect(status)
    }

    /// True if libcurl refused the body because the Content-Encoding field names a character set or a media type.
    private func isMislabelled(_ end: HopResult) -> Bool {
        guard case .awaitingBody = phase, case .curl(.CURLE_BAD_CONTENT_ENCODING) = end else { return false }
        return request.accept == .compressed && collector.fields.contentCoding == nil
    }

    private var status: Int { handle.number(CURLINFO_RESPONSE_CODE) ?? 0 }

    /// Handles the final head of this hop, when the first byte of its body has arrived, or the end of a response
    /// without one.
    private func headArrived() {
        guard !RedirectChain.isRedirect(status) else {
            phase = .redirected(dropped: 0)
            return
        }
        let head = ResponseHead(
            status: status, fields: collector.fields, finalURL: route.chain.address.text, source: route.source,
            credentials: route.chain.credentialUse, permanentURL: route.chain.permanentAddress?.text,
            marksEnd: (handle.number(CURLINFO_HTTP_VERSION) ?? 0) >= Int(CURL_HTTP_VERSION_2_0),
            isProven: route.chain.isProven)
        if head.hasTwoLengths {
            phase = .failed(.protocolError("it declares two different lengths"))
        } else if let limit = request.longestBody, head.contentCoding == nil, (head.contentLength ?? 0) > limit {
            phase = .failed(.bodyTooLong(limit: limit))
        } else {
            // Only bytes that libcurl does not decode: it would decode all that it has and keep the result.
            let takesTurns = !head.marksEnd && request.accept == .identity
            phase = receiver.receivedHead(head, of: id) == .accept ? .receiving(takesTurns: takesTurns) : .refused
        }
    }

    private func outcome(_ end: HopResult) -> TransferOutcome {
        switch (phase, end) {
        case (.refused, _): return .refused
        case (.failed(let error), _): return .failed(error)
        case (_, .overdue): return .failed(.timedOut(watch.stage))
        case (_, .curl(.CURLE_OK)): return .complete
        case (_, .curl(let code)): return .failed(route.refusal(for: code) ?? error(code))
        }
    }

    private func error(_ code: CurlCode) -> TransferError {
        let failure = CurlFailure(
            code: code, text: handle.failureText, errorNumber: handle.number(CURLINFO_OS_ERRNO) ?? 0,
            url: RedactedURL(route.chain.address.text), stage: watch.stage, received: received)
        return TransferError(failure)
    }
}

// MARK: libcurl callbacks
extension CurlTransfer {
    /// - Returns: the number of bytes consumed, or the request to keep them until the next turn; any other number makes
    ///   libcurl end the transfer.
    func handleBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard !bytes.isEmpty else { return 0 }
        if case .awaitingBody = phase { headArrived() }
        if bodyPrefix.count < PageText.prefixLength {
            bodyPrefix += bytes.prefix(PageText.prefixLength - bodyPrefix.count)
        }
        switch phase {
        case .redirected(let dropped):
            phase = .redirected(dropped: dropped + bytes.count)
            return dropped + bytes.count <= Self.longestRedirectBody ? bytes.count : 0
        case .receiving(let takesTurns):
            isPaused = takesTurns && received >= turnEnd
            guard !isPaused else { return Int(CURL_WRITEFUNC_PAUSE) }
            return deliver(bytes) ? bytes.count : 0
        case .awaitingBody, .refused, .failed: return 0
        }
    }

    private func deliver(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if let limit = request.longestBody, received + Int64(bytes.count) > limit {
            phase = .failed(.bodyTooLong(limit: limit))
            return false
        }
        received += Int64(bytes.count)
        guard !exceedsExpansionLimit else {
            phase = .failed(.bodyExpandsTooMuch(factor: Self.mostSwelling))
            return false
        }
        watch.received(bytes.count, at: .now)
        guard receiver.receivedBody(bytes, of: id) == .accept else {
            phase = .refused
            return false
        }
        return true
    }

    /// True if the body has expanded beyond the limit. While one receiver reads the expansion of seven megabytes, no
    /// other receiver gets data.
    private var exceedsExpansionLimit: Bool {
        guard request.accept == .compressed, received > Self.smallBody else { return false }
        let sent = handle.offset(CURLINFO_SIZE_DOWNLOAD_T) ?? 0
        return received / Int64(Self.mostSwelling) > max(1, sent)
    }

    func handleHeaderLine(_ line: UnsafeRawBufferPointer) -> Int {
        guard collector.append(line) else {
            phase = .failed(.headersTooLarge)
            return 0
        }
        return line.count
    }

    /// - Returns: true if a connection to this address is permitted.
    func mayConnect(to address: UnsafeRawBufferPointer) -> Bool {
        route.permits(IPAddress(socketAddress: address))
    }

    /// - Returns: true if the request may be sent to that numeric address.
    func maySend(to address: String) -> Bool {
        watch.requestSent(at: .now)
        return route.connected(to: IPAddress(text: address))
    }
}
