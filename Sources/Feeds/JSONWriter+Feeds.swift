// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Members of feed documents. Absent values and empty lists are omitted.
extension JSONWriter {
    /// Writes a duration in seconds, with up to three decimals if it is fractional.
    mutating func field(_ name: String, _ value: Duration?) {
        guard let value else { return }
        key(name)
        seconds(value, decimals: 0...3)
    }

    /// Writes a list of objects, each with the fields that `fields` writes.
    mutating func list<Element>(
        _ name: String, _ elements: [Element], _ fields: (Element, inout JSONWriter) -> Void
    ) {
        guard !elements.isEmpty else { return }
        key(name)
        array { json in
            for element in elements { json.object { fields(element, &$0) } }
        }
    }
}
