// SPDX-License-Identifier: GPL-3.0-or-later
package import Media

extension MediaFailure {
    /// Returns the failure with the delay that the server requests, unless Earshot itself waits that long.
    /// - Parameter delay: at most an hour (`ResponseHead.retryDelay`).
    package func stating(_ delay: Duration?) -> MediaFailure {
        guard let delay, delay > RetryPolicy.longestBackoff else { return self }
        let minutes = Int((delay.components.seconds + 59) / 60)
        let time = minutes >= 60 ? "an hour or more" : CountText.text(minutes, "minute")
        return MediaFailure(kind, "\(reason); try again after \(time)", choices: choices, needsPassword: needsPassword)
    }
}
