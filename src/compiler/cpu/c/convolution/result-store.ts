// Stores sums in the result, and adds up the sums of several slices of k.
import { memoryType, rounded, stored } from '../scalar/c-types.ts';
import { type Emission, emitPart, resultAt } from './emission.ts';

/** Stores sums from scratch memory or a workspace in the result. */
export function emitStore(e: Emission): void {
  const { plan, out, T } = e;
  const { memory } = plan;
  const { y } = e.types;
  const isAcross = plan.orientation === 'across';
  const at = isAcross ? `m * ${memory.sumRow} + j + i` : `(j + i) * ${memory.sumRow} + m`;
  const put = (where: string): string => `${where} = ${stored(y, rounded(y, `sums[${at}]`))};`;
  const { yOut } = plan.problem;
  out.line('// Stores the sums of columns j0 to j1 of some output features; y points to the first feature.');
  out.open(
    `static void @_store(const t_conv *c, const ${T} *restrict sums, int64_t features, int64_t j0, int64_t j1, ${memoryType(y)} *restrict y)`,
  );
  out.open('for (int64_t j = 0; j < j1 - j0;)');
  out.line('const int64_t inner = c->y_size[3], at = (j0 + j) % inner, step = c->y_stride[3];');
  out.line('int64_t rest = (j0 + j) / inner, count = inner - at;');
  out.line('if (count > j1 - j0 - j) count = j1 - j0 - j;');
  out.line(`${memoryType(y)} *to = y + c->y_base + at * step;`);
  out.line('for (int d = 2; d >= 0; d--) to += rest % c->y_size[d] * c->y_stride[d], rest /= c->y_size[d];');
  if (yOut === 1) {
    out.open('for (int64_t i = 0; i < count; i++)');
    out.line('#pragma omp simd');
    out.line(`for (int64_t m = 0; m < features; m++) ${put('to[i * step + m]')}`);
    out.close();
  } else {
    if (!isAcross) {
      // Sixteen features are a cache line of the sums, which is read once for all of them.
      out.open('for (int64_t m0 = 0; m0 < features; m0 += 16)');
      out.open('for (int64_t m = m0; m < features && m < m0 + 16; m++)');
    } else out.open('for (int64_t m = 0; m < features; m++)');
    out.open('if (step == 1)');
    if (isAcross) out.line('#pragma omp simd');
    out.line(`for (int64_t i = 0; i < count; i++) ${put(`to[m * ${yOut} + i]`)}`);
    out.close(' else {');
    out.line(`  for (int64_t i = 0; i < count; i++) ${put(`to[m * ${yOut} + i * step]`)}`);
    out.line('}');
    out.close();
    if (!isAcross) out.close();
  }
  out.line('j += count;');
  out.close();
  out.close();
}

/** Adds the slices of k in their order, then stores them. */
export function emitCombine(e: Emission): void {
  const { plan, out, T } = e;
  const { memory } = plan;
  const count = memory.partial;
  out.open('static void @_combine(void *arg, int64_t task, int worker)');
  out.line('char *const *const p = ((const t_call *)arg)->p;');
  emitPart(e, 'task');
  out.line(`${T} *const sums = (${T} *)p[${e.slots.workspace}] + ${memory.packed} + task * ${plan.slices * count};`);
  const isAcross = plan.orientation === 'across';
  const [rows, columns] = isAcross ? ['m1 - m0', 'j1 - j0'] : ['j1 - j0', 'm1 - m0'];
  out.open(`for (int64_t row = 0; row < ${rows}; row++)`);
  out.open(`for (int64_t s = 1; s < ${plan.slices}; s++)`);
  out.line(`${T} *restrict const sum = sums + row * ${memory.sumRow};`);
  out.line(`const ${T} *restrict const slice = sum + s * ${count};`);
  out.line('#pragma omp simd');
  out.line(`for (int64_t i = 0; i < ${columns}; i++) sum[i] += slice[i];`);
  out.close();
  out.close();
  out.line(`@_store(c, sums, m1 - m0, j0, j1, ${resultAt(e)});`);
  out.close();
}
