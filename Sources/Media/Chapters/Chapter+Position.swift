// SPDX-License-Identifier: GPL-3.0-or-later

extension [Chapter] {
    /// Returns the index of the chapter that a position belongs to, if the chapters ascend by their starts; `nil`
    /// before the first one, between two, and after the end of the last one.
    package func playing(at position: Duration) -> Int? {
        guard let index = begun(at: position) else { return nil }
        if let end = self[index].end, end <= position { return nil }
        return index
    }

    /// Returns the index of the last chapter that has begun at a position, if the chapters ascend by their starts.
    package func begun(at position: Duration) -> Int? {
        let later = partitioningIndex { $0.start > position + Chapter.startTolerance }
        return later > 0 ? later - 1 : nil
    }
}

extension Chapter {
    /// Positions are frames, which are rarely exactly at the start of a chapter.
    fileprivate static let startTolerance = Duration.milliseconds(1)
}
