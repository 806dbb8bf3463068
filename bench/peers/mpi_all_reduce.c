// MPI's own all-reduce, in place; rank 0 prints a line of JSON for each size.   mpi_all_reduce ROUNDS BYTES,BYTES…
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b) { return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b); }

int main(int count, char **words) {
  if (count < 3) return 2;
  MPI_Init(&count, &words);
  int rank, rounds = atoi(words[1]);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double *times = calloc((size_t)rounds, sizeof *times);
  for (char *word = strtok(words[2], ","); word != NULL; word = strtok(NULL, ",")) {
    const long bytes = atol(word);
    float *x = calloc(1, (size_t)bytes);
    const int repeats = bytes <= 65536 ? 200 : 20;
    for (int round = -2; round < rounds; round++) {
      MPI_Barrier(MPI_COMM_WORLD);
      const double start = MPI_Wtime();
      for (int i = 0; i < repeats; i++) MPI_Allreduce(MPI_IN_PLACE, x, (int)(bytes / 4), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
      if (round >= 0) times[round] = (MPI_Wtime() - start) / repeats * 1000;
    }
    qsort(times, (size_t)rounds, sizeof *times, ascending);
    if (rank == 0) printf("{\"bytes\":%ld,\"ms\":%f,\"best\":%f}\n", bytes, times[rounds / 2], times[0]), fflush(stdout);
    free(x);
  }
  MPI_Finalize();
  return 0;
}
