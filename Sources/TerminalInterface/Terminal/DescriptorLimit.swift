// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// The limit on open files (`ulimit -n`). Runtime libraries end the process if they reach it, so the program checks it
/// once before it starts a thread.
public enum DescriptorLimit {
    /// More than playback with a download and a sound server uses.
    private static let needed = 56
    /// A limit that leaves enough descriptors.
    private static let advised: rlim_t = 1024

    /// Raises a low limit as far as the system allows.
    /// - Returns: the reason why the program cannot run; `nil` if enough descriptors are free.
    public static func shortage() -> String? {
        var limits = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else { return nil }
        guard !isEnough(limits.rlim_cur) else { return nil }
        limits.rlim_cur = min(limits.rlim_max, advised)
        let isRaised = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0
        guard !(isRaised && isEnough(limits.rlim_cur)) else { return nil }
        return """
            the limit on open files leaves fewer than the \(needed) that earshot needs: raise it, for example with \
            ulimit -n \(advised)
            """
    }

    private static func isEnough(_ limit: rlim_t) -> Bool {
        let numbers = 0..<CInt(min(limit, rlim_t(CInt.max)))
        return numbers.lazy.filter { fcntl($0, F_GETFD) == -1 }.prefix(needed).count == needed
    }
}
