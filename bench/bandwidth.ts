// How fast all threads read memory: an array of 512 MB, much larger than the caches.
import { availableParallelism } from 'node:os';
import { hostTarget } from '../src/compiler/index.ts';
import { compileWithRuntime, nanoseconds, peakSource } from './peak.ts';

const target = hostTarget();
/** The compiled loops, which peaks are measured with, too. */
export const native = compileWithRuntime(
  `${peakSource(target)}
typedef float read_vector __attribute__((vector_size(64), aligned(4), may_alias));
enum { READ_BYTES = 1 << 18 };
typedef struct { const char *data; int64_t bytes; } read_all;
static void read_task(void *arg, int64_t task, int worker) {
  const read_all *const all = arg;
  const int64_t lo = task * READ_BYTES, end = lo + READ_BYTES, hi = end < all->bytes ? end : all->bytes;
  read_vector a = {}, b = {}, c = {}, d = {};
  for (int64_t i = lo; i + 256 <= hi; i += 256) {
    a += *(const read_vector *)(all->data + i), b += *(const read_vector *)(all->data + i + 64);
    c += *(const read_vector *)(all->data + i + 128), d += *(const read_vector *)(all->data + i + 192);
  }
  a += b + c + d;
  __asm__ volatile("" : : "v"(a));
}
void bench_fill(char *data, int64_t bytes) { for (int64_t i = 0; i < bytes; i++) data[i] = 0; }
void bench_read(const trenio_rt *rt, const char *data, int64_t bytes) {
  read_all all = {data, bytes};
  rt->parallel(rt, read_task, &all, (bytes + READ_BYTES - 1) / READ_BYTES);
}`,
  target,
);
export const runtime = native.open(availableParallelism(), 'free');
const read = native.library.func('bench_read', 'void', ['uintptr_t', 'uintptr_t', 'int64_t']);
const fill = native.library.func('bench_fill', 'void', ['uintptr_t', 'int64_t']);
const readBytes = 2 ** 29;
const array = native.arena(runtime, readBytes);
fill(array, readBytes);
/** GB/s of all threads, the best of a few. */
export const bandwidth = (): number =>
  Math.max(...Array.from({ length: 3 }, () => readBytes / nanoseconds(() => read(runtime, array, readBytes))));
