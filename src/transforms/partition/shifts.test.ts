// Slices, padding, concatenation and reversal along a divided dim: which elements move between devices, and that the parts give
// the whole bit for bit.
import { expect, test } from 'vitest';
import { gradients } from '../../autodiff/gradient.ts';
import { buildFunc } from '../../hlo/builder.ts';
import { interpret } from '../../hlo/interpreter.ts';
import { sampleLiteral } from '../../hlo/op-samples.testing.ts';
import { type Module, mainOf, moduleOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { shardingOf } from '../../hlo/sharding/sharding.ts';
import { parseModule } from '../../hlo/text/parser.ts';
import { tensorType } from '../../hlo/types.ts';
import { communicationOf } from './communication.ts';
import { importShardings } from './import.ts';
import { interpretInParts } from './in-parts.testing.ts';
import { localize } from './localize.ts';
import { propagate } from './propagate.ts';

/** A function of %x and %y, [2, size], whose second dim is divided, and that of the result if its axis is given. */
function programOf(devices: number, size: number, result: number, body: string, axis = '"x"'): Module {
  const divided = (name: string): string => `{sdy.sharding = #sdy.sharding<@mesh, [{}, {${name}}]>}`;
  const sharding = divided('"x"');
  return parseModule(`module attributes {mhlo.num_partitions = ${devices} : i32} {
    sdy.mesh @mesh = <["x"=${devices}]>
    func.func @main(%x: tensor<2x${size}xf32> ${sharding}, %y: tensor<2x${size}xf32> ${sharding}, %z: tensor<f32>)
      -> (tensor<2x${result}xf32> ${divided(axis)}) { ${body} return %0 : tensor<2x${result}xf32> }
  }`);
}
const slice = (devices: number, size: number, start: number, limit: number, stride = 1): Module => {
  const result = Math.ceil((limit - start) / stride);
  const types = `(tensor<2x${size}xf32>) -> tensor<2x${result}xf32>`;
  return programOf(devices, size, result, `%0 = stablehlo.slice %x [0:2, ${start}:${limit}:${stride}] : ${types}`);
};
/** A slice that all devices need. */
const wholeSlice = (devices: number, size: number, start: number, limit: number): Module => {
  const types = `(tensor<2x${size}xf32>) -> tensor<2x${limit - start}xf32>`;
  const body = `%0 = stablehlo.slice %x [0:2, ${start}:${limit}] : ${types}`;
  return programOf(devices, size, limit - start, body, '');
};
const pad = (devices: number, size: number, low: number, high: number): Module => {
  const result = size + low + high;
  const types = `(tensor<2x${size}xf32>, tensor<f32>) -> tensor<2x${result}xf32>`;
  const edges = `low = [0, ${low}], high = [0, ${high}], interior = [0, 0]`;
  return programOf(devices, size, result, `%0 = stablehlo.pad %x, %z, ${edges} : ${types}`);
};
const concatenate = (devices: number, size: number): Module => {
  const types = `(tensor<2x${size}xf32>, tensor<2x${size}xf32>) -> tensor<2x${2 * size}xf32>`;
  return programOf(devices, size, 2 * size, `%0 = stablehlo.concatenate %x, %y, dim = 1 : ${types}`);
};
const reverse = (devices: number, size: number): Module =>
  programOf(devices, size, size, `%0 = stablehlo.reverse %x, dims = [0, 1] : tensor<2x${size}xf32>`);
/** The second half, then the first. */
const rotated = (devices: number, size: number): Module => {
  const half = size / 2;
  const types = `(tensor<2x${size}xf32>) -> tensor<2x${half}xf32>`;
  const halves = `%a = stablehlo.slice %x [0:2, 0:${half}] : ${types} %b = stablehlo.slice %x [0:2, ${half}:${size}] : ${types}`;
  const joined = `(tensor<2x${half}xf32>, tensor<2x${half}xf32>) -> tensor<2x${size}xf32>`;
  return programOf(devices, size, size, `${halves} %0 = stablehlo.concatenate %b, %a, dim = 1 : ${joined}`);
};

/** The collectives, each with the elements that a device gives to it. */
const sentBy = (module: Module): readonly string[] =>
  mainOf(localize(propagate(importShardings(module), 'padded'))).body.ops.flatMap(({ name, operands }) =>
    /^(all_|collective_|reduce_scatter)/.test(name) ? [`${name} ${tensorTypeOf(operands[0]!).shape.join('x')}`] : [],
  );
const permuted = (...columns: readonly number[]): readonly string[] => columns.map(n => `collective_permute 2x${n}`);

const cases: readonly (readonly [name: string, module: Module, sent: readonly string[]])[] = [
  ['without the first', slice(4, 16, 1, 16), permuted(1)],
  ['without the last', slice(4, 16, 0, 15), []],
  ['without the first two, in uneven parts', slice(3, 13, 2, 13), permuted(1)],
  ['the first of three equal slices', slice(2, 24, 0, 8), permuted(4)],
  ['the second of three', slice(2, 24, 8, 16), []],
  ['the first of three, of four parts', slice(4, 24, 0, 8), permuted(2, 2)],
  ['the second of three, of four parts', slice(4, 24, 8, 16), permuted(2)],
  ['one part', slice(4, 16, 4, 8), permuted(1, 1, 1)],
  ['every second', slice(4, 16, 0, 16, 2), []],
  ['every second from the second on', slice(2, 12, 1, 12, 2), []],
  ['the first, for all', wholeSlice(4, 16, 0, 1), ['all_reduce 2x1']],
  ['the last, for all', wholeSlice(4, 14, 13, 14), ['all_reduce 2x1']],
  ['several, for all', wholeSlice(2, 16, 6, 10), ['all_gather 2x2']],
  ['padded at the end, in as many', pad(4, 15, 0, 1), []],
  ['padded at the start', pad(4, 15, 1, 0), permuted(1)],
  ['padded at both ends', pad(4, 16, 1, 1), permuted(2, 1)],
  ['cut at the start, padded at the end', pad(4, 16, -1, 1), permuted(1)],
  ['one after the other', concatenate(2, 8), permuted(4)],
  ['one after the other, of four parts', concatenate(4, 8), permuted(2, 2)],
  ['reversed', reverse(4, 16), permuted(4)],
  ['reversed, in uneven parts', reverse(2, 5), permuted(2)],
  ['rotated by half', rotated(2, 8), permuted(2, 2, 2)],
];
test.each(cases)('%s', (_, module, sent) => {
  expect(sentBy(module)).toEqual(sent);
  const inputs = mainOf(module).body.args.map((arg, i) => sampleLiteral('f32', tensorTypeOf(arg).shape, i + 1));
  expect(interpretInParts(module, inputs, 'padded')).toEqual(interpret(module, inputs));
});

/** The gradient by %w of a sum over q · k + v, where q, k and v are the thirds of x · w. */
function fusedStep(devices: number): Module {
  const divided = shardingOf('mesh', [[], ['x']]);
  const types = [tensorType('f32', [2, 8]), tensorType('f32', [8, 48])];
  const func = buildFunc('main', types, (b, [x, w]) => {
    const constrained = (value: Value): Value => b.emit1('sdy.sharding_constraint', [value], { sharding: divided });
    const all = constrained(b.emit1('dot', [x!, w!], { precision: [] }));
    const [q, k, v] = [0, 16, 32].map(start => b.slice(all, [0, start], [2, start + 16])) as [Value, Value, Value];
    return gradients(b, b.sum(constrained(b.add(b.multiply(q, k), v))), [w!]);
  });
  const weights = [{ sharding: { named: [divided] as const } }];
  const main = { ...func, argAttributes: [undefined, ...weights], resultAttributes: weights };
  const mesh = { axes: [{ name: 'x', size: devices }] };
  return { ...moduleOf(main, { numPartitions: devices }), meshes: [{ name: 'mesh', mesh }] };
}
test.each([
  [2, 192, 320],
  [4, 256, 416],
])(
  'a fused projection, forward and backward, on %i devices sends %i bytes, of which XLA sends %i',
  (devices, bytes) => {
    const module = fusedStep(devices);
    const sent = communicationOf(localize(propagate(importShardings(module))));
    expect(sent.reduce((sum, each) => sum + each.bytes, 0)).toBe(bytes);
    const inputs = mainOf(module).body.args.map((arg, i) => sampleLiteral('f32', tensorTypeOf(arg).shape, i + 1));
    expect(interpretInParts(module, inputs)).toEqual(interpret(module, inputs));
  },
);
