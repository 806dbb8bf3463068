// Reductions and windows.
import { type BinaryName, binaryNames } from '../../attributes.ts';
import type { Op, OpOf, Region, Value } from '../../program.ts';
import { reducerOf } from '../../reducer.ts';
import { withSharding } from '../../sharding/stated.ts';
import { sameType, type TensorType } from '../../types.ts';
import { dims, pairs } from '../codecs.ts';
import type { Form } from '../form.ts';
import type { Binding, Draft, FormReader } from '../form-text.ts';
import { tokens } from '../lexer.ts';
import { given, type OpTexts, rankOf } from '../op-text.ts';
import { functional } from '../signature.ts';
import type { OpSyntax } from '../syntax.ts';

const ones = (op: OpSyntax): readonly number[] => new Array<number>(rankOf(op)).fill(1);
const noPadding = (op: OpSyntax): readonly (readonly [number, number])[] => ones(op).map(() => [0, 0] as const);

/** Reducers that the shortest form may name: the order of their operands does not matter. */
const commutative: ReadonlySet<string> = new Set<BinaryName>([
  'add',
  'and',
  'maximum',
  'minimum',
  'multiply',
  'or',
  'xor',
]);

/**
 * `(%x init: %a), (%y init: %b) across dimensions = [1] : types reducer(%p: T, %q: T) (%r: T, %s: T) { … }`, or
 * `(%x init: %a) applies stablehlo.add across dimensions = [1] : types`
 */
const reduceForm: Form = {
  read(reader, draft) {
    const inits: Value[] = [];
    do {
      reader.expect('(');
      draft.operands.push(reader.value());
      reader.expectWord('init');
      reader.expect(':');
      inits.push(reader.value());
      reader.expect(')');
    } while (reader.take(','));
    draft.operands.push(...inits);
    const reducer = reader.takeWord('applies') ? readReducer(reader) : undefined;
    reader.expectWord('across');
    reader.expectWord('dimensions');
    reader.expect('=');
    draft.attributes.set('dimensions', reader.bareAttribute());
    if (reader.is('{')) reader.dictionary(draft.attributes);
    functional.read(reader, draft);
    draft.location = reader.location();
    draft.regions.push(reducer === undefined ? readRegion(reader, inits.length) : regionOf(reader, reducer, draft));
  },
  write(writer, op) {
    const { operands, regions, results } = op;
    const [input, init] = operands;
    const [region] = regions;
    const reducer = regions.length === 1 && operands.length === 2 ? reducerOf(region!) : undefined;
    if (reducer === undefined || !commutative.has(reducer) || results.length !== 1) return undefined;
    const [inner] = region!.ops;
    const isStraight = inner!.operands[0] === region!.args[0] && withSharding(inner!, 'op') === undefined;
    const scalar = scalarOf(input!.type);
    const scalars = [...region!.args, ...inner!.results].every(v => scalar !== undefined && sameType(v.type, scalar));
    if (!isStraight || !scalars || Object.keys(inner!.attributes).length > 0) return undefined;
    const [x, a] = [writer.names([input!]), writer.names([init!])];
    const told = `(${x} init: ${a}) applies stablehlo.${reducer} across dimensions = ${writer.bare(op, 'dimensions')}`;
    return `${told}${writer.dictionary(op, reduceTells)}${functional.write(op)}`;
  },
};
const reduceTells = new Set(['dimensions']);

function readReducer(reader: FormReader): BinaryName {
  const { start } = reader;
  const name = reader.takeText(tokens.word, 'the name of an op').replace(/^stablehlo\./, '');
  const known = commutative.has(name) ? binaryNames.find(n => n === name) : undefined;
  return known ?? reader.refuse(start, `stablehlo.${[...commutative].join(', stablehlo.')}`);
}

function scalarOf(type: Value['type'] | undefined): TensorType | undefined {
  if (type?.kind !== 'tensor') return undefined;
  const { elementType, quantization } = type;
  return { kind: 'tensor', shape: [], elementType, ...(quantization === undefined ? {} : { quantization }) };
}

/** The region (a, b) → reducer(a, b). */
function regionOf(reader: FormReader, reducer: BinaryName, draft: Draft): Region {
  const type = scalarOf(draft.operands[0]?.type) ?? reader.refuse(draft.at, 'a tensor to reduce');
  const argument = (index: number): Value => ({ id: reader.nextId(), type, op: undefined, index });
  const args = [argument(0), argument(1)] as const;
  const results: Value[] = [];
  const op: OpOf<BinaryName> = {
    name: reducer,
    operands: args,
    attributes: {},
    regions: [],
    results: results as readonly Value[] as readonly [Value],
    location: draft.location,
  };
  results.push({ id: reader.nextId(), type, op: op as Op, index: 0 });
  return { args, ops: [op as Op], results };
}

/**
 * `reducer(%a: T, %b: T) (%c: U, %d: U) { … }`: a pair for each input; the region's arguments are all firsts, then all seconds.
 */
function readRegion(reader: FormReader, inputs: number): Region {
  reader.expectWord('reducer');
  const firsts: Binding[] = [];
  const seconds: Binding[] = [];
  for (let i = 0; i < inputs; i++) {
    reader.expect('(');
    firsts.push(reader.binding());
    reader.expect(',');
    seconds.push(reader.binding());
    reader.expect(')');
  }
  return reader.region([...firsts, ...seconds]);
}

export const reduceTexts: OpTexts<'reduce' | 'reduce_window' | 'select_and_scatter' | 'map'> = {
  reduce: { parts: [given('dimensions', 'dimensions', dims)], form: reduceForm },
  reduce_window: {
    parts: [
      given('base_dilations', 'baseDilations', dims, ones),
      given('padding', 'padding', pairs, noPadding),
      given('window_dilations', 'windowDilations', dims, ones),
      given('window_dimensions', 'windowDimensions', dims),
      given('window_strides', 'windowStrides', dims, ones),
    ],
  },
  select_and_scatter: {
    parts: [
      given('padding', 'padding', pairs, noPadding),
      given('window_dimensions', 'windowDimensions', dims, []),
      given('window_strides', 'windowStrides', dims, ones),
    ],
  },
  map: { parts: [given('dimensions', 'dimensions', dims)] },
};
