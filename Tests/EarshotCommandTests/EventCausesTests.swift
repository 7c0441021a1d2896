// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import Playback
import Testing

@testable import Sessions

@Suite("The causes of events")
struct EventCausesTests {
    private let cause = EventCauses.Cause("client-3", .integer(7))

    @Test("A request to play causes the next state, item and successor; one for later causes the successor")
    func play() {
        var request = PlayRequest()
        let places: [(PlayRequest.Place, [Bool])] = [(.now, [true, true, true]), (.end, [false, false, true])]
        for (place, expected) in places {
            var causes = EventCauses()
            request.place = place
            causes.note(request, cause, at: .seconds(1))
            let taken = [EventName.state, .track, .next].map { causes.take($0, at: .seconds(2)) == cause }
            #expect(taken == expected)
        }
    }

    @Test("`stop` causes the next state, and that no item is the current one")
    func stop() {
        var causes = EventCauses()
        causes.note(.stop, cause, at: .seconds(1))
        let taken = [EventName.state, .track, .state].map { causes.take($0, at: .seconds(2)) }
        #expect(taken == [cause, cause, nil])
    }

    @Test("A request that failed causes nothing, and leaves the causes of other requests")
    func failed() {
        var causes = EventCauses()
        let other = EventCauses.Cause("client-3", .integer(8))
        causes.note(PlayRequest(), cause, at: .seconds(1))
        causes.note(.setVolume(1), other, at: .seconds(1))
        causes.forget(cause)
        let taken = [EventName.state, .track, .next, .volume].map { causes.take($0, at: .seconds(2)) }
        #expect(taken == [nil, nil, nil, other])
    }

    @Test("A failure leaves the causes of earlier commands and requests of the same client that have no `id`")
    func failedWithoutID() {
        var causes = EventCauses()
        let client = EventCauses.Cause("client-3")
        var request = PlayRequest()
        causes.note(.setVolume(1), client, at: .seconds(1))
        causes.note(request, client, at: .seconds(1))
        causes.confirm(client)
        request.place = .end
        causes.note(request, client, at: .seconds(2))
        causes.forget(client)
        let taken = [EventName.state, .track, .next, .volume].map { causes.take($0, at: .seconds(3)) }
        #expect(taken == [client, client, nil, client])
    }

    @Test("An event of a given name has its cause once")
    func event() {
        var causes = EventCauses()
        causes.note(.error, cause, at: .seconds(1))
        let taken = [EventName.error, .error].map { causes.take($0, at: .seconds(1)) }
        #expect(taken == [cause, nil])
    }

    @Test("A command causes nothing after five seconds")
    func late() {
        var causes = EventCauses()
        causes.note(.pause, cause, at: .seconds(1))
        let taken = causes.take(.state, at: .seconds(7))
        #expect(taken == nil)
    }
}
