// C code that splits a multiply into tasks at run time, when the number of workers is known. The split does not change the
// results. Not here: the code of a task, see tiled-multiply.ts and row-dot.ts.

export const splitSource = `// A running multiply: its operands, and the split of C into chunks, which are computed by tasks.
typedef struct {
  char *scratch;   // memory of a worker, allocated by its first task
  int64_t column;  // the first column of B that is packed there
} gemm_panel_cache;
typedef struct {
  const trenio_rt *rt;
  const void *a, *b;
  void *c;                            // the result, or the context of an epilogue
  int64_t rows, columns;              // size of a chunk
  int64_t row_chunks, column_chunks;  // chunks per product
  int64_t batches;                    // products per task
  int64_t tasks;
  gemm_panel_cache *caches;           // one per worker; null if packed columns are not reused between tasks
} gemm_call;
#define GEMM_PANEL_CACHES gemm_panel_cache caches[rt->workers]; for (int w = 0; w < rt->workers; w++) caches[w].scratch = 0; call.caches = caches

// Splits \`batch\` products of m x n x k into tasks. It balances the load of the workers, avoids packing data twice, and
// keeps tasks large enough to make their overhead a few percent at most. Chunks are multiples of the tile. near_a, near_b:
// the cost of loading an element of A or B into the cache, in multiply-adds.
static __attribute__((noinline)) void gemm_split(gemm_call *call, int64_t batch, int64_t m, int64_t n, int64_t k,
    int64_t tile_rows, int64_t tile_columns, int64_t max_rows, int64_t max_columns, int64_t near_a, int64_t near_b) {
  const int64_t smallest = 131072;  // multiply-adds; about 2 microseconds of one core
  const int64_t workers = call->rt->workers;
  const int64_t work = k + 16;      // per element: its products and its store
  const int64_t strips = (m + tile_rows - 1) / tile_rows, panels = (n + tile_columns - 1) / tile_columns;
  const int64_t least_rows = (m + max_rows - 1) / max_rows, least_columns = (n + max_columns - 1) / max_columns;
  const int64_t most = workers == 1 || batch * least_rows * least_columns >= 16 * workers ? 1 : 8 * workers;
  int64_t best = INT64_MAX;
  for (int64_t columns = least_columns; columns <= panels;) {
    const int64_t wide = (panels + columns - 1) / columns, rest = panels % wide;  // panels per chunk, and in the last chunk
    columns = (panels + wide - 1) / wide;
    for (int64_t tasks = 1; tasks <= most; tasks *= 2) {
      const int64_t wanted = tasks / (batch * columns), cuts = wanted > least_rows ? wanted : least_rows;
      const int64_t high = (strips + cuts - 1) / cuts, rows = (strips + high - 1) / high;
      if (best < INT64_MAX && high * tile_rows * wide * tile_columns * work < smallest) continue;
      const int64_t packs = call->caches && rows > workers ? workers : rows;  // how often columns of B are packed
      const int64_t row = k * near_a * (tile_rows * high + 64);  // short pieces of distant rows take longer
      const int64_t panel = tile_columns * (high * tile_rows * work + k * near_b * packs / rows);
      const int64_t one = row + wide * panel, last = rest == 0 ? 0 : row + rest * panel;
      // Whole chunks run in rounds; the smaller chunks of the last columns fill the last round.
      const int64_t count = batch * rows * (columns - (rest != 0)), left = count % workers;
      const int64_t idle = left == 0 ? workers : workers - left;
      int64_t end = (batch * rows + idle - 1) / idle * last;
      if (left != 0 && end < one) end = one;
      const int64_t time = count / workers * one + end + one / 8;  // margin: times of chunks vary
      if (time >= best) continue;
      best = time;
      call->rows = high * tile_rows, call->columns = wide * tile_columns;
      call->row_chunks = rows, call->column_chunks = columns;
    }
    if (most == 1 || batch * columns >= most) break;
    columns = wide == 1 ? panels + 1 : (panels + wide - 2) / (wide - 1);
  }
  const int64_t one = call->rows * call->columns * work;
  const int64_t chunks = call->row_chunks * call->column_chunks;
  call->batches = 1;
  if (chunks == 1 && one < smallest) {
    call->batches = (smallest + one - 1) / one;
    if (call->batches > batch) call->batches = batch;
  }
  call->tasks = chunks * ((batch + call->batches - 1) / call->batches);
}

`;
