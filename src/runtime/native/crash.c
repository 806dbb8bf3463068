// What is said when a thread of a step crashes: one line that names the signal, the custom operator and the program. Then
// the signal goes the way it would have gone: to the handler that was there before (Node's, for example), or to the system,
// which ends the process. Only calls that are safe in a handler: no stdio, no memory, no locks.
//
// Knowing what runs costs a pointer a step and a pointer an operator call. A crash of the operator's own thread outside of
// a parallel loop never comes here: trenio_operator.h makes an error of it.
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include "runtime.h"

#define STACK_BYTES (64 << 10)
// How long a thread that crashes waits for a reader of the line, or for another thread to write it.
#define LONGEST_WAIT_NS 10000000000

static const struct {
  int number;
  const char *name;
} crashes[] = {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"}, {SIGFPE, "SIGFPE"}, {SIGILL, "SIGILL"}, {SIGABRT, "SIGABRT"}};
#define CRASHES (sizeof crashes / sizeof *crashes)
static struct sigaction before[CRASHES];
static runtime *_Atomic watched; // the last that was opened
enum { not_said, is_being_said, said };
static _Atomic int line_state = not_said;

typedef struct {
  char text[512];
  size_t length;
} line;
static void add(line *l, const char *text) {
  for (; *text != 0 && l->length < sizeof l->text - 1; text++) {
    const char c = *text;
    l->text[l->length++] = (char)(c < ' ' ? ' ' : c);
  }
}
static void add_number(line *l, uint64_t value, unsigned base) {
  char digits[24] = {0};
  int at = sizeof digits - 1;
  do digits[--at] = "0123456789abcdef"[value % base];
  while ((value /= base) != 0);
  add(l, digits + at);
}

// Node makes pipes non-blocking: a full one is waited for.
static void write_line(const line *l) {
  const int64_t until = now_ns() + LONGEST_WAIT_NS;
  for (size_t done = 0; done < l->length && now_ns() < until;) {
    const ssize_t n = write(STDERR_FILENO, l->text + done, l->length - done);
    if (n > 0) done += (size_t)n;
    else if (errno == EAGAIN) poll(&(struct pollfd){.fd = STDERR_FILENO, .events = POLLOUT}, 1, 100);
    else if (errno != EINTR) return;
  }
}

// The worker number of this thread, or -1 for a thread outside the runtime.
static int own_number(const runtime *r) {
  for (int i = 0; i < r->rt.workers; i++)
    if (pthread_equal(r->pool.workers[i].thread, pthread_self())) return i;
  return -1;
}

static void tell(const runtime *r, size_t which, const siginfo_t *info) {
  const char *program = atomic_load(&r->program), *operator_name = r->for_operators.doing;
  const int number = own_number(r);
  // A thread that an operator has started is not known here, and nor are Node's own.
  if (program == NULL || (number < 0 && operator_name == NULL)) return;
  // Several threads may crash at once: one line, and none of them ends the process before it is written.
  int state = not_said;
  if (!atomic_compare_exchange_strong(&line_state, &state, is_being_said)) {
    const struct timespec nap = {0, 1000000};
    for (const int64_t until = now_ns() + LONGEST_WAIT_NS; atomic_load(&line_state) != said && now_ns() < until;) nanosleep(&nap, NULL);
    return;
  }
  line l = {.length = 0};
  add(&l, "trenio: ");
  add(&l, crashes[which].name);
  if (crashes[which].number != SIGABRT) {
    add(&l, " at address 0x");
    add_number(&l, (uint64_t)(uintptr_t)info->si_addr, 16);
  }
  if (r->rt.world_size > 1) {
    add(&l, " on rank ");
    add_number(&l, (uint64_t)r->rt.rank, 10);
  }
  if (number < 0) add(&l, " on its own thread");
  if (operator_name != NULL) {
    add(&l, " in the custom operator ");
    add(&l, operator_name);
    add(&l, ", in ");
  } else add(&l, " in ");
  add(&l, program);
  l.text[l.length++] = '\n';
  write_line(&l);
  atomic_store(&line_state, said);
}

static void on_crash(int signal, siginfo_t *info, void *context) {
  size_t which = 0;
  while (which < CRASHES - 1 && crashes[which].number != signal) which++;
  const runtime *r = atomic_load(&watched);
  if (r != NULL) tell(r, which, info);
  const struct sigaction *old = &before[which];
  if ((old->sa_flags & SA_SIGINFO) != 0) {
    old->sa_sigaction(signal, info, context);
    return;
  }
  if (old->sa_handler != SIG_DFL && old->sa_handler != SIG_IGN) {
    old->sa_handler(signal);
    return;
  }
  sigaction(signal, old, NULL);
  // A fault happens again when this returns, where it happened; what was sent (abort, kill) is sent again.
  if (info->si_code <= 0) raise(signal);
}

void crash_watch(runtime *r) {
  static atomic_flag installed = ATOMIC_FLAG_INIT;
  atomic_store(&watched, r);
  if (atomic_flag_test_and_set(&installed)) return;
  struct sigaction action = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < CRASHES; i++) sigaction(crashes[i].number, &action, &before[i]);
}
void crash_forget(runtime *r) {
  runtime *expected = r;
  atomic_compare_exchange_strong(&watched, &expected, NULL);
}

// A thread whose stack overflows needs another one for the handler. It is never freed: threads live as long as the runtime.
void crash_thread_begins(void) {
  stack_t stack = {.ss_sp = malloc(STACK_BYTES), .ss_size = STACK_BYTES};
  if (stack.ss_sp != NULL) sigaltstack(&stack, NULL);
}
