// SPDX-License-Identifier: GPL-3.0-or-later
// Loads libxml2 for the first feed: with it come ICU and the C++ library, 2.5 MB of memory that playing does not use.
#include "Loading.h"
#include <libxml/xmlversion.h>
// Otherwise the headers include those of ICU.
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/parser.h>

static const char *const library_names[] = {"libxml2.so.2", NULL};

FORWARD(void, xmlInitParser, (void), ())
FORWARD(int, xmlStrlen, (const xmlChar *text), (text))
FORWARD(int, xmlDictSize, (xmlDictPtr dictionary), (dictionary))
FORWARD(void, xmlFreeDoc, (xmlDocPtr document), (document))

FORWARD(
    xmlParserCtxtPtr, xmlCreatePushParserCtxt,
    (xmlSAXHandlerPtr handler, void *data, const char *chunk, int size, const char *name),
    (handler, data, chunk, size, name))
FORWARD(void, xmlFreeParserCtxt, (xmlParserCtxtPtr context), (context))
FORWARD(int, xmlCtxtUseOptions, (xmlParserCtxtPtr context, int options), (context, options))
FORWARD(
    int, xmlParseChunk, (xmlParserCtxtPtr context, const char *chunk, int size, int is_end),
    (context, chunk, size, is_end))
FORWARD(void, xmlStopParser, (xmlParserCtxtPtr context), (context))
FORWARD(long, xmlByteConsumed, (xmlParserCtxtPtr context), (context))

FORWARD(
    htmlParserCtxtPtr, htmlCreatePushParserCtxt,
    (htmlSAXHandlerPtr handler, void *data, const char *chunk, int size, const char *name, xmlCharEncoding encoding),
    (handler, data, chunk, size, name, encoding))
FORWARD(void, htmlFreeParserCtxt, (htmlParserCtxtPtr context), (context))
FORWARD(int, htmlCtxtUseOptions, (htmlParserCtxtPtr context, int options), (context, options))
FORWARD(
    int, htmlParseChunk, (htmlParserCtxtPtr context, const char *chunk, int size, int is_end),
    (context, chunk, size, is_end))
