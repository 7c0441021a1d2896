// SPDX-License-Identifier: GPL-3.0-or-later

/// One note, with its key, start, gain and pan.
struct Note {
    let number: Int

    /// The number of the key, which rises through the scale in steps of three keys.
    var key: Int { number * 3 }
    /// The start on the graph's timeline.
    var frame: Int64 { Int64(number) * 1200 }
    var gain: Float { number.isMultiple(of: 4) ? 0.09 : 0.05 }
    /// The pan, which moves from the left to the right and then starts again.
    var pan: Float { Float(number % 9) / 4 - 1 }
}
