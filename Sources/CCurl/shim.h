// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <curl/curl.h>
#include <stdbool.h>

// curl_easy_setopt and curl_easy_getinfo are variadic, which Swift cannot call, and read their argument with
// the exact C type of the option: one shim per type.
static inline CURLcode earshot_setopt_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode earshot_setopt_offset(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode earshot_setopt_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode earshot_setopt_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode earshot_setopt_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}
typedef size_t (*earshot_write_callback)(char *data, size_t size, size_t count, void *context);
static inline CURLcode earshot_setopt_callback(CURL *handle, CURLoption option, earshot_write_callback value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode earshot_setopt_opensocket(CURL *handle, CURLoption option, curl_opensocket_callback value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode earshot_setopt_prereq(CURL *handle, CURLoption option, curl_prereq_callback value) {
    return curl_easy_setopt(handle, option, value);
}
// The address is longer than the member that libcurl declares for it.
static inline const void *earshot_socket_address(const struct curl_sockaddr *address) {
    return &address->addr;
}
static inline curl_socket_t earshot_open_socket(const struct curl_sockaddr *address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}
static inline CURLcode earshot_getinfo_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode earshot_getinfo_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode earshot_getinfo_pointer(CURL *handle, CURLINFO info, void **value) {
    return curl_easy_getinfo(handle, info, value);
}
// Returns the version of the loaded library as 0xXXYYZZ; 0 if the library does not report it. Here because
// CURLVERSION_NOW is a macro.
static inline unsigned int earshot_version_number(void) {
    const curl_version_info_data *info = curl_version_info(CURLVERSION_NOW);
    return info ? info->version_num : 0;
}
static inline bool earshot_has_brotli(void) {
    const curl_version_info_data *info = curl_version_info(CURLVERSION_NOW);
    return info && (info->features & CURL_VERSION_BROTLI);
}
static inline CURLMcode earshot_multi_setopt_long(CURLM *handle, CURLMoption option, long value) {
    return curl_multi_setopt(handle, option, value);
}
