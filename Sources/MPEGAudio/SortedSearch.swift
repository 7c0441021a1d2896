// SPDX-License-Identifier: GPL-3.0-or-later

extension RandomAccessCollection {
    /// Returns the last element for which `isBefore` is true.
    /// - Precondition: `isBefore` is true for the first elements and false for all later ones.
    func lastSorted(where isBefore: (Element) -> Bool) -> Element? {
        var (first, count) = (startIndex, count)
        while count > 0 {
            let middle = index(first, offsetBy: count / 2)
            if isBefore(self[middle]) {
                (first, count) = (index(after: middle), count - count / 2 - 1)
            } else {
                count /= 2
            }
        }
        return first == startIndex ? nil : self[index(before: first)]
    }
}
