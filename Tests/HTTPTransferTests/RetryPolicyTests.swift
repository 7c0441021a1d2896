// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Testing

@Suite("RetryPolicy")
struct RetryPolicyTests {
    private static let reset = RetryPolicy.FailureCause.transfer(.connectionLost(received: 0, reason: "reset"))
    private static let overloaded = RetryPolicy.FailureCause.answer(retryAfter: nil)

    @Test(
        "A start that cannot succeed is not retried",
        arguments: [
            .unknownHost("a.example"), .cannotConnect(host: "a.example", reason: "refused"), .tls("expired"),
            .forbiddenScheme("file"), .tooManyRedirects, .headersTooLarge, .protocolError("?"), .badURL("x"),
        ] as [TransferError])
    func hopelessStart(error: TransferError) {
        var policy = RetryPolicy()
        #expect(policy.decide(.transfer(error), received: 0, at: .zero, jitter: 0.5) == .giveUp)
    }

    @Test("A server error at the start gets two quick retries within two seconds")
    func quickRetries() {
        for trouble in [Self.overloaded, Self.reset] {
            var policy = RetryPolicy()
            #expect(policy.decide(trouble, received: 0, at: .zero, jitter: 0.9) == .retry(after: .milliseconds(300)))
            #expect(policy.decide(trouble, received: 0, at: .zero, jitter: 0.9) == .retry(after: .milliseconds(800)))
            #expect(policy.decide(trouble, received: 0, at: .zero, jitter: 0.9) == .giveUp)
        }
    }

    @Test("Once bytes are stored, an unknown host or a refused connection is retried")
    func laterOutage() {
        for error in [TransferError.unknownHost("a.example"), .cannotConnect(host: "a.example", reason: "refused")] {
            var policy = RetryPolicy(hasReceived: true)
            let decision = policy.decide(.transfer(error), received: 0, at: .zero, jitter: 0)
            #expect(decision == .retry(after: .milliseconds(500)))
        }
    }

    @Test("A TLS failure and a forbidden scheme are final even then")
    func laterPermanent() {
        for error in [TransferError.tls("expired"), .forbiddenScheme("file")] {
            var policy = RetryPolicy(hasReceived: true)
            #expect(policy.decide(.transfer(error), received: 1, at: .zero, jitter: 0) == .giveUp)
        }
    }

    @Test("After half a second the waits double from 2 s to 30 s: six tries a minute, eleven in all")
    func doubling() {
        var policy = RetryPolicy(hasReceived: true)
        let waits = [500, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 30_000]
        for wait in waits {
            let decision = policy.decide(Self.reset, received: 0, at: .zero, jitter: 0)
            #expect(decision == .retry(after: .milliseconds(wait)))
        }
        #expect(policy.decide(Self.reset, received: 0, at: .zero, jitter: 0) == .giveUp)
    }

    @Test("Jitter lengthens a wait by up to half, and never beyond 30 s", arguments: [-1, 0, 0.25, 0.999, 7])
    func jitter(jitter: Double) {
        var policy = RetryPolicy(hasReceived: true)
        for failure in 0..<9 {
            guard case .retry(let wait) = policy.decide(Self.reset, received: 0, at: .zero, jitter: jitter) else {
                Issue.record("no retry after failure \(failure)")
                return
            }
            let least = failure == 0 ? .milliseconds(500) : min(Duration.seconds(1 << failure), .seconds(30))
            #expect(wait >= least && wait <= min(least * 1.5, .seconds(30)))
        }
    }

    @Test("A try that brought new bytes resets the count; one that brought few does not reset the wait")
    func progress() {
        var policy = RetryPolicy(hasReceived: true)
        for wait in [500, 2000, 4000] + Array(repeating: 4000, count: 20) {
            let decision = policy.decide(Self.reset, received: 16_383, at: .zero, jitter: 0)
            #expect(decision == .retry(after: .milliseconds(wait)))
            #expect(policy.failures == 1)
        }
        let decision = policy.decide(Self.reset, received: 16_384, at: .zero, jitter: 0)
        #expect(decision == .retry(after: .milliseconds(500)))
    }

    @Test("A try that brought a kilobyte resets the five minutes, and after it ten tries without one are left")
    func slowProgress() {
        var policy = RetryPolicy(hasReceived: true)
        for minute in 0..<20 {
            let decision = policy.decide(Self.reset, received: 1024, at: .seconds(60 * minute), jitter: 0)
            #expect(decision != .giveUp)
        }
        for _ in 0..<8 { #expect(policy.decide(Self.reset, received: 1023, at: .seconds(1200), jitter: 0) != .giveUp) }
        #expect(policy.decide(Self.reset, received: 0, at: .seconds(1200), jitter: 0) == .giveUp)
    }

    @Test("Retries end five minutes after the first failure without progress, and progress resets that time")
    func budget() {
        var policy = RetryPolicy(hasReceived: true)
        _ = policy.decide(Self.reset, received: 0, at: .seconds(1000), jitter: 0)
        var late = policy
        #expect(policy.decide(Self.reset, received: 0, at: .seconds(1298), jitter: 0) == .retry(after: .seconds(2)))
        #expect(late.decide(Self.reset, received: 0, at: .seconds(1300), jitter: 0) == .giveUp)
        #expect(
            policy.decide(Self.reset, received: 1 << 20, at: .seconds(5000), jitter: 0)
                == .retry(after: .milliseconds(500)))
    }

    @Test("Retry-After of up to 30 s is obeyed at the start, a longer one only once bytes are stored")
    func retryAfter() {
        var start = RetryPolicy()
        #expect(
            start.decide(.answer(retryAfter: .seconds(30)), received: 0, at: .zero, jitter: 0.5)
                == .retry(after: .seconds(30)))
        var hasty = RetryPolicy()
        #expect(hasty.decide(.answer(retryAfter: .seconds(31)), received: 0, at: .zero, jitter: 0.5) == .giveUp)
        var patient = RetryPolicy(hasReceived: true)
        #expect(
            patient.decide(.answer(retryAfter: .seconds(120)), received: 0, at: .zero, jitter: 0.5)
                == .retry(after: .seconds(120)))
        #expect(
            patient.decide(.answer(retryAfter: .seconds(3600)), received: 0, at: .seconds(120), jitter: 0.5)
                == .retry(after: .seconds(3600)))
        // An hour that the server requested does not count towards the five minutes.
        let later = patient.decide(Self.reset, received: 0, at: .seconds(3720), jitter: 0)
        #expect(later == .retry(after: .seconds(4)))
        #expect(patient.decide(.answer(retryAfter: .seconds(3601)), received: 0, at: .zero, jitter: 0.5) == .giveUp)
    }

    @Test("A server with a Retry-After of 0 is not retried more often than one without")
    func hastyServer() {
        var policy = RetryPolicy(hasReceived: true)
        for wait in [500, 2000, 4000] {
            let decision = policy.decide(.answer(retryAfter: .zero), received: 0, at: .zero, jitter: 0)
            #expect(decision == .retry(after: .milliseconds(wait)))
        }
        #expect(policy.attemptsLeft == 7)
    }
}
