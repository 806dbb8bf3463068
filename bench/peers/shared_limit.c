// The limit of an all-reduce between two processes of one machine: each copies its array to shared memory in pieces, and adds the
// other's to its own; neither waits. Prints a line of JSON for each size.   shared_limit ROUNDS BYTES,BYTES…
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PIECE (512 << 10)
static int ascending(const void *a, const void *b) { return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b); }
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}
static void add(float *restrict to, const float *restrict from, long n) {
  for (long i = 0; i < n; i++) to[i] += from[i];
}

int main(int count, char **words) {
  if (count < 3) return 2;
  const int rounds = atoi(words[1]);
  char *shared = mmap(NULL, 4096 + 2 * PIECE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_barrier_t *barrier = (pthread_barrier_t *)shared;
  pthread_barrierattr_t attributes;
  pthread_barrierattr_init(&attributes);
  pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_barrier_init(barrier, &attributes, 2);
  const int rank = fork() == 0;
  char *mine = shared + 4096 + rank * PIECE, *other = shared + 4096 + !rank * PIECE;
  double *times = calloc((size_t)rounds, sizeof *times);
  for (char *word = strtok(words[2], ","); word != NULL; word = strtok(NULL, ",")) {
    const long bytes = atol(word);
    char *x = aligned_alloc(2 << 20, ((size_t)bytes + (2 << 20) - 1) / (2 << 20) * (2 << 20));
    madvise(x, (size_t)bytes, MADV_HUGEPAGE);
    memset(x, 0, (size_t)bytes);
    const int repeats = bytes <= 65536 ? 200 : 20;
    for (int round = -2; round < rounds; round++) {
      pthread_barrier_wait(barrier);
      const double start = now();
      for (int i = 0; i < repeats; i++)
        for (long at = 0; at < bytes; at += PIECE) {
          const long n = bytes - at < PIECE ? bytes - at : PIECE;
          memcpy(mine, x + at, (size_t)n);
          add((float *)(x + at), (const float *)other, n / 4);
        }
      if (round >= 0) times[round] = (now() - start) / repeats;
    }
    qsort(times, (size_t)rounds, sizeof *times, ascending);
    if (rank == 0) printf("{\"bytes\":%ld,\"ms\":%f,\"best\":%f}\n", bytes, times[rounds / 2], times[0]), fflush(stdout);
    free(x);
  }
  if (rank == 0) wait(NULL);
  return 0;
}
