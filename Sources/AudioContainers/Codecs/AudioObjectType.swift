// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The kind of an MPEG-4 audio stream. Source: ISO/IEC 14496-3 table 1.17.
struct AudioObjectType: Equatable {
    let number: Int

    init(_ number: Int) { self.number = number }

    static let lowComplexity = AudioObjectType(2)
    static let spectralBandReplication = AudioObjectType(5)
    static let parametricStereo = AudioObjectType(29)

    /// The error for a stream of this kind.
    var unsupported: CodecHeaderError {
        let name =
            switch number {
            case 1: "AAC Main"
            case 3: "AAC SSR"
            case 4: "AAC LTP"
            case 6, 20: "AAC Scalable"
            case 7, 21: "TwinVQ"
            case 8, 24: "CELP"
            case 17: "error-resilient AAC"
            case 22: "BSAC"
            case 23: "AAC-LD"
            case 32, 33, 34: "MPEG audio in an AAC track"
            case 36: "MPEG-4 ALS"
            case 37, 38: "MPEG-4 SLS"
            case 39: "AAC-ELD"
            case 42: "xHE-AAC"
            default: "MPEG-4 audio object type \(number)"
            }
        return .unsupported(.unplayable(name))
    }
}
