#define _GNU_SOURCE
#include "CLinux.h"

#include <malloc.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

int bh_accept4(int listener, void *address, unsigned int *length, int flags) {
    return accept4(listener, address, length, flags);
}

long bh_recv(int socket, void *buffer, unsigned long length) {
    return syscall(SYS_recvfrom, socket, buffer, length, 0, NULL, NULL);
}

long bh_send(int socket, const void *buffer, unsigned long length) {
    return syscall(SYS_sendto, socket, buffer, length, MSG_NOSIGNAL, NULL, 0);
}

int bh_epoll_wait(int poller, struct epoll_event *events, int capacity, int milliseconds) {
    return (int)syscall(SYS_epoll_pwait, poller, events, capacity, milliseconds, NULL, 0);
}

int bh_affinity_count(void) {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0) return -1;
    return CPU_COUNT(&set);
}

void bh_name_thread(const char *name) {
    char short_name[16];
    strncpy(short_name, name, sizeof short_name - 1);
    short_name[sizeof short_name - 1] = 0;
    prctl(PR_SET_NAME, short_name, 0, 0, 0);
}

void bh_release_freed_memory(void) { malloc_trim(0); }

char **bh_environment(void) { return environ; }
