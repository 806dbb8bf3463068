// Prints the part that all plans share: the entry that starts the tasks, and the address of a task's part of C.

import { batchCount } from '../../gemm/problem.ts';
import type { GemmProblem } from '../../ir/multiply-tiling.ts';
import type { PartsBuilder } from './gemm-functions.ts';
import { scalarType } from './gemm-types.ts';

/**
 * The function that receives the sums instead of C: a function of C, declared before the multiply,
 * `static void NAME(void *context, int64_t rows, int64_t count, …)`. See README.md.
 */
export interface Epilogue {
  readonly name: string;
}

/**
 * The multiply's own function. `split` fills in the chunks of the call; BATCH in it becomes the number of products.
 */
export function emitEntry(out: PartsBuilder, name: string, p: GemmProblem, split: string, epilogue?: Epilogue): void {
  const T = scalarType(p.elementType);
  const c = epilogue === undefined ? `${scalarType(p.resultType)} *c` : 'void *c';
  out.line(`static void ${name}(const trenio_rt *rt, const ${T} *a, const ${T} *b, ${c}) {`);
  out.line(`gemm_call call = {.rt = rt, .a = ${p.swapped ? 'b' : 'a'}, .b = ${p.swapped ? 'a' : 'b'}, .c = c};`);
  out.line(split.replace('BATCH', String(batchCount(p))), `rt->parallel(rt, ${name}_task, &call, call.tasks);`, '}');
}

/**
 * Opens a task's loop over its products, with `a`, `b`, `c` at the product and row0, row1, column0, column1 the chunk of C.
 * With an epilogue `offset` is the element of C at which the product begins. Leaves two blocks open: the function's and the
 * loop's. `prepare` prints the code before the loop.
 */
export function emitProductLoop(
  out: PartsBuilder,
  p: GemmProblem,
  chunks: { rows: boolean; epilogue?: Epilogue | undefined },
  prepare: () => void,
): void {
  const T = scalarType(p.elementType);
  const C = scalarType(p.resultType);
  out.line('const gemm_call *const call = argument;');
  prepare();
  if (chunks.rows) {
    out.line('const int64_t row0 = task % call->row_chunks * call->rows;');
    out.line(`const int64_t row1 = ${p.m} - row0 < call->rows ? ${p.m} : row0 + call->rows;`);
  }
  out.line('const int64_t column0 = task / call->row_chunks % call->column_chunks * call->columns;');
  out.line(`const int64_t column1 = ${p.n} - column0 < call->columns ? ${p.n} : column0 + call->columns;`);
  if (p.batch.length === 0) {
    out.line('{', `const ${T} *const a = call->a, *const b = call->b;`);
    out.line(chunks.epilogue === undefined ? `${C} *const c = call->c;` : 'const int64_t offset = 0;');
    return;
  }
  const count = batchCount(p);
  out.line('const int64_t first = task / (call->row_chunks * call->column_chunks) * call->batches;');
  out.line(`const int64_t last = ${count} - first < call->batches ? ${count} : first + call->batches;`);
  out.line('for (int64_t product = first; product < last; product++) {');
  const offsets = { a: [] as string[], b: [] as string[], c: [] as string[] };
  let inner = 1;
  for (let i = p.batch.length - 1; i >= 0; i--) {
    const d = p.batch[i]!;
    const index = `product${inner > 1 ? ` / ${inner}` : ''}${i > 0 ? ` % ${d.size}` : ''}`;
    for (const x of ['a', 'b', 'c'] as const) if (d[x] !== 0) offsets[x].unshift(` + ${index} * ${d[x]}`);
    inner *= d.size;
  }
  out.line(`const ${T} *const a = (const ${T} *)call->a${offsets.a.join('')};`);
  out.line(`const ${T} *const b = (const ${T} *)call->b${offsets.b.join('')};`);
  if (chunks.epilogue === undefined) out.line(`${C} *const c = (${C} *)call->c${offsets.c.join('')};`);
  else out.line(`const int64_t offset = 0${offsets.c.join('')};`);
}
