// SPDX-License-Identifier: GPL-3.0-or-later

/// One note of the cloud: which key, when, how loud and where.
struct Note {
    let number: Int

    /// Up the scale in steps of three keys.
    var key: Int { number * 3 }
    /// On the graph's timeline.
    var frame: Int64 { Int64(number) * 1200 }
    var gain: Float { number.isMultiple(of: 4) ? 0.09 : 0.05 }
    /// From the left to the right and again.
    var pan: Float { Float(number % 9) / 4 - 1 }
}
