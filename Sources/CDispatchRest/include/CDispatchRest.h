// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef EARSHOT_DISPATCH_REST_H
#define EARSHOT_DISPATCH_REST_H
// The file beside this folder replaces functions of libdispatch.
#endif
