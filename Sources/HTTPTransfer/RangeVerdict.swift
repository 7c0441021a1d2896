// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// What a request is for.
public enum ExpectedContent: Sendable, Equatable {
    case audio
    case feed
}

/// What may be done with a response, decided from its head before one byte of its body is kept.
///
/// libcurl reports success for a 200 to a ranged request, for a 206 of another range and for a 416, and hands over
/// their bodies all the same.
public enum RangeVerdict: Sendable, Equatable {
    /// The body begins at the offset asked for and belongs to the version held.
    case append(total: Int64?)
    /// The server sends the same version from byte 0 though a later offset was asked for.
    case restart(total: Int64?)
    /// Nothing is missing: the offset asked for is the length.
    case alreadyComplete(total: Int64)
    /// Another version than the one held: no byte of the two may meet. The body of a 200 is the new one from byte 0,
    /// any other body is useless.
    case changed(reason: String)
    case reject(HTTPRejection)
    /// The server is in trouble; `after` is what Retry-After asks for.
    case retry(after: Duration?, reason: MediaFailure)

    /// - Parameters:
    ///   - offset: the first byte asked for; 0 where the request had no Range.
    ///   - known: the version that bytes are held of; `nil` where none are held. A validator in it is taken to have
    ///     been sent as If-Range.
    public static func judge(
        _ head: ResponseHead, requested offset: Int64, known: KnownEntity? = nil,
        expecting content: ExpectedContent = .audio
    ) -> RangeVerdict {
        switch head.status {
        case 200, 206:
            if content == .audio, let rejection = rejectionOfContent(head) { return .reject(rejection) }
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
    /// Types that certainly are no audio. text/plain is what stock servers call a file type they do not know, so
    /// there the bytes decide (`AudioSniffer`).
    private static func rejectionOfContent(_ head: ResponseHead) -> HTTPRejection? {
        if let coding = head.contentCoding { return .encoded(coding) }
        guard let type = head.contentType else { return nil }
        let isText = type.hasPrefix("text/") && type != "text/plain"
        let isPage = ["application/json", "application/xhtml+xml", "application/xml"].contains(type)
        return isText || isPage ? .webPage(type: type) : nil
    }

    private static func whole(_ head: ResponseHead, requested offset: Int64, known: KnownEntity?) -> RangeVerdict {
        let total = head.contentLength
        if let reason = known?.contradiction(by: head, total: total) { return .changed(reason: reason) }
        guard offset > 0 else { return .append(total: total) }
        // RFC 9110 section 13.1.5: a 200 to If-Range says that the validator no longer holds, unless the response
        // itself shows the same one: then the server merely ignores ranges.
        if let known, known.validator != nil, !known.isProven(by: head) {
            return .changed(reason: "the server no longer has the version that was begun")
        }
        return .restart(total: total)
    }

    private static func part(_ head: ResponseHead, requested offset: Int64, known: KnownEntity?) -> RangeVerdict {
        guard case .part(let range, let total)? = head.contentRange else {
            return .reject(.unusableRange("the server sent a part without saying which"))
        }
        if let reason = known?.contradiction(by: head, total: total) { return .changed(reason: reason) }
        guard range.lowerBound == offset else {
            return .reject(.unusableRange("the server sent byte \(range.lowerBound) where \(offset) was asked for"))
        }
        return .append(total: total ?? known?.total)
    }

    private static func unsatisfied(
        _ head: ResponseHead, requested offset: Int64, known: KnownEntity?
    ) -> RangeVerdict {
        let said = head.contentRange?.total
        guard let total = said ?? known?.total, total == offset else {
            return .changed(reason: "the server has no byte \(offset) of it")
        }
        // A length declared too large at first is corrected here, but only for provably the same version.
        let isSame = known?.isProven(by: head) ?? false
        if !isSame, let reason = known?.contradiction(by: head, total: said) { return .changed(reason: reason) }
        return .alreadyComplete(total: total)
    }
}
