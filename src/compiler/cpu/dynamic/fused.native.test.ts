// Kernels of several stages over sizes known only at run time: one kernel each, whose C, interpreted data and form for static
// sizes are bit-identical.
import { expect, test } from 'vitest';
import { interpret } from '../../../hlo/interpreter.ts';
import { literal, numberAt, toNumbers } from '../../../hlo/literal.ts';
import { sampleLiteral } from '../../../hlo/sample-literal.testing.ts';
import { parseModule } from '../../../hlo/text/parser.ts';
import { hostTarget } from '../../index.ts';
import { compileDynamicForTest } from '../../testing/dynamic.testing.ts';
import { interpretDynamicKernels } from '../in-process/dynamic.ts';

const full = 'tensor<?x?xf32>';
const program = (results: string, types: string, ...lines: readonly string[]): string => `
  func.func @main(%x: ${full}) -> (${types}) {
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %n = stablehlo.get_dimension_size %x, dim = 0 : (${full}) -> tensor<i32>
    %m = stablehlo.get_dimension_size %x, dim = 1 : (${full}) -> tensor<i32>
    %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
    %m1 = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
    %s = stablehlo.concatenate %n1, %m1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    ${lines.join('\n')}
    return ${results} : ${types}
  }`;
const reduce = (y: string, x: string, op: string, init: string, dim = 1): string =>
  `%${y} = stablehlo.reduce(%${x} init: %${init}) applies stablehlo.${op} across dimensions = [${dim}] : (${full}, tensor<f32>) -> tensor<?xf32>`;
const rows = (y: string, x: string): string =>
  `%${y} = stablehlo.dynamic_broadcast_in_dim %${x}, %s, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> ${full}`;
const op = (y: string, name: string, ...operands: readonly string[]): string =>
  `%${y} = stablehlo.${name} ${operands.map(v => `%${v}`).join(', ')} : ${full}`;

const softmax = [
  reduce('most', 'x', 'maximum', 'low'),
  rows('mosts', 'most'),
  op('d', 'subtract', 'x', 'mosts'),
  op('e', 'exponential', 'd'),
  reduce('sum', 'e', 'add', 'zero'),
  rows('sums', 'sum'),
  op('y', 'divide', 'e', 'sums'),
];
const centered = [
  reduce('sum', 'x', 'add', 'zero'),
  '%f = stablehlo.convert %m : (tensor<i32>) -> tensor<f32>',
  '%c = stablehlo.dynamic_broadcast_in_dim %f, %n1, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>',
  '%mean = stablehlo.divide %sum, %c : tensor<?xf32>',
  rows('means', 'mean'),
  op('d', 'subtract', 'x', 'means'),
  op('q', 'multiply', 'd', 'd'),
  reduce('v', 'q', 'add', 'zero'),
  '%r = stablehlo.rsqrt %v : tensor<?xf32>',
  rows('rs', 'r'),
  op('y', 'multiply', 'd', 'rs'),
];
const columns = [op('q', 'multiply', 'x', 'x'), reduce('y', 'q', 'add', 'zero', 0)];

test.each([
  ['a softmax', program('%y', full, ...softmax), 'rows'],
  ['a normalization', program('%y', full, ...centered), 'rows'],
  ['sums of columns', program('%y', 'tensor<?xf32>', ...columns), 'columns'],
] as const)('%s is one kernel, for all sizes', (_, text, kind) => {
  const module = parseModule(text);
  const compiled = compileDynamicForTest(module);
  expect(compiled.program.kernels.length).toBe(1);
  for (const shape of [
    [40, 5],
    [3, 17],
    [20, 40],
    [17, 600],
    [2500, 64],
    [1, 1],
    [0, 4],
  ]) {
    const x = sampleLiteral('f32', shape, 3);
    const kinds: string[] = [];
    const [kernels] = interpretDynamicKernels(module, hostTarget(), [x], { onKernel: found => kinds.push(found) });
    const [got] = compiled.run([x], { backwards: true });
    if (shape[0]! > 0 && kind === 'rows') expect(kinds).toEqual([kind]);
    expect(got!.data, `${shape}`).toEqual(kernels!.data);
    const [wanted] = interpret(module, [x]);
    expect(got!.type).toEqual(wanted!.type);
    wanted!.data.forEach((_value, i) => {
      const [a, b] = [numberAt(got!, i), numberAt(wanted!, i)];
      if (!Number.isNaN(b)) expect(Math.abs(a - b)).toBeLessThan(1e-4 * Math.max(1, Math.abs(b)));
    });
  }
});

test('a kernel over a dim that is known to be empty reads nothing', () => {
  const text = `func.func @main(%x: tensor<?x0xi32>, %c: tensor<i32>) -> (tensor<i32>, tensor<?xi32>) {
    %all = stablehlo.reduce(%x init: %c) applies stablehlo.multiply across dimensions = [0, 1] : (tensor<?x0xi32>, tensor<i32>) -> tensor<i32>
    %rows = stablehlo.reduce(%x init: %c) applies stablehlo.multiply across dimensions = [1] : (tensor<?x0xi32>, tensor<i32>) -> tensor<?xi32>
    return %all, %rows : tensor<i32>, tensor<?xi32>
  }`;
  const inputs = [sampleLiteral('i32', [3, 0]), literal('i32', [], [7])];
  const results = interpretDynamicKernels(parseModule(text), hostTarget(), inputs);
  expect(results.map(toNumbers)).toEqual([[7], [7, 7, 7]]);
});
