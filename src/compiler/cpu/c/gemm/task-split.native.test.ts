// The split into tasks is complete, within its bounds and balanced.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import koffi from 'koffi';
import { expect, test } from 'vitest';
import { splitSource } from './task-split.ts';

interface Multiply {
  readonly batch: number;
  readonly m: number;
  readonly n: number;
  readonly k: number;
  readonly tileRows: number;
  readonly tileColumns: number;
  readonly maxRows: number;
  readonly maxColumns: number;
  readonly nearA: number;
  readonly nearB: number;
  readonly keeps: boolean;
}
interface Cut {
  readonly rows: number;
  readonly columns: number;
  readonly rowChunks: number;
  readonly columnChunks: number;
  readonly batches: number;
  readonly tasks: number;
}

const split = compiled();
/** bf16, 1024 × 3072 × 768 forward on AVX-512. */
const forward: Multiply = {
  batch: 1,
  m: 1024,
  n: 3072,
  k: 768,
  tileRows: 8,
  tileColumns: 48,
  maxRows: 1024,
  maxColumns: 336,
  nearA: 4,
  nearB: 32,
  keeps: true,
};

test('one worker has the largest chunks that fit', () => {
  expect(split(1, forward)).toMatchObject({ rows: 1024, columns: 336, rowChunks: 1, columnChunks: 10 });
});

test('two workers are given equal shares', () => {
  // in chunks of 336 columns the last has 48, and one worker would compute 20 % more than the other
  const { columns, columnChunks, rowChunks } = split(2, forward);
  expect(3072 % columns).toBe(0);
  expect((columnChunks * rowChunks) % 2).toBe(0);
});

test('if both operands are packed, neither is packed often', () => {
  // dW: all of its columns in each chunk, so that rows are packed once, and columns once for each worker
  const dW = { ...forward, m: 3072, n: 768, k: 1024, maxRows: 3072, maxColumns: 768, nearA: 32 };
  expect(split(2, dW)).toMatchObject({ columns: 768, columnChunks: 1 });
});

test('a small multiply is one task', () => {
  expect(split(8, { ...forward, m: 8, n: 96, k: 16, maxRows: 8, maxColumns: 96 }).tasks).toBe(1);
  // and small products share a task
  expect(split(2, { ...forward, batch: 96, m: 8, n: 96, k: 16, maxRows: 8, maxColumns: 96 }).tasks).toBe(16);
});

test('chunks of any multiply cover it once and keep within their bounds', () => {
  let seed = 1;
  const random = (most: number): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return 1 + Math.floor((seed / 2 ** 32) ** 2 * most);
  };
  for (let i = 0; i < 2000; i++) {
    const [m, n, tileRows, tileColumns] = [random(4000), random(4000), random(14), 16 * random(8)];
    const multiply: Multiply = {
      batch: random(20),
      m,
      n,
      k: random(3000),
      tileRows,
      tileColumns,
      maxRows: random(2) === 1 ? m : tileRows * random(100),
      maxColumns: Math.min(Math.ceil(n / tileColumns), random(40)) * tileColumns,
      nearA: random(40),
      nearB: random(40),
      keeps: random(2) === 1,
    };
    const workers = random(64);
    const { rows, columns, rowChunks, columnChunks, batches, tasks } = split(workers, multiply);
    const context = JSON.stringify({ workers, multiply });
    expect([rows % tileRows, columns % tileColumns], context).toEqual([0, 0]);
    expect(rows, context).toBeLessThanOrEqual(Math.max(multiply.maxRows, Math.ceil(m / tileRows) * tileRows));
    if (multiply.maxRows < m) expect(rows, context).toBeLessThanOrEqual(multiply.maxRows);
    expect(columns, context).toBeLessThanOrEqual(multiply.maxColumns);
    expect([rowChunks, columnChunks], context).toEqual([Math.ceil(m / rows), Math.ceil(n / columns)]);
    expect(tasks, context).toBe(rowChunks * columnChunks * Math.ceil(multiply.batch / batches));
  }
});

function compiled(): (workers: number, multiply: Multiply) => Cut {
  const directory = mkdtempSync(join(tmpdir(), 'trenio-split-'));
  const source = join(directory, 'split.c');
  const object = join(directory, 'split.so');
  writeFileSync(
    source,
    `#include "trenio_rt.h"
${splitSource}
void split(int workers, const int64_t *x, int64_t *results) {
  trenio_rt rt = {.workers = workers};
  gemm_panel_cache cache;
  gemm_call call = {.rt = &rt, .caches = x[10] ? &cache : 0};
  gemm_split(&call, x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9]);
  const int64_t all[] = {call.rows, call.columns, call.row_chunks, call.column_chunks, call.batches, call.tasks};
  for (int i = 0; i < 6; i++) results[i] = all[i];
}
`,
  );
  const header = join(import.meta.dirname, '../../../../runtime/native');
  execFileSync('gcc', ['-O1', '-Wall', '-Werror', '-fPIC', '-shared', `-I${header}`, '-o', object, source]);
  const call = koffi.load(object).func('split', 'void', ['int', 'int64_t *', '_Out_ int64_t *']);
  rmSync(directory, { recursive: true });
  return (workers, x) => {
    const sizes = [x.batch, x.m, x.n, x.k, x.tileRows, x.tileColumns, x.maxRows, x.maxColumns, x.nearA, x.nearB];
    const results = new BigInt64Array(6);
    call(workers, BigInt64Array.from([...sizes, Number(x.keeps)].map(BigInt)), results);
    const [rows, columns, rowChunks, columnChunks, batches, tasks] = [...results].map(Number) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    return { rows, columns, rowChunks, columnChunks, batches, tasks };
  };
}
