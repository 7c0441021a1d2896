// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@testable import EpisodeLibrary

@Suite("Positions of keys in a list")
struct KeyPlacesTests {
    @Test("The positions of each key equal those of a dictionary of lists", arguments: 1...8 as ClosedRange<UInt64>)
    func places(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let keys: [Int64?] = (0..<200).map { _ in
            Bool.random(using: &random) ? Int64.random(in: -40...40, using: &random) : nil
        }
        var lists: [Int64: [Int]] = [:]
        for (place, key) in keys.enumerated() { if let key { lists[key, default: []].append(place) } }
        let places = KeyIndex(keys) { $0 }
        for key in -41...41 as ClosedRange<Int64> {
            #expect(Array(places[key]) == lists[key] ?? [])
            #expect(places.only(key) == (lists[key]?.count == 1 ? lists[key]?[0] : nil))
        }
        var alone: [Int64: Int] = [:]
        places.forEachOnly { alone[$0] = $1 }
        #expect(alone == lists.filter { $0.value.count == 1 }.mapValues { $0[0] })
        #expect(places.shared == Set(lists.filter { $0.value.count > 1 }.keys))
    }

    @Test("The evidence of an episode takes 56 bytes, because the merge of a large feed stores two for each")
    func size() {
        #expect(MemoryLayout<EpisodeEvidence>.stride == 56)
        var evidence = EpisodeEvidence(guid: .min, published: 0)
        #expect(evidence.guid == .min && evidence.published == 0 && evidence.title == nil && evidence.hasOwnGUID)
        evidence.guid = nil
        evidence.content = -1
        #expect(evidence.guid == nil && evidence.content == -1 && evidence != EpisodeEvidence(published: 0))
        #expect(evidence == EpisodeEvidence(published: 0, content: -1))
    }
}
