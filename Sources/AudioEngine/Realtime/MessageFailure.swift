// SPDX-License-Identifier: GPL-3.0-or-later

/// An error that explains why a request has no response.
public enum MessageFailure: Error, Sendable, Equatable {
    /// The maximum number of requests is unanswered; this one was not sent.
    case queueFull
    /// The timeout expired before the realtime thread reached the request, which was withdrawn and will not be
    /// performed.
    case timedOut
    /// The waiting task was cancelled before the realtime thread reached the request, which was withdrawn as well.
    case cancelled
    /// The timeout expired, or the task was cancelled, while the realtime thread was performing the request, which
    /// has been or will be completed.
    case unanswered
    /// The exchange was released; the request will not be performed.
    case closed
}
