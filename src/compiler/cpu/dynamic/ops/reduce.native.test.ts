// Sums of unknown length combine elements in the same order as kernels of known sizes: it depends only on the length.
import { expect, test } from 'vitest';
import { literal } from '../../../../hlo/literal.ts';
import { parseModule } from '../../../../hlo/text/parser.ts';
import { compileForTest } from '../../../testing/compile.testing.ts';
import { compileDynamicForTest } from '../../../testing/dynamic.testing.ts';

const lengths = [1, 5, 8, 12, 31, 32, 50, 511, 512, 700];

const sumOf = (type: string, dims: string, result: string): string =>
  `func.func @main(%x: tensor<${type}xf32>) -> tensor<${result}xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [${dims}] : (tensor<${type}xf32>, tensor<f32>) -> tensor<${result}xf32>
    return %sum : tensor<${result}xf32>
  }`;
const sample = (...shape: readonly number[]) => {
  const count = shape.reduce((n, size) => n * size, 1);
  return literal(
    'f32',
    shape,
    Array.from({ length: count }, (_, i) => Math.fround(Math.sin(i * 12.9898) * 43.7)),
  );
};

test('sums of rows are bit-identical to those of known length', () => {
  const ofRows = compileDynamicForTest(parseModule(sumOf('?x?', '1', '?')));
  const ofMatrices = compileDynamicForTest(parseModule(sumOf('?x3x?', '1, 2', '?')));
  expect(ofRows.program.units.map(u => u.source).join()).not.toContain('reduction(');
  for (const n of lengths) {
    const [rows, matrices] = [sample(40, n), sample(40, 3, n)];
    const [expected] = compileForTest(parseModule(sumOf(`40x${n}`, '1', '40'))).run([rows]);
    expect(ofRows.run([rows])[0]!.data, `rows of ${n}`).toEqual(expected!.data);
    const [ofBoth] = compileForTest(parseModule(sumOf(`40x3x${n}`, '1, 2', '40'))).run([matrices]);
    expect(ofMatrices.run([matrices])[0]!.data, `3 rows of ${n}`).toEqual(ofBoth!.data);
  }
});
