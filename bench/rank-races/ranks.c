// All ranks of several hosts as threads of one process, so that a sanitizer sees their shared data, with random delays before each
// atomic operation of the runtime. Includes the sources of src/runtime/native. Not a program that trains: bench/rank-races.ts
// compiles and runs it.
//
//   ranks HOSTS ROUNDS SEED DELAYS     HOSTS: ranks of each host, such as 2,2; DELAYS: 0 for none
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/stat.h>

static int with_delays;
static _Atomic uint64_t streams = 88172645463325252ull;
static _Thread_local uint64_t random_state;
static uint64_t next_random(void) {
  if (random_state == 0) random_state = (atomic_fetch_add(&streams, 0x9e3779b97f4a7c15ull) | 1);
  random_state ^= random_state << 13, random_state ^= random_state >> 7, random_state ^= random_state << 17;
  return random_state * 0x2545f4914f6cdd1dull >> 20;
}
// A thread that is descheduled, for a short or a long time.
static void delay(void) {
  if (!with_delays) return;
  const uint64_t x = next_random();
  if (x % 4096 == 0) usleep(3000);
  else if (x % 128 == 0) usleep(x / 4096 % 150);
  else if (x % 16 == 0) sched_yield();
}
#undef atomic_load
#undef atomic_store
#undef atomic_fetch_add
#undef atomic_fetch_sub
#undef atomic_fetch_or
#undef atomic_compare_exchange_strong
#undef atomic_compare_exchange_weak
#define ORDER memory_order_seq_cst
#define atomic_load(p) (delay(), atomic_load_explicit(p, ORDER))
#define atomic_store(p, v) (delay(), atomic_store_explicit(p, v, ORDER))
#define atomic_fetch_add(p, v) (delay(), atomic_fetch_add_explicit(p, v, ORDER))
#define atomic_fetch_sub(p, v) (delay(), atomic_fetch_sub_explicit(p, v, ORDER))
#define atomic_fetch_or(p, v) (delay(), atomic_fetch_or_explicit(p, v, ORDER))
#define atomic_compare_exchange_strong(p, e, d) (delay(), atomic_compare_exchange_strong_explicit(p, e, d, ORDER, ORDER))
#define atomic_compare_exchange_weak(p, e, d) (delay(), atomic_compare_exchange_weak_explicit(p, e, d, ORDER, ORDER))

// Ranks of a host map its memory at the same address, because a sanitizer identifies memory by address.
static struct { dev_t device; ino_t file; void *at; } mapped[64];
static int mapped_count;
static pthread_mutex_t mapping = PTHREAD_MUTEX_INITIALIZER;
static void *map_once(void *at, size_t bytes, int protection, int flags, int file, off_t offset) {
  struct stat s;
  if (file < 0 || fstat(file, &s) != 0) return mmap(at, bytes, protection, flags, file, offset);
  pthread_mutex_lock(&mapping);
  void *found = NULL;
  for (int i = 0; i < mapped_count && found == NULL; i++)
    if (mapped[i].device == s.st_dev && mapped[i].file == s.st_ino) found = mapped[i].at;
  if (found == NULL) {
    found = mmap(at, bytes, protection, flags, file, offset);
    mapped[mapped_count].device = s.st_dev, mapped[mapped_count].file = s.st_ino, mapped[mapped_count++].at = found;
  }
  pthread_mutex_unlock(&mapping);
  return found;
}
#define mmap map_once
#include "native.c"
#undef mmap

#define MOST_RANKS 64
#define MOST_COUNT 700000
static int hosts, sizes[MOST_RANKS], ranks, rounds, listeners[MOST_RANKS];
static unsigned seed;
static char table[MOST_RANKS * 128], names[MOST_RANKS][64];
static _Atomic int failures;

typedef struct { int rank, host, local, first; } place;
typedef struct { int kind, count, group, started; uint32_t number; } task_of_round;

// The same for all ranks.
static task_of_round round_of(uint32_t number) {
  static const int counts[] = {0, 1, 7, 1000, 1025, 9000, 50001, 300001};
  uint32_t x = (number + seed * 7919u) * 2654435761u;
  x ^= x >> 15, x *= 2246822519u, x ^= x >> 13;
  return (task_of_round){(int)(x % 5), counts[x / 5 % 8], (int)(x / 40 % 3), (int)(x / 120 % 2), number};
}
static int32_t value(int rank, uint32_t number, int64_t i) { return (int32_t)((rank + 1) * (int32_t)((i + number) % 1009)); }
static int32_t sum_of(const int32_t *group, int members, uint32_t number, int64_t i) {
  int32_t sum = 0;
  for (int k = 0; k < members; k++) sum += value(group[k], number, i);
  return sum;
}

typedef struct { task_of_round t; int wrong; int32_t *in, *out; } step_words;
// The ranks of a collective: all, those of the same parity, or those of one host.
static int group_of(int kind, int rank, const place *p, int32_t *group) {
  int members = 0;
  for (int k = 0; k < ranks; k++)
    if (kind == 0 || (kind == 1 && k % 2 == rank % 2) || (kind == 2 && k >= p->first && k < p->first + sizes[p->host])) group[members++] = k;
  return members;
}
static int step(const trenio_rt *rt, void *const *args, char *arena) {
  (void)arena;
  step_words *w = args[0];
  const place *p = args[1];
  const task_of_round t = w->t;
  int32_t group[MOST_RANKS];
  const int members = group_of(t.group, rt->rank, p, group);
  int me = 0;
  while (group[me] != rt->rank) me++;
  int64_t n = t.count;
  int code = 0;
  trenio_collective x = {.group = group, .members = members, .source = -1, .target = -1, .dtype = TRENIO_I32, .op = TRENIO_ADD, .tensors = 1, .counts = &n};
  const void *in[] = {w->in};
  void *out[] = {w->out};
  if (t.kind == 0) { // all_reduce of all ranks, also started
    for (int64_t i = 0; i < n; i++) w->out[i] = value(rt->rank, t.number, i);
    if (t.started) {
      x.kind = TRENIO_ALL_REDUCE, x.group = NULL, x.members = 0;
      code = rt->start(rt, 1, &x, NULL, out);
      if (code == 0) code = rt->await(rt, 1);
    } else code = rt->all_reduce(rt, out, &n, 1, TRENIO_I32, TRENIO_ADD);
    int32_t all[MOST_RANKS];
    const int everyone = group_of(0, rt->rank, p, all);
    for (int64_t i = 0; code == 0 && i < n; i += 1 + n / 500) w->wrong += w->out[i] != sum_of(all, everyone, t.number, i);
  } else if (t.kind == 1) { // all_reduce of a group
    for (int64_t i = 0; i < n; i++) w->out[i] = value(rt->rank, t.number, i);
    x.kind = TRENIO_ALL_REDUCE;
    code = rt->collective(rt, &x, NULL, out);
    for (int64_t i = 0; code == 0 && i < n; i += 1 + n / 500) w->wrong += w->out[i] != sum_of(group, members, t.number, i);
  } else if (t.kind == 2) { // reduce_scatter
    n = n / members;
    for (int64_t i = 0; i < n * members; i++) w->in[i] = value(rt->rank, t.number, i);
    x.kind = TRENIO_REDUCE_SCATTER;
    code = rt->collective(rt, &x, in, out);
    for (int64_t i = 0; code == 0 && i < n; i += 1 + n / 500) w->wrong += w->out[i] != sum_of(group, members, t.number, me * n + i);
  } else if (t.kind == 3) { // all_gather
    n = n / members;
    for (int64_t i = 0; i < n; i++) w->in[i] = value(rt->rank, t.number, i);
    const int64_t bytes = n * 4;
    x.kind = TRENIO_ALL_GATHER, x.counts = &bytes;
    code = rt->collective(rt, &x, in, out);
    for (int k = 0; code == 0 && k < members; k++)
      for (int64_t i = 0; i < n; i += 1 + n / 100) w->wrong += w->out[k * n + i] != value(group[k], t.number, i);
  } else { // around a ring
    for (int64_t i = 0; i < n; i++) w->in[i] = value(rt->rank, t.number, i);
    const int64_t bytes = n * 4;
    x.kind = TRENIO_COLLECTIVE_PERMUTE, x.counts = &bytes;
    x.target = group[(me + 1) % members], x.source = group[(me + members - 1) % members];
    code = rt->collective(rt, &x, in, out);
    for (int64_t i = 0; code == 0 && i < n; i += 1 + n / 500) w->wrong += w->out[i] != value(x.source, t.number, i);
  }
  return code;
}

static void fail(const runtime *r, int rank, uint32_t round, const char *what, int code) {
  const task_of_round t = round_of(round);
  fprintf(stderr, "rank %d, round %u (kind %d, count %d, group %d%s): %s %d %s\n", rank, round, t.kind, t.count, t.group, t.started ? ", started" : "", what, code, r == NULL ? "" : trenio_reason(r, code));
  atomic_fetch_add(&failures, 1);
}
static void *rank_main(void *argument) {
  const place *p = argument;
  const int cpus[] = {-1, -1};
  runtime *r = trenio_open(p->rank % 2 + 1, cpus);
  int32_t with[MOST_RANKS + 1];
  int code = sizes[p->host] == 1 ? 0 : trenio_segment_attach(r, names[p->host], p->local, sizes[p->host]);
  trenio_limit_waits(r, 150000000000ll);
  char host[16];
  snprintf(host, sizeof host, "host%d", p->host);
  trenio_host_name(r, host);
  int alike = sizes[0];
  for (int i = 0; i < hosts; i++) alike = sizes[i] == sizes[0] ? alike : 0;
  if (code == 0 && hosts > 1) code = trenio_tcp_join(r, p->rank, ranks, p->first, sizes[p->host], alike, table, listeners[p->rank], "secret", 150000000000ll, with);
  if (code != 0) {
    fail(r, p->rank, 0, "joining", code);
    return NULL;
  }
  launch *l = calloc(1, sizeof *l + 2 * sizeof(void *));
  step_words w = {.in = calloc(MOST_COUNT, 4), .out = calloc(MOST_COUNT, 4)};
  for (uint32_t k = 0; k < (uint32_t)rounds && atomic_load(&failures) == 0; k++) {
    w.t = round_of(k), w.wrong = 0;
    memset(l, 0, sizeof *l);
    l->entry = step, l->args = 2, l->program = "round", l->words[0] = &w, l->words[1] = argument;
    if (with_delays && next_random() % 32 == 0) usleep(next_random() % 5000);
    trenio_submit(r, l);
    trenio_wait(r, l);
    if (l->code != 0) fail(r, p->rank, k, "collective", l->code);
    else if (w.wrong != 0) fail(NULL, p->rank, k, "wrong elements", w.wrong);
  }
  trenio_close(r);
  return NULL;
}

int main(int count, char **words) {
  if (count != 5) return 2;
  rounds = atoi(words[2]), seed = (unsigned)atoi(words[3]), with_delays = atoi(words[4]);
  atomic_fetch_add(&streams, seed * 2654435761ull);
  for (const char *at = words[1]; *at != 0 && ranks < MOST_RANKS; at += strcspn(at, ","), at += *at == ',') ranks += sizes[hosts++] = atoi(at);
  place places[MOST_RANKS];
  int rank = 0;
  for (int h = 0; h < hosts; h++) {
    const int first = rank;
    int32_t error = 0;
    snprintf(names[h], sizeof names[h], "/trenio-races-%d-%d", (int)getpid(), h);
    if (sizes[h] > 1 && trenio_segment_create(names[h], sizes[h], 1 << 20, &error) == NULL) {
      fprintf(stderr, "no shared memory: error %d\n", (int)error);
      return 2;
    }
    for (int i = 0; i < sizes[h]; i++, rank++) {
      int32_t port = 0;
      listeners[rank] = trenio_tcp_listen("127.0.0.1", 0, &port);
      places[rank] = (place){rank, h, i, first};
      snprintf(table + strlen(table), sizeof table - strlen(table), "%d host%d %d 127.0.0.1 %d\n", rank, h, (int)getpid(), (int)port);
    }
  }
  pthread_t threads[MOST_RANKS];
  for (int k = 0; k < ranks; k++) pthread_create(&threads[k], NULL, rank_main, &places[k]);
  for (int k = 0; k < ranks; k++) pthread_join(threads[k], NULL);
  for (int h = 0; h < hosts; h++)
    if (sizes[h] > 1) shm_unlink(names[h]);
  if (atomic_load(&failures) == 0) printf("%d rounds of %d ranks\n", rounds, ranks);
  return atomic_load(&failures) != 0;
}
