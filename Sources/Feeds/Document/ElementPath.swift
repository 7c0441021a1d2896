// SPDX-License-Identifier: GPL-3.0-or-later

/// The open elements at the parser's position, outermost first. The meaning of an element depends on its ancestors,
/// so that a `title` inside an `image` is never mistaken for the channel's.
struct ElementPath {
    private struct Step {
        let element: FeedElement
        /// The `xml:base` in scope.
        let base: String?
    }

    private var steps: [Step] = []

    mutating func push(_ element: FeedElement, base: String?) {
        steps.append(Step(element: element, base: base ?? self.base))
    }

    /// Sets the base URL for the content of the last element.
    mutating func rebase(_ base: String?) {
        guard let base, let last = steps.popLast() else { return }
        steps.append(Step(element: last.element, base: base))
    }

    mutating func pop() {
        _ = steps.popLast()
    }

    var isEmpty: Bool { steps.isEmpty }
    var depth: Int { steps.count }
    var element: FeedElement? { steps.last?.element }
    var parent: FeedElement? { ancestor(1) }
    var grandparent: FeedElement? { ancestor(2) }
    var base: String? { steps.last?.base }

    /// True if text at this position counts, although the element may have child elements. Markup that replaces the
    /// child elements of a person contains the name.
    var hasLooseText: Bool {
        guard let element else { return false }
        return element.content == .childrenOrText || element == .unknown && parent == .author
    }

    /// The element that a Media RSS element describes: the parent of the media containers around it.
    var mediaOwner: FeedElement? {
        steps.dropLast().last { $0.element != .mediaContent && $0.element != .mediaGroup }?.element
    }

    /// The element that has the enclosure around this position.
    var enclosureOwner: FeedElement? { steps.dropLast().last { $0.element != .enclosure }?.element }

    private func ancestor(_ generations: Int) -> FeedElement? {
        steps.count > generations ? steps[steps.count - 1 - generations].element : nil
    }
}
