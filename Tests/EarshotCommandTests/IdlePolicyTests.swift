// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import Sessions

@Suite("The end of an idle service")
struct IdlePolicyTests {
    private var policy = IdlePolicy(exitTime: .seconds(60), at: .seconds(1))

    @Test("A service without a player and clients ends after its time")
    func exits() {
        #expect(policy.deadline == .seconds(61))
        #expect(policy.action(at: .seconds(60)) == nil)
        #expect(policy.action(at: .seconds(61)) == .exit)
    }

    @Test("A client keeps the service, and the time begins again when it leaves")
    mutating func clients() {
        policy.update(.none, hasClients: true, at: .seconds(30))
        #expect(policy.deadline == nil)
        policy.update(.none, hasClients: false, at: .seconds(90))
        #expect(policy.deadline == .seconds(150))
    }

    @Test("A player that plays has no deadline; a silent one is released after ten minutes")
    mutating func releases() {
        policy.update(.sounding, hasClients: false, at: .seconds(2))
        #expect(policy.deadline == nil)
        policy.update(.silent, hasClients: false, at: .seconds(10))
        #expect(policy.action(at: .seconds(609)) == nil)
        #expect(policy.action(at: .seconds(610)) == .release)
    }

    @Test("A silent player is not released before it has executed all commands")
    mutating func commands() {
        policy.update(.silent, hasClients: false, at: .seconds(10))
        #expect(policy.action(at: .seconds(610), isUpToDate: false) == nil)
        #expect(policy.action(at: .seconds(611), isUpToDate: true) == .release)
    }

    @Test("Clients that come and go do not keep a silent player")
    mutating func visitors() {
        policy.update(.silent, hasClients: false, at: .seconds(10))
        policy.update(.silent, hasClients: true, at: .seconds(500))
        policy.update(.silent, hasClients: false, at: .seconds(501))
        #expect(policy.deadline == .seconds(610))
    }

    @Test("A service without an exit time never ends")
    func stays() { #expect(IdlePolicy(exitTime: nil, at: .zero).deadline == nil) }
}
