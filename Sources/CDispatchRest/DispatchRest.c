// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces the member workqueue.c.o of a static libdispatch.a, of which these are all functions. It examines the threads
// of the global queues every second, to add threads where some block, and so wakes a resting process for good. Earshot
// never blocks these threads: docs/decisions/0072-no-watch-over-global-queues.md.
void _dispatch_workq_worker_register(void *queue);
void _dispatch_workq_worker_unregister(void *queue);

void _dispatch_workq_worker_register(void *queue)
{
}

void _dispatch_workq_worker_unregister(void *queue)
{
}
