// Products of unknown sizes: the bits of those of known sizes that are computed in one pass over k, and close to them in others.
import { expect, test } from 'vitest';
import { literal } from '../../../../hlo/literal.ts';
import { parseModule } from '../../../../hlo/text/parser.ts';
import { compileForTest } from '../../../testing/compile.testing.ts';
import { compileDynamicForTest } from '../../../testing/dynamic.testing.ts';

type Sizes = readonly [batch: number | '?', m: number | '?', k: number | '?', n: number | '?'];
/** `isTurned`: the right side is [n, k]. */
const product = ([batch, m, k, n]: Sizes, type: string, isTurned: boolean): string => {
  const [lhs, out] = [`tensor<${batch}x${m}x${k}x${type}>`, `tensor<${batch}x${m}x${n}x${type}>`];
  const rhs = isTurned ? `tensor<${batch}x${n}x${k}x${type}>` : `tensor<${batch}x${k}x${n}x${type}>`;
  return `func.func @main(%x: ${lhs}, %y: ${rhs}) -> ${out} {
    %z = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [${isTurned ? 2 : 1}] : (${lhs}, ${rhs}) -> ${out}
    return %z : ${out}
  }`;
};
const sample = (type: 'f32' | 'f64', shape: readonly number[]) =>
  literal(
    type,
    shape,
    Array.from({ length: shape.reduce((n, size) => n * size, 1) }, (_, i) => Math.fround(Math.sin(i * 12.9898))),
  );

test.each(['f32', 'f64'] as const)('%s', type => {
  for (const isTurned of [false, true]) {
    const all = compileDynamicForTest(parseModule(product(['?', '?', '?', '?'], type, isTurned)));
    for (const sizes of [
      [1, 5, 1, 6],
      [2, 13, 31, 33],
      [3, 40, 64, 70],
      [1, 130, 100, 65],
      [1, 2, 20, 3],
      [2, 0, 3, 4],
      [1, 20, 1500, 40],
    ] as const) {
      const [batch, m, k, n] = sizes;
      const args = [sample(type, [batch, m, k]), sample(type, isTurned ? [batch, n, k] : [batch, k, n])];
      const [expected] = compileForTest(parseModule(product(sizes, type, isTurned))).run(args);
      const [got] = all.run(args);
      const isOnePass = k <= 100 && Math.min(m, n) > 4;
      if (isOnePass) expect(got, `${sizes} ${isTurned}`).toEqual(expected);
      else
        got!.data.forEach((value, i) => {
          expect(Math.abs(Number(value) - Number(expected!.data[i]))).toBeLessThan(type === 'f32' ? 1e-3 : 1e-11);
        });
    }
  }
});
