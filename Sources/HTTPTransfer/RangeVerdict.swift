// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The purpose of a request.
public enum ExpectedContent: Sendable, Equatable {
    case audio
    case feed
}

/// The permitted use of a response, decided from its head before any byte of its body is stored.
///
/// libcurl reports success for a 200 to a range request, for a 206 with another range and for a 416, and delivers
/// their bodies all the same.
public enum RangeVerdict: Sendable, Equatable {
    /// The body begins at the requested offset and belongs to the stored version.
    case append(total: Int64?)
    /// The server sends the same version from byte 0 although the request had a later offset.
    case restart(total: Int64?)
    /// No byte is missing: the requested offset is the length.
    case alreadyComplete(total: Int64)
    /// The server has another version than the stored one; bytes of the two must not be mixed. The body of a 200 is
    /// the new version from byte 0; any other body is useless.
    case changed(reason: String)
    case reject(HTTPRejection)
    /// The server is temporarily unable to answer; `after` is the delay that Retry-After requests.
    case retry(after: Duration?, reason: MediaFailure)

    /// Judges a response by its head.
    ///
    /// - Parameters:
    ///   - offset: the first requested byte; 0 for a request without Range.
    ///   - known: the version that the stored bytes belong to; `nil` if none are stored. A validator in it is assumed
    ///     to have been sent as If-Range.
    public static func judge(
        _ head: ResponseHead, requested offset: Int64, known: Representation? = nil,
        expecting content: ExpectedContent = .audio
    ) -> RangeVerdict {
        switch head.status {
        case 200, 206:
            let isStoredVersion = known?.isProven(by: head) ?? false
            let mayBeSignIn = head.status == 200 && (offset > 0 || known != nil) && !isStoredVersion
            if content == .audio, let rejection = rejectionOfContent(head, mayBeSignIn) { return .reject(rejection) }
            return head.status == 200
                ? whole(head, requested: offset, known: known) : part(head, requested: offset, known: known)
        case 416: return unsatisfied(head, requested: offset, known: known)
        case 408, 425, 429, 500...599:
            let failure = HTTPRejection.status(head.status).mediaFailure
            return .retry(after: head.retryDelay, reason: failure)
        case 401: return .reject(.unauthorized(head.credentials))
        default: return .reject(.status(head.status))
        }
    }
}

extension RangeVerdict {
    /// Rejects an encoded body and, after the server has sent audio, the media type of a page. Before that, the bytes
    /// decide (`AudioSniffer`): servers declare any type for audio, such as text/plain, text/html or application/json.
    /// - Parameter mayBeSignIn: true if the answer may be the page of a network to which the listener must sign in,
    ///   because the server has sent audio before. A page does not have the validator of the stored version.
    private static func rejectionOfContent(_ head: ResponseHead, _ mayBeSignIn: Bool) -> HTTPRejection? {
        if let coding = head.contentCoding { return .encoded(coding) }
        guard mayBeSignIn, let type = head.contentType else { return nil }
        let isText = type.hasPrefix("text/") && type != "text/plain"
        let isPage = ["application/json", "application/xhtml+xml", "application/xml"].contains(type)
        return isText || isPage ? .webPage(type: type) : nil
    }

    private static func whole(_ head: ResponseHead, requested offset: Int64, known: Representation?) -> RangeVerdict {
        let total = head.contentLength
        if let reason = known?.contradiction(by: head, total: total) { return .changed(reason: reason) }
        guard offset > 0 else { return .append(total: total) }
        // RFC 9110 section 13.1.5: a 200 to If-Range means that the validator no longer matches, unless the response
        // carries the same validator: then the server merely ignores ranges.
        if let known, known.validator != nil, !known.isProven(by: head) {
            return .changed(reason: "the server no longer has the version that was partly downloaded")
        }
        return .restart(total: total)
    }

    private static func part(_ head: ResponseHead, requested offset: Int64, known: Representation?) -> RangeVerdict {
        guard case .part(let range, let total)? = head.contentRange else {
            return .reject(.unusableRange("the server sent part of the file without its byte range"))
        }
        if let reason = known?.contradiction(by: head, total: total) { return .changed(reason: reason) }
        guard range.lowerBound == offset else {
            return .reject(.unusableRange("the server sent byte \(range.lowerBound) instead of byte \(offset)"))
        }
        return .append(total: total ?? known?.total)
    }

    private static func unsatisfied(
        _ head: ResponseHead, requested offset: Int64, known: Representation?
    ) -> RangeVerdict {
        let said = head.contentRange?.total
        guard let total = said ?? known?.total, total == offset else {
            return .changed(reason: "the file on the server ends before byte \(offset)")
        }
        // A first declared length that was too large is corrected here, but only for provably the same version.
        let isSame = known?.isProven(by: head) ?? false
        if !isSame, let reason = known?.contradiction(by: head, total: said) { return .changed(reason: reason) }
        return .alreadyComplete(total: total)
    }
}
