// SPDX-License-Identifier: GPL-3.0-or-later
import CCurl

/// Receives a piece of a body from libcurl; `context` is the transfer, which outlives its handle.
func bodyArrived(
    data: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    return transfer.handleBody(UnsafeRawBufferPointer(start: data, count: size * count))
}

/// Receives one complete header line from libcurl; `context` as above.
func headerArrived(
    data: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    return transfer.handleHeaderLine(UnsafeRawBufferPointer(start: data, count: size * count))
}

/// Opens a socket before libcurl connects to one of the addresses of a name.
func socketWanted(
    context: UnsafeMutableRawPointer?, purpose: curlsocktype, address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let context, let address else { return CURL_SOCKET_BAD }
    let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    let bytes = UnsafeRawBufferPointer(start: earshot_socket_address(address), count: Int(address.pointee.addrlen))
    guard transfer.mayConnect(to: bytes) else { return CURL_SOCKET_BAD }
    return earshot_open_socket(address)
}

/// Approves a connection, new or reused, before libcurl sends the request on it.
func requestDue(
    context: UnsafeMutableRawPointer?, remote: UnsafeMutablePointer<CChar>?, local: UnsafeMutablePointer<CChar>?,
    remotePort: CInt, localPort: CInt
) -> CInt {
    guard let context, let remote else { return CInt(CURL_PREREQFUNC_ABORT) }
    let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    return transfer.maySend(to: String(cString: remote)) ? CInt(CURL_PREREQFUNC_OK) : CInt(CURL_PREREQFUNC_ABORT)
}
