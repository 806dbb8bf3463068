import { expect, test } from 'vitest';
import { TrenioError } from '../base/errors.ts';
import { arities } from './arity.ts';
import { opSamples } from './op-samples.testing.ts';
import { inferTypes } from './op-table.ts';
import { constraintOf } from './ops/ops.testing.ts';
import type { Op } from './program.ts';
import { parseModule } from './text/parser.ts';
import { tensorType } from './types.ts';
import { verify } from './verifier.ts';
import { forEachOp } from './walk.ts';

const sampled: Op[] = [];
for (const { func } of opSamples()) forEachOp(func.body, op => void sampled.push(op));

test('samples of all ops have as many operands and results as their ops', () => {
  for (const op of sampled) {
    const [operands, results] = arities[op.name];
    if (typeof operands === 'number') expect([op.name, op.operands.length]).toEqual([op.name, operands]);
    if (typeof results === 'number') expect([op.name, op.results.length]).toEqual([op.name, results]);
  }
});

test('one operand fewer or more is rejected', () => {
  for (const op of sampled) {
    if (typeof arities[op.name][0] !== 'number') continue;
    const types = op.operands.map(v => v.type);
    const infer = (operands: typeof types): string =>
      constraintOf(() => inferTypes(op.name, operands, op.attributes as never, op.regions));
    expect(infer([...types, types[0] ?? tensorType('f32')])).toBe(`trenio_${op.name}_arity`);
    if (types.length > 0) expect(infer(types.slice(1))).toBe(`trenio_${op.name}_arity`);
  }
});

test.each([
  ['operands', '%0 = "stablehlo.add"(%x) : (tensor<2xf32>) -> tensor<2xf32>', 'takes 2 operands, got 1'],
  ['results', '%0:2 = "stablehlo.abs"(%x) : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)', 'its results are'],
  ['no results', '"stablehlo.abs"(%x) : (tensor<2xf32>) -> ()', 'its results are'],
])('a program with too many or too few %s of an op is rejected', (_what, op, message) => {
  const module = parseModule(`func.func @main(%x: tensor<2xf32>) {\n  ${op}\n  return\n}`);
  expect(() => verify(module)).toThrow(TrenioError);
  expect(() => verify(module)).toThrow(message);
});

test.each([
  [
    '%0 = "stablehlo.reduce"(%x, %s) <{dimensions = array<i64: 0>}> : (tensor<2xf32>, tensor<f32>) -> tensor<f32>',
    'takes 1 region, got 0',
  ],
  ['"stablehlo.while"(%x) : (tensor<2xf32>) -> tensor<2xf32>', 'takes 2 regions, got 0'],
  ['"stablehlo.case"(%i) : (tensor<i32>) -> tensor<2xf32>', 'takes at least 1 region, got 0'],
  [
    '"stablehlo.abs"(%x) ({ "stablehlo.return"() : () -> () }) : (tensor<2xf32>) -> tensor<2xf32>',
    'takes 0 regions, got 1',
  ],
  ['"stablehlo.concatenate"() <{dimension = 0 : i64}> : () -> tensor<2xf32>', 'takes at least 1 operand, got 0'],
])('a program with a wrong number of regions or operands is rejected: %s', (op, message) => {
  const module = parseModule(
    `func.func @main(%x: tensor<2xf32>, %s: tensor<f32>, %i: tensor<i32>) {\n  ${op}\n  return\n}`,
  );
  expect(() => verify(module)).toThrow(message);
});
