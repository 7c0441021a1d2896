// SPDX-License-Identifier: GPL-3.0-or-later
// Loads libcurl at the first request: libcurl and the 28 libraries that it needs take 6 of the 14 ms of a start, and
// commands like `earshot pause` use no network.

// curl.h defines macros with the names of its variadic functions to check their arguments.
#define CURL_DISABLE_TYPECHECK
#include "Loading.h"
#include <curl/curl.h>
#include <stdarg.h>
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

// The ABI has not changed since 2006.
static const char *const library_names[] = {"libcurl.so.4", NULL};

FORWARD_OR(CURLE_FAILED_INIT, CURLcode, curl_global_init, (long flags), (flags))
FORWARD_OR("libcurl (missing)", char *, curl_version, (void), ())
FORWARD_OR(NULL, curl_version_info_data *, curl_version_info, (CURLversion age), (age))
FORWARD(void, curl_free, (void *memory), (memory))
FORWARD(struct curl_slist *, curl_slist_append, (struct curl_slist *list, const char *text), (list, text))
FORWARD(void, curl_slist_free_all, (struct curl_slist *list), (list))

FORWARD(CURL *, curl_easy_init, (void), ())
FORWARD(void, curl_easy_cleanup, (CURL *handle), (handle))
FORWARD_OR(CURLE_FAILED_INIT, CURLcode, curl_easy_pause, (CURL *handle, int mask), (handle, mask))
FORWARD_OR("libcurl cannot be loaded", const char *, curl_easy_strerror, (CURLcode code), (code))

FORWARD(CURLM *, curl_multi_init, (void), ())
FORWARD(CURLMcode, curl_multi_cleanup, (CURLM *multi), (multi))
FORWARD(CURLMcode, curl_multi_add_handle, (CURLM *multi, CURL *handle), (multi, handle))
FORWARD(CURLMcode, curl_multi_remove_handle, (CURLM *multi, CURL *handle), (multi, handle))
FORWARD(CURLMcode, curl_multi_perform, (CURLM *multi, int *running), (multi, running))
FORWARD(CURLMcode, curl_multi_wakeup, (CURLM *multi), (multi))
FORWARD(CURLMsg *, curl_multi_info_read, (CURLM *multi, int *remaining), (multi, remaining))
FORWARD(const char *, curl_multi_strerror, (CURLMcode code), (code))
FORWARD(
    CURLMcode, curl_multi_poll,
    (CURLM *multi, struct curl_waitfd extra[], unsigned int count, int milliseconds, int *ready),
    (multi, extra, count, milliseconds, ready))

FORWARD_OR(NULL, CURLU *, curl_url, (void), ())
FORWARD(void, curl_url_cleanup, (CURLU *url), (url))
FORWARD(CURLU *, curl_url_dup, (CURLU *url), (url))
FORWARD(CURLUcode, curl_url_get, (CURLU *url, CURLUPart part, char **text, unsigned int flags),
    (url, part, text, flags))
FORWARD(CURLUcode, curl_url_set, (CURLU *url, CURLUPart part, const char *text, unsigned int flags),
    (url, part, text, flags))

// The number of an option says which type its argument has: a curl_off_t, a long, or a pointer.
CURLcode curl_easy_setopt(CURL *handle, CURLoption option, ...) {
    va_list arguments;
    va_start(arguments, option);
    CURLcode code;
    if (option >= CURLOPTTYPE_OFF_T && option < CURLOPTTYPE_BLOB)
        code = ADDRESS(curl_easy_setopt)(handle, option, va_arg(arguments, curl_off_t));
    else if (option < CURLOPTTYPE_OBJECTPOINT)
        code = ADDRESS(curl_easy_setopt)(handle, option, va_arg(arguments, long));
    else
        code = ADDRESS(curl_easy_setopt)(handle, option, va_arg(arguments, void *));
    va_end(arguments);
    return code;
}

CURLMcode curl_multi_setopt(CURLM *multi, CURLMoption option, ...) {
    va_list arguments;
    va_start(arguments, option);
    CURLMcode code;
    if ((int)option >= CURLOPTTYPE_OFF_T)
        code = ADDRESS(curl_multi_setopt)(multi, option, va_arg(arguments, curl_off_t));
    else if ((int)option < CURLOPTTYPE_OBJECTPOINT)
        code = ADDRESS(curl_multi_setopt)(multi, option, va_arg(arguments, long));
    else
        code = ADDRESS(curl_multi_setopt)(multi, option, va_arg(arguments, void *));
    va_end(arguments);
    return code;
}

CURLcode curl_easy_getinfo(CURL *handle, CURLINFO info, ...) {
    va_list arguments;
    va_start(arguments, info);
    CURLcode code = ADDRESS(curl_easy_getinfo)(handle, info, va_arg(arguments, void *));
    va_end(arguments);
    return code;
}
