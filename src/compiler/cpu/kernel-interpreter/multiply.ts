// Runs multiplies by their definition (cpu/ir/kernel.ts), ignoring the tiling: products are summed in f64.
import { toTf32 } from '../../../hlo/element-codec.ts';
import { numberOf } from '../../ir/extent.ts';
import { type GemmSpec, quantizedRuns } from '../../ir/multiply.ts';
import { sizeOf } from '../../ir/nest.ts';
import type { Multiply } from '../ir/kernel.ts';
import type { RowPlan } from '../ir/row.ts';
import type { CpuTarget } from '../target/target.ts';
import type { ElementMemory } from './memory.ts';
import { RowRunner } from './rows.ts';

/** The elements of a quantized matrix [n, k]. */
function widened(
  { k, quantized }: GemmSpec,
  codes: ElementMemory,
  scales: ElementMemory,
): Pick<ElementMemory, 'get' | 'numbers' | 'check'> {
  const { bits, block, table } = quantized!;
  const { rows, halves, bytes } = quantizedRuns(quantized!);
  const run = halves * bytes;
  return {
    numbers: undefined,
    check() {},
    get(at) {
      const [row, column] = [Math.floor(at / k), at % k];
      const [group, member] = [Math.floor(row / rows), row % rows];
      const place = (group * (k / run) + Math.floor(column / run)) * rows + member;
      const code = codes.get(place * bytes + (column % bytes)) as number;
      const isHigh = column % run >= bytes;
      const value = bits === 8 ? code : table![(isHigh ? code >> 4 : code) & 15]!;
      const scale = scales.get((group * (k / block) + Math.floor(column / block)) * rows + member) as number;
      return Math.fround(value * scale);
    },
  };
}

/** Calls `put` with each element of the product, at its position in the result. */
function products(
  { spec, lhs, rhs, scales }: Multiply,
  memory: readonly ElementMemory[],
  put: (at: number, sum: number) => void,
): void {
  const { batch, m, n, k, a, b, c, compute } = spec;
  const round = compute === 'tf32' ? toTf32 : (x: number): number => x;
  const left = memory[lhs.slot]!;
  const right = spec.quantized === undefined ? memory[rhs.slot]! : widened(spec, memory[rhs.slot]!, memory[scales!]!);
  const [xs, ys] = [left.numbers, right.numbers];
  const isPlain = xs !== undefined && ys !== undefined && compute !== 'tf32' && k > 0;
  const over = (dim: number, atA: number, atB: number, atC: number): void => {
    const d = batch[dim];
    if (d !== undefined) {
      for (let i = 0; i < d.size; i++) over(dim + 1, atA + i * d.a, atB + i * d.b, atC + i * d.c);
      return;
    }
    for (let i = 0; i < m; i++)
      for (let j = 0; j < n; j++) {
        let sum = 0;
        if (isPlain) {
          const [x, y] = [atA + i * a.m, atB + j * b.n];
          for (const end of [0, k - 1]) {
            left.check(x + end * a.k);
            right.check(y + end * b.k);
          }
          for (let p = 0; p < k; p++) sum += xs[x + p * a.k]! * ys[y + p * b.k]!;
        } else
          for (let p = 0; p < k; p++)
            sum +=
              round(left.get(atA + i * a.m + p * a.k) as number) * round(right.get(atB + p * b.k + j * b.n) as number);
        put(atC + i * c.m + j * c.n, sum);
      }
  };
  over(0, lhs.offset, rhs.offset, 0);
}

export function runMultiply(multiply: Multiply, result: number, memory: readonly ElementMemory[]): void {
  products(multiply, memory, (at, sum) => memory[result]!.set(at, sum));
}

/** Rows of the product, each as soon as it is computed. */
export function runEpilogue(
  multiply: Multiply,
  row: RowPlan,
  memory: readonly ElementMemory[],
  target: CpuTarget,
): void {
  const sums: number[] = [];
  products(multiply, memory, (at, sum) => {
    sums[at] = Math.fround(sum);
  });
  const rows = new RowRunner(row, memory, target, numberOf, at => sums[at]!);
  for (let r = 0; r < numberOf(sizeOf(row.nest.kept)); r++) rows.run(r);
  rows.finish();
}
