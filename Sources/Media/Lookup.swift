// SPDX-License-Identifier: GPL-3.0-or-later

/// The result of a lookup in bytes that are still arriving.
package enum Lookup<Value> {
    case found(Value)
    /// The lookup failed, and further bytes cannot change that.
    case absent
    /// The result depends on bytes that are not yet available.
    case undecided
}

extension Lookup {
    /// Returns the found value as converted by `body`; absent if `body` returns `nil`.
    package func compactMap<Other>(_ body: (Value) -> Other?) -> Lookup<Other> {
        flatMap { value in body(value).map(Lookup<Other>.found) ?? .absent }
    }

    /// Returns the lookup that `body` makes with the found value.
    package func flatMap<Other>(_ body: (Value) -> Lookup<Other>) -> Lookup<Other> {
        switch self {
        case .undecided: .undecided
        case .absent: .absent
        case .found(let value): body(value)
        }
    }
}
