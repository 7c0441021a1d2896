// SPDX-License-Identifier: GPL-3.0-or-later

/// The result of a lookup in bytes that are still arriving.
package enum Lookup<Value> {
    case found(Value)
    /// The lookup failed, and further bytes cannot change that.
    case absent
    /// The result depends on bytes that are not yet available.
    case undecided
}
