// SPDX-License-Identifier: GPL-3.0-or-later

/// Why a request was not answered.
public enum MessageFailure: Error, Sendable, Equatable {
    /// As many requests as there is room for are unanswered; this one was not sent.
    case queueFull
    /// The time was up before the realtime thread came to it: it was withdrawn, and is not performed later.
    case timedOut
    /// The task that waited was cancelled before the realtime thread came to it: it was withdrawn, too.
    case cancelled
    /// The time was up, or the task cancelled, while the realtime thread was at it: it was performed, or is being so.
    case unanswered
    /// The exchange is gone; nobody will perform it.
    case closed
}
