// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import Media
import Screens

extension PlayerRequest {
    /// True if the driver starts an owner for the request.
    var startsOwner: Bool {
        switch self {
        case .play, .playInQueue, .toggle: true
        default: false
        }
    }

    /// The method and the parameters of the protocol.
    var call: (method: MethodName, parameters: [JSONValue.Member]) {
        switch self {
        case .play(let episode, let from):
            let start = from.map { [JSONValue.Member("from", .string(Self.seconds($0)))] } ?? []
            return (.play, Self.now(episode) + start)
        case .playInQueue(let episode): return (.play, Self.now(episode) + [.init("queue", .bool(true))])
        case .toggle: return (.toggle, [])
        case .skip(by: let change):
            return (.seek, [.init("to", .string((change < .zero ? "" : "+") + Self.seconds(change)))])
        case .seek(to: let place): return (.seek, [.init("to", .string(Self.seconds(place)))])
        case .next: return (.next, [])
        case .previous: return (.previous, [])
        case .retry: return (.retry, [])
        case .bookmark: return (.command, [.init("line", .string("bookmark"))])
        case .stop: return (.stop, [])
        case .volume(by: let change): return (.volume, [.init("by", .integer(Int64(change)))])
        case .speed(let speed): return (.speed, [.init("to", .string(speed))])
        case .cycleSleep: return (.command, [.init("line", .string("sleep next"))])
        case .cycleRepeat: return (.command, [.init("line", .string("repeat next"))])
        }
    }

    private static func now(_ episode: Int64) -> [JSONValue.Member] {
        [.init("targets", .array([.string("\(episode)")])), .init("place", .string("now"))]
    }

    private static func seconds(_ time: Duration) -> String {
        let (seconds, rest) = time.components
        let milliseconds = abs(rest / 1_000_000_000_000_000)
        let sign = time < .zero ? "-" : ""
        return "\(sign)\(abs(seconds)).\(String(1000 + milliseconds).dropFirst())"
    }
}
