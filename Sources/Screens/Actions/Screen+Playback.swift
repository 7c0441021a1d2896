// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The actions that control playback.
extension Screen {
    func control(_ action: ScreenAction) -> [ScreenEffect] {
        switch action {
        case .toggle: [.player(.toggle)]
        case .back: [.player(.skip(by: .seconds(-10)))]
        case .forward: [.player(.skip(by: .seconds(30)))]
        case .previous: [.player(.previous)]
        case .next: [.player(.next)]
        case .nextChapter, .previousChapter: chapterTarget(action).map { [.player(.seek(to: $0))] } ?? []
        case .louder: [.player(.volume(by: 5))]
        case .quieter: [.player(.volume(by: -5))]
        case .faster: [.player(.speed("+0.05"))]
        case .slower: [.player(.speed("-0.05"))]
        case .normalSpeed: [.player(.speed("1"))]
        case .sleep: [.player(.cycleSleep)]
        case .repeat: [.player(.cycleRepeat)]
        case .retry: [.player(.retry)]
        case .bookmark: [.player(.bookmark)]
        default: []
        }
    }

    /// Returns the start of the next chapter, or of this one; within its first three seconds, of the previous one.
    func chapterTarget(_ action: ScreenAction) -> Duration? {
        guard let position else { return nil }
        if action == .nextChapter { return chapters.first { $0.start > position }?.start }
        let limit = position - .seconds(3)
        return chapters.last { $0.start <= limit }?.start ?? chapters.first?.start
    }
}
