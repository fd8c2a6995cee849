#ifndef BRIDGEHOST_CLINUX_H
#define BRIDGEHOST_CLINUX_H

#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/types.h>

// Types that Glibc's module has too are left out: a whole-module build takes them for this module's.
// Calls that need _GNU_SOURCE or are variadic. Each returns what the call returns and leaves errno as it set it.

int bh_accept4(int listener, void *address, unsigned int *length, int flags);

// Receiving, sending and waiting on the request path, straight to the kernel: glibc's own make each a cancellation
// point, which costs every call two atomic operations in a process with threads, and no thread here is ever cancelled.

long bh_recv(int socket, void *buffer, unsigned long length);

/// Never raises SIGPIPE.
long bh_send(int socket, const void *buffer, unsigned long length);

int bh_epoll_wait(int poller, struct epoll_event *events, int capacity, int milliseconds);

/// The number of processors that the scheduler lets this process use, or -1.
int bh_affinity_count(void);

/// Names the calling thread for ps, top and debuggers; longer names are cut to 15 bytes.
void bh_name_thread(const char *name);

/// Gives memory that was freed back to the kernel.
void bh_release_freed_memory(void);

/// The environment; Swift can't import a variable that any thread may change.
char **bh_environment(void);

#endif
