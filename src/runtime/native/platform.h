// The few things that the operating systems do differently: sleeping on a word of memory, pausing, time, pinning.
// Compiled with -D_GNU_SOURCE. Linux is what is measured and tested; elsewhere sleeping is a short nap and pinning does nothing.
#pragma once
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/futex.h>
#include <sys/syscall.h>
#endif

static inline int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}
// The processor time of the calling thread, in user mode and in the kernel.
static inline int64_t thread_cpu_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static inline void cpu_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb" ::: "memory");
#endif
}

// Waiting first spins (a wake-up through the kernel takes some 40 us), and only for a bounded time: on a machine that
// is also used by others an unbounded spin takes the core away from the thread that is waited for. A pause lasts
// 20 to 60 ns depending on the processor, hence the clock.
typedef struct {
  int64_t until;
  unsigned count;
} spinner;
static inline bool spin_once(spinner *s, int64_t limit_ns) {
  if (limit_ns <= 0) return false;
  if (s->count++ == 0) s->until = now_ns() + limit_ns;
  else if ((s->count & 31) == 0 && now_ns() > s->until) return false;
  cpu_pause();
  return true;
}

// Sleeps while *word == seen, until a wake or the timeout (0: none). May return early: the caller looks again.
static inline void word_wait(_Atomic uint32_t *word, uint32_t seen, int64_t timeout_ns, bool between_processes) {
#ifdef __linux__
  struct timespec t = {timeout_ns / 1000000000, timeout_ns % 1000000000};
  syscall(SYS_futex, word, between_processes ? FUTEX_WAIT : FUTEX_WAIT_PRIVATE, seen, timeout_ns > 0 ? &t : NULL, NULL, 0);
#else
  (void)timeout_ns, (void)between_processes;
  struct timespec nap = {0, 50000};
  if (atomic_load(word) == seen) nanosleep(&nap, NULL);
#endif
}
static inline void word_wake_all(_Atomic uint32_t *word, bool between_processes) {
#ifdef __linux__
  syscall(SYS_futex, word, between_processes ? FUTEX_WAKE : FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
#else
  (void)word, (void)between_processes;
#endif
}

static inline int usable_cpus(void) {
#ifdef __linux__
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
  long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n > 0 ? (int)n : 1;
}

// Pins the calling thread to these CPUs, unless one of them is -1: any. CPUs that this process may not use are ignored: a slower
// run, not a wrong one.
static inline void pin_to_any(const int *cpus, int count) {
#ifdef __linux__
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int i = 0; i < count; i++) {
    if (cpus[i] < 0 || cpus[i] >= CPU_SETSIZE) return;
    CPU_SET(cpus[i], &set);
  }
  if (count > 0) sched_setaffinity(0, sizeof set, &set);
#else
  (void)cpus, (void)count;
#endif
}
static inline void pin_to(int cpu) { pin_to_any(&cpu, 1); }
