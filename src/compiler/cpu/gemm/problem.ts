// The equal but simpler problem that is solved in place of a multiply: batches folded into rows, operands swapped.
// Not here: how it is computed (gemm-plan.ts).
import { invariant } from '../../../base/errors.ts';
import type { GemmElementType, GemmSpec } from '../../ir/multiply.ts';
import type { GemmProblem } from '../ir/multiply-tiling.ts';

/**
 * The same products over fewer dimensions: unit batch dimensions are dropped, adjacent ones merged, and a batch dimension
 * that continues the rows (or columns) of an operand while the other operand repeats becomes rows (or columns), so a
 * linear layer over [batch, sequence] is one tall multiply. Then A and B are swapped if that suits vectors of `lanes`
 * elements better, or, with `contiguousRows`, only if that makes the columns of C contiguous.
 */
export function simplify(spec: GemmSpec, lanes: number, contiguousRows = false): GemmProblem {
  check(spec);
  const folded = mergeBatches(foldBatches(withUnitStrides({ ...spec, batch: spec.batch.filter(d => d.size !== 1) })));
  const problem = { ...folded, resultType: resultTypeOf(spec), swapped: false };
  const swap = contiguousRows ? folded.c.m === 1 && (folded.c.n !== 1 || folded.m > folded.n) : swapPays(folded, lanes);
  return swap ? transposed(problem) : problem;
}

export function resultTypeOf(spec: GemmSpec): GemmElementType {
  return spec.resultType ?? spec.elementType;
}

/** Cᵀ = Bᵀ·Aᵀ: the same numbers, with rows called columns. */
export function transposed(p: GemmProblem): GemmProblem {
  return {
    ...p,
    swapped: !p.swapped,
    batch: p.batch.map(d => ({ size: d.size, a: d.b, b: d.a, c: d.c })),
    m: p.n,
    n: p.m,
    a: { m: p.b.n, k: p.b.k },
    b: { k: p.a.k, n: p.a.m },
    c: { m: p.c.n, n: p.c.m },
  };
}

export function elementBytes(elementType: GemmElementType): number {
  return { f64: 8, f32: 4, bf16: 2, f16: 2 }[elementType];
}

/** The type of a sum of products. */
export function sumTypeOf(elementType: GemmElementType): 'f32' | 'f64' {
  return elementType === 'f64' ? 'f64' : 'f32';
}

/** Products over all batches. */
export function batchCount(spec: GemmSpec): number {
  return spec.batch.reduce((product, d) => product * d.size, 1);
}

function check(spec: GemmSpec): void {
  const numbers = [spec.m, spec.n, spec.k, spec.a.m, spec.a.k, spec.b.k, spec.b.n, spec.c.m, spec.c.n];
  for (const d of spec.batch) numbers.push(d.size, d.a, d.b, d.c);
  invariant(
    numbers.every(x => Number.isSafeInteger(x) && x >= 0),
    `a multiply's sizes and strides are integers of at least 0: ${JSON.stringify(spec)}`,
  );
  invariant(
    (spec.elementType === 'f64') === (resultTypeOf(spec) === 'f64') &&
      (spec.compute === undefined || spec.elementType === 'f32'),
    `a multiply of these types has no kernel: ${JSON.stringify(spec)}`,
  );
}

/** The stride along a dimension of size 1 is never used: calling it 1 lets more code apply. */
function withUnitStrides(s: GemmSpec): GemmSpec {
  return {
    ...s,
    a: { m: s.m === 1 ? 1 : s.a.m, k: s.k === 1 ? 1 : s.a.k },
    b: { k: s.k === 1 ? 1 : s.b.k, n: s.n === 1 ? 1 : s.b.n },
    c: { m: s.m === 1 ? 1 : s.c.m, n: s.n === 1 ? 1 : s.c.n },
  };
}

function foldBatches(s: GemmSpec): GemmSpec {
  for (let i = s.batch.length - 1; i >= 0; i--) {
    const d = s.batch[i]!;
    const batch = s.batch.filter((_, other) => other !== i);
    const continuesRows = s.m === 1 || (d.a === s.m * s.a.m && d.c === s.m * s.c.m);
    if (d.b === 0 && d.size > 0 && continuesRows) {
      const strides = s.m === 1 ? { a: { ...s.a, m: d.a }, c: { ...s.c, m: d.c } } : {};
      return foldBatches({ ...s, ...strides, batch, m: s.m * d.size });
    }
    const continuesColumns = s.n === 1 || (d.b === s.n * s.b.n && d.c === s.n * s.c.n);
    if (d.a === 0 && d.size > 0 && continuesColumns) {
      const strides = s.n === 1 ? { b: { ...s.b, n: d.b }, c: { ...s.c, n: d.c } } : {};
      return foldBatches({ ...s, ...strides, batch, n: s.n * d.size });
    }
  }
  return s;
}

function mergeBatches(s: GemmSpec): GemmSpec {
  for (let i = 0; i + 1 < s.batch.length; i++) {
    const outer = s.batch[i]!;
    const inner = s.batch[i + 1]!;
    if ((['a', 'b', 'c'] as const).every(x => outer[x] === inner.size * inner[x])) {
      const merged = { ...inner, size: outer.size * inner.size };
      return mergeBatches({ ...s, batch: [...s.batch.slice(0, i), merged, ...s.batch.slice(i + 2)] });
    }
  }
  return s;
}

/** Columns lie along the vectors, so they should be contiguous in C, in B, and fill a vector: in this order. */
function swapPays(s: GemmSpec, lanes: number): boolean {
  if (s.m === 1 || s.n === 1) return s.m > s.n;
  const aFillsVectors = s.a.m === 1 && s.m >= lanes;
  if (2 * s.n <= lanes && aFillsVectors) return true;
  if (2 * s.m <= lanes && s.n >= lanes) return false;
  if (s.c.n === 1 || s.c.m === 1) return s.c.n !== 1;
  return aFillsVectors && s.b.n !== 1;
}
