// The MPI functions that the runtime needs, as a separate library: compiled by the user's mpicc, because the ABIs of MPI implementations differ, and loaded
// only where an MPI job has started the ranks. It moves bytes between ranks and knows nothing of collectives.
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static MPI_Comm world;
// Requests by number, as their type is each MPI's own.
static MPI_Request *requests;
static int64_t *free_numbers, count_free, count_all;

static int64_t number_of(void) {
  if (count_free == 0) {
    const int64_t more = count_all == 0 ? 256 : count_all;
    MPI_Request *r = realloc(requests, (size_t)(count_all + more) * sizeof *r);
    if (r == NULL) return -1;
    requests = r;
    int64_t *f = realloc(free_numbers, (size_t)(count_all + more) * sizeof *f);
    if (f == NULL) return -1;
    free_numbers = f;
    for (int64_t i = 0; i < more; i++) free_numbers[count_free++] = count_all + more - 1 - i;
    count_all += more;
  }
  return free_numbers[--count_free];
}

// In Open MPI 4's MPI_Init under srun --mpi=pmix (seen with 4.1.4, PMIx 4.2.2 and Slurm 22.05) a rank can leave its first fences
// while another one of its host has not yet connected, and send to a rank that cannot receive yet, which crashes. With the
// exchange of addresses in the background there is one fence, at the end of MPI_Init, and a rank may be late.
static void allow_late_ranks(void) {
#if defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION < 5
  const char *job = getenv("PMIX_NAMESPACE");
  if (job != NULL && strncmp(job, "slurm.", 6) == 0) setenv("OMPI_MCA_pmix_base_async_modex", "1", 0);
#endif
}

// 0, or MPI's error. What the library is called is written to `name`.
int trenio_mpi_start(int *rank, int *size, char *name, int bytes) {
  int initialized = 0, provided = 0, error = MPI_Initialized(&initialized);
  allow_late_ranks();
  if (error == 0 && !initialized) error = MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
  else MPI_Query_thread(&provided);
  if (error != 0) return error;
  if (provided < MPI_THREAD_SERIALIZED) return MPI_ERR_OTHER;
  // Messages of ours must not meet the script's own.
  error = MPI_Comm_dup(MPI_COMM_WORLD, &world);
  if (error != 0) return error;
  MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
  MPI_Comm_rank(world, rank);
  MPI_Comm_size(world, size);
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(version, &length);
  version[strcspn(version, "\n")] = 0;
  strncpy(name, version, (size_t)bytes - 1);
  name[bytes - 1] = 0;
  return 0;
}
int trenio_mpi_gather(const void *own, void *all, int bytes) { return MPI_Allgather(own, bytes, MPI_BYTE, all, bytes, MPI_BYTE, world); }
int64_t trenio_mpi_send(int peer, int tag, const void *data, int64_t bytes) {
  const int64_t n = number_of();
  return n < 0 || MPI_Isend(data, (int)bytes, MPI_BYTE, peer, tag, world, &requests[n]) != 0 ? -1 : n;
}
int64_t trenio_mpi_receive(int peer, int tag, void *to, int64_t bytes) {
  const int64_t n = number_of();
  return n < 0 || MPI_Irecv(to, (int)bytes, MPI_BYTE, peer, tag, world, &requests[n]) != 0 ? -1 : n;
}
// 1: done, and the number is free again; 0: not yet; -1: it failed.
int trenio_mpi_test(int64_t n) {
  int done = 0;
  if (MPI_Test(&requests[n], &done, MPI_STATUS_IGNORE) != 0) return -1;
  if (done) free_numbers[count_free++] = n;
  return done;
}
void trenio_mpi_cancel(int64_t n) {
  MPI_Cancel(&requests[n]);
  MPI_Wait(&requests[n], MPI_STATUS_IGNORE);
  free_numbers[count_free++] = n;
}
// MPICH over UCX closes all connections in MPI_Finalize and then waits for the other ranks without moving bytes any more; a rank
// that still closes one to them waits forever (seen with 4.0.2 under srun --mpi=pmi2). Such a process ends without it. Not under
// mpiexec, which kills the others when a process ends without it, and where it has not been seen.
static int may_hang(void) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  return getenv("MPI_LOCALNRANKS") == NULL && MPI_Get_library_version(version, &length) == 0 &&
         strstr(version, "MPICH") != NULL && strstr(version, "ch4:ucx") != NULL;
}

int trenio_mpi_end(void) {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized) return 0;
  // No rank ends while another one still needs it.
  MPI_Barrier(world);
  if (may_hang()) return 0;
  MPI_Comm_free(&world);
  return MPI_Finalize();
}
