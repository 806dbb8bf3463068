import { describe, expect, test } from 'vitest';
import type { OpName } from '../attributes.ts';
import { type Builder, buildFunc } from '../builder.ts';
import { evaluateOp, interpret } from '../interpreter.ts';
import { bytesOf, type Literal, numberAt, scalar, splat, toNumbers, zeros } from '../literal.ts';
import type { OpSample } from '../op-sample.testing.ts';
import { opSamples } from '../op-samples.testing.ts';
import { opTable } from '../op-table.ts';
import { applyBinary } from '../ops/apply.ts';
import { moduleOf, type Op, shapeOf, type Value } from '../program.ts';
import { sampleLiteral } from '../sample-literal.testing.ts';
import { parseModule } from '../text/parser.ts';
import { elementCount, stridesOf, tensorType } from '../types.ts';
import { localAttributes } from './local-attributes.ts';
import { printShardingRule } from './print-rule.ts';
import type { DimFactors, ShardingRule } from './rule.ts';
import { factorTable, shardingRuleOf } from './table.ts';

/** Ops of which the samples divide no dim. */
function more(): readonly OpSample[] {
  const list: OpSample[] = [];
  const add = (
    name: OpName,
    inputs: readonly Literal[],
    build: (b: Builder, args: readonly Value[]) => Value,
  ): void => {
    const func = buildFunc(
      'main',
      inputs.map(({ type }) => type),
      (b, args) => [build(b, args)],
    );
    list.push({ name, label: 'of whole dims', func, inputs });
  };
  const x = sampleLiteral('f32', [4, 6, 3]);
  const one = scalar('i32', 1);
  add('reshape', [x], (b, [a]) => b.reshape(a!, [2, 2, 18]));
  add('reshape', [x], (b, [a]) => b.reshape(a!, [24, 1, 3]));
  add('pad', [x, scalar('f32', 0)], (b, [a, v]) => b.pad(a!, v!, [0, 1, 1], [0, -1, 0], [0, 0, 0]));
  add('dynamic_slice', [x, one, one, one], (b, args) => b.emit1('dynamic_slice', args, { sliceSizes: [4, 2, 3] }));
  add('dynamic_update_slice', [x, sampleLiteral('f32', [4, 2, 3], 2), one, one, one], (b, args) =>
    b.emit1('dynamic_update_slice', args, {}),
  );
  add('all_to_all', [x], (b, args) => {
    const attributes = { replicaGroups: [[0]], splitDimension: 1, concatDimension: 2, splitCount: 1 };
    return b.emit('all_to_all', args, attributes)[0]!;
  });
  return list;
}
const samples = [...opSamples(), ...more()];
/** The op that a sample demonstrates, with its operands and results. */
function runOf({ name, func, inputs }: OpSample) {
  const op = func.body.ops.find(o => o.name === name)!;
  const isTensor = [...op.operands, ...op.results].every(v => v.type.kind === 'tensor');
  if (!isTensor) return undefined;
  const values = [...op.operands, ...op.results];
  const literals = interpret(moduleOf({ ...func, body: { ...func.body, results: values } }), inputs);
  const captured = new Map(func.body.args.map((arg, i) => [arg, inputs[i]!]));
  return { op, captured, operands: literals.slice(0, op.operands.length), results: literals.slice(op.operands.length) };
}

/** The positions within a dim that a part of a factor has; undefined if the factors do not make up the dim. */
function positions(rule: ShardingRule, factors: readonly number[], factor: number, size: number, [part, parts]: Part) {
  const sizes = factors.map(f => rule.factors[f]!.size);
  if (elementCount(sizes) !== size) return undefined;
  const at = factors.indexOf(factor);
  const minor = elementCount(sizes.slice(at + 1));
  const length = sizes[at]! / parts;
  return Array.from({ length: size }, (_, i) => i).filter(
    i => Math.floor(Math.floor(i / minor) / length) % parts === part,
  );
}
type Part = readonly [part: number, parts: number];

/** The elements of a literal at some positions of each dim. */
function select(whole: Literal, kept: readonly (readonly number[])[]): Literal {
  const out = zeros({ ...whole.type, shape: kept.map(list => list.length) });
  const [from, to] = [stridesOf(whole.type.shape), stridesOf(out.type.shape)];
  for (let i = 0; i < elementCount(out.type.shape); i++) {
    const source = kept.reduce((sum, list, d) => sum + list[Math.floor(i / to[d]!) % list.length]! * from[d]!, 0);
    const width = whole.data.length / Math.max(elementCount(whole.type.shape), 1);
    for (let k = 0; k < width; k++) out.data[i * width + k] = whole.data[source * width + k]!;
  }
  return out;
}
/** The part of a literal; undefined if it cannot be divided along the factor alone. */
function partOf(whole: Literal, dims: DimFactors, rule: ShardingRule, factor: number, part: Part): Literal | undefined {
  const axis = whole.type.quantization?.axis;
  if (axis !== undefined && dims[axis]!.includes(factor)) return undefined;
  const kept = dims.map((factors, d) => {
    const size = whole.type.shape[d]!;
    if (!factors.includes(factor)) return Array.from({ length: size }, (_, i) => i);
    return factors.some(f => rule.factors[f]!.kind === 'permutation')
      ? undefined
      : positions(rule, factors, factor, size, part);
  });
  return kept.every(list => list !== undefined) ? select(whole, kept) : undefined;
}

function localOp(op: Op, operands: readonly Literal[], results: readonly Literal[]): Op {
  const typed = (values: Op['operands'], literals: readonly Literal[]) =>
    values.map((v, i) => ({ ...v, type: literals[i]!.type }));
  const types = [operands, results].map(list => list.map(({ type }) => type));
  return {
    ...op,
    operands: typed(op.operands, operands),
    results: typed(op.results, results),
    attributes: localAttributes(op, types[0]!, types[1]!),
  } as unknown as Op;
}

/** Positions in the divided operand, as scatter counts them in a part. */
function shifted(op: Op, operands: readonly Literal[], rule: ShardingRule, factor: number, [part, parts]: Part) {
  if (op.name !== 'scatter') return operands;
  const { scatterDimsToOperandDims: to, indexVectorDim } = op.attributes.dimensionNumbers;
  const count = op.results.length;
  const indices = operands[count]!;
  const component = to.findIndex(dim => rule.operands[0]![dim]!.includes(factor));
  if (component < 0) return operands;
  const stride = stridesOf(indices.type.shape)[indexVectorDim] ?? 1;
  const offset = (part * shapeOf(op.operands[0])[to[component]!]!) / parts;
  const moved = zeros(indices.type);
  for (let i = 0; i < indices.data.length; i++)
    moved.data[i] =
      Math.floor(i / stride) % to.length === component ? numberAt(indices, i) - offset : numberAt(indices, i);
  return operands.with(count, moved);
}
const ones: ReadonlySet<OpName> = new Set(['broadcast', 'broadcast_in_dim']);

/** Evaluates an op in parts of a factor and compares with the whole; false if the factor cannot be tried. */
function tryFactor(run: NonNullable<ReturnType<typeof runOf>>, rule: ShardingRule, factor: number): boolean {
  const { op, captured, operands, results } = run;
  const { size, kind } = rule.factors[factor]!;
  const isIn = (tensors: readonly DimFactors[]): boolean => tensors.some(dims => dims.flat().includes(factor));
  if (size < 2 || kind === 'replication' || kind === 'permutation') return false;
  if (kind === 'passThrough' && !(isIn(rule.results) && (isIn(rule.operands) || ones.has(op.name)))) return false;
  if (kind === 'reduction' && rule.combiner === undefined) return false;
  // The start of an update is clamped to the whole operand.
  if (op.name === 'dynamic_update_slice' && !rule.operands[1]!.flat().includes(factor)) return false;
  const parts = [2, 3, 5, 7].find(n => size % n === 0)!;
  const terms: (readonly Literal[])[] = [];
  for (let p = 0; p < parts; p++) {
    const part: Part = [p, parts];
    const pieces = operands.map((x, i) => partOf(x, rule.operands[i]!, rule, factor, part));
    const expected = results.map((x, i) => partOf(x, rule.results[i]!, rule, factor, part));
    if ([...pieces, ...expected].includes(undefined)) return false;
    let given = shifted(op, pieces as Literal[], rule, factor, part);
    if (kind === 'reduction') {
      // Each part of a table has zeros in the rows of the others.
      if (op.name === 'gather') given = [outsideZero(operands[0], given[0]!, rule, factor, part), operands[1]!];
      // All parts but one start from zero.
      if (op.name === 'scatter' && p > 0) given = given.map((x, i) => (i < results.length ? splat(x.type, 0) : x));
    }
    const got = evaluateOp(localOp(op, given, expected as Literal[]), given, captured);
    if (kind === 'reduction') terms.push(got);
    else
      got.forEach((piece, i) => {
        expect(Buffer.from(bytesOf(piece)).equals(Buffer.from(bytesOf(expected[i]!))), `part ${p} of ${parts}`).toBe(
          true,
        );
      });
  }
  if (kind === 'reduction')
    results.forEach((whole, i) => {
      const sum = terms.map(t => t[i]!).reduce((a, b) => applyBinary(rule.combiner!, a, b));
      const [wanted, got] = [toNumbers(whole), toNumbers(sum)];
      wanted.forEach((value, k) => {
        expect(Math.abs(got[k]! - value)).toBeLessThanOrEqual(1e-5 * (1 + Math.abs(value)));
      });
    });
  return true;
}
function outsideZero(
  whole: Literal | undefined,
  piece: Literal,
  rule: ShardingRule,
  factor: number,
  part: Part,
): Literal {
  const out = zeros(whole!.type);
  const dim = rule.operands[0]!.findIndex(factors => factors.includes(factor));
  const kept = positions(rule, [factor], factor, whole!.type.shape[dim]!, part)!;
  const stride = stridesOf(whole!.type.shape)[dim]!;
  for (let i = 0; i < out.data.length; i++)
    if (kept.includes(Math.floor(i / stride) % whole!.type.shape[dim]!)) out.data[i] = whole!.data[i]!;
  expect(piece.type.shape[dim]).toBe(kept.length);
  return out;
}

describe('an op in parts of a factor gives the parts of the whole, or terms of it', () => {
  const tried = new Set<OpName>();
  const ruled = samples.filter(({ name }) => typeof factorTable[name] !== 'string' && opTable[name].kind !== 'random');
  test.each(ruled.map(sample => [`${sample.name} ${sample.label}`, sample] as const))('%s', (_name, sample) => {
    const run = runOf(sample);
    const rule = run && shardingRuleOf(run.op);
    if (rule === undefined) return;
    for (const [values, tensors] of [
      [run!.op.operands, rule.operands],
      [run!.op.results, rule.results],
    ] as const)
      expect(tensors.map(dims => dims.length)).toEqual(values.map(v => shapeOf(v).length));
    // Windows overlap: their factors need not make up the dim.
    if (sample.name !== 'convolution')
      [...run!.op.operands, ...run!.op.results].forEach((value, i) => {
        [...rule.operands, ...rule.results][i]!.forEach((factors, d) => {
          const list = factors.map(f => rule.factors[f]!);
          const isDivided = list.every(({ kind }) => kind === 'passThrough' || kind === 'reduction');
          if (isDivided) expect(elementCount(list.map(({ size }) => size)), `dim ${d}`).toBe(shapeOf(value)[d]);
        });
      });
    for (const factor of rule.factors.keys()) if (tryFactor(run!, rule, factor)) tried.add(sample.name);
  });
  test('every op with a rule is tried', () => {
    const untried = [...new Set(ruled.map(({ name }) => name))].filter(name => !tried.has(name));
    expect(untried).toEqual([]);
  });
});

describe('rules as Shardy prints them', () => {
  const ruleOf = (text: string): string | undefined => {
    const [main] = parseModule(`func.func @main(${text} return }`).functions;
    const rule = shardingRuleOf(main!.body.ops.at(-1)!);
    return rule && printShardingRule(rule);
  };
  test.each([
    [
      '%a: tensor<8x32xf32>, %b: tensor<32x16xf32>) { %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>',
      '([i, k], [k, j])->([i, j]) {i=8, j=16, k=32} reduction={k}',
    ],
    [
      '%a: tensor<2x1x13xf32>) { %0 = stablehlo.broadcast_in_dim %a, dims = [0, 1, 3] : (tensor<2x1x13xf32>) -> tensor<2x64x5x13xf32>',
      '([i, j, m])->([i, k, l, m]) {i=2, j=1, k=64, l=5, m=13}',
    ],
    [
      '%a: tensor<8x4xf32>) { %0 = stablehlo.reshape %a : (tensor<8x4xf32>) -> tensor<2x16xf32>',
      '([ij, k])->([i, jk]) {i=2, j=4, k=4}',
    ],
    [
      '%a: tensor<6x4xf32>) { %0 = stablehlo.reshape %a : (tensor<6x4xf32>) -> tensor<4x6xf32>',
      '([ij, mn])->([ik, ln]) {i=2, j=3, k=2, l=3, m=2, n=2}',
    ],
    [
      '%a: tensor<4x8xf32>) { %0 = stablehlo.slice %a [0:4, 1:5] : (tensor<4x8xf32>) -> tensor<4x4xf32>',
      '([i, j])->([i, j]) {i=4, j=8} permutation={j}',
    ],
    [
      '%a: tensor<4xf32>) { %0 = stablehlo.reshape %a : (tensor<4xf32>) -> tensor<1x4xf32>',
      '([j])->([i, j]) {i=1, j=4}',
    ],
  ])('%s', (text, rule) => {
    expect(ruleOf(text)).toBe(rule);
  });
  test('beyond z', () => {
    const many = buildFunc('main', [tensorType('f32', new Array<number>(20).fill(2))], (b, [x]) => [b.negate(x!)]);
    expect(printShardingRule(shardingRuleOf(many.body.ops[0]!)!)).toContain('z=2, z_1=2, z_2=2');
  });
  test('unknown sizes have no rule', () => {
    expect(ruleOf('%a: tensor<?xf32>) { %0 = stablehlo.negate %a : tensor<?xf32>')).toBeUndefined();
  });
});
