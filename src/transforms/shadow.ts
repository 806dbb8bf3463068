// The shadow of a program: each float is also computed in f64, from the shadows of its operands, and compared with the original.
// One program computes both, so the original values do not change and only four numbers per op are returned. The report for users
// is in `tensor/debugging/precision-report.ts`.
//
//   x ──▶ op ──▶ y          │ Σ(y − y′)², Σ y′², max |y − y′|, the number of y that are not finite where y′ is
//   x′ ─▶ op ──▶ y′  (f64)  ┘
//
// Integers, comparisons and random bits are those of the program itself: both take the same branches. Ops without an f64 form
// (custom calls, bits read as a float) restart from the program's values.
import { TrenioError } from '../base/errors.ts';
import type { OpName } from '../hlo/attributes.ts';
import { Builder } from '../hlo/builder.ts';
import { literal, toNumbers } from '../hlo/literal.ts';
import { opTable } from '../hlo/op-table.ts';
import { isComplex } from '../hlo/ops/element-data.ts';
import { dispatch, isIn, type PerOp } from '../hlo/per-op.ts';
import { type Module, mainOf, type Op, type Region, shapeOf, tensorTypeOf, type Value } from '../hlo/program.ts';
import { isFloat, type Type, tensorType } from '../hlo/types.ts';
import { nextId, regionsHold } from '../hlo/walk.ts';
import { inlineRule } from './prepare.ts';
import { Rewriter } from './rewriter.ts';

export interface ShadowedModule {
  /** The program's arguments; for each of `compared`, a result of four f64: see the head of this file. */
  readonly module: Module;
  readonly compared: readonly ComparedOp[];
}

/** A result of an op that is compared with its shadow. */
export interface ComparedOp {
  readonly op: Op;
  readonly value: Value;
  /** The positions in `compared` of its inputs, found through ops that only move elements. */
  readonly from: readonly number[];
}

const isRealFloat = (type: Type): boolean =>
  type.kind === 'tensor' && isFloat(type.elementType) && !isComplex(type.elementType);
const widened = (type: Type): Type =>
  type.kind === 'tensor' && isRealFloat(type) ? tensorType('f64', type.shape) : type;

/** Builds both computations of a module's main function. */
export function shadowed(module: Module): ShadowedModule {
  const main = mainOf(module);
  const { body } = new Rewriter(module, main, [inlineRule]).run(main);
  const b = new Builder({ next: nextId(body) });
  const wide = new Map<Value, Value>();
  const toWide = (value: Value): Value => {
    const known = wide.get(value);
    if (known !== undefined) return known;
    const made = isRealFloat(value.type) ? b.convert(value, 'f64') : value;
    wide.set(value, made);
    return made;
  };
  const compared: ComparedOp[] = [];
  const results: Value[] = [];
  const place = new Map<Value, readonly number[]>();
  const sources = (op: Op): readonly number[] => [...new Set(op.operands.flatMap(v => place.get(v) ?? []))];
  for (const op of body.ops) {
    b.ops.push(op);
    b.location = op.location;
    const shadows = wideOp(b, op, toWide);
    op.results.forEach((value, i) => {
      if (!isRealFloat(value.type)) return;
      wide.set(value, shadows?.[i] ?? b.convert(value, 'f64'));
      const from = sources(op);
      if (opTable[op.name].kind === 'view' || op.name === 'constant' || tensorTypeOf(value).elementType === 'f64') {
        place.set(value, from);
        return;
      }
      place.set(value, [compared.length]);
      compared.push({ op, value, from });
      results.push(comparison(b, value, wide.get(value)!));
    });
  }
  const func = {
    name: main.name,
    body: { args: body.args, ops: b.ops, results },
    aliases: body.args.map(() => undefined),
  };
  return { module: { ...module, functions: [func] }, compared };
}

/** Ops whose results depend on more than the values of their operands. */
const formless: ReadonlySet<OpName> = new Set<OpName>(['bitcast_convert', 'custom_call', 'rng', 'infeed', 'recv']);

/** Four numbers that describe how far a value is from its shadow. */
function comparison(b: Builder, value: Value, shadow: Value): Value {
  const shape = shapeOf(value);
  const actual = tensorTypeOf(value).elementType === 'f64' ? value : b.convert(value, 'f64');
  const known = b.emit1('is_finite', [shadow], {});
  const both = b.emit1('and', [b.emit1('is_finite', [actual], {}), known], {});
  const zero = b.fill('f64', shape, 0);
  const difference = b.select(both, b.subtract(actual, shadow), zero);
  const reference = b.select(both, shadow, zero);
  const lost = b.select(b.emit1('and', [b.emit1('not', [both], {}), known], {}), b.fill('f64', shape, 1), zero);
  const all = shape.map((_, d) => d);
  const largest = b.reduce('maximum', b.unary('abs', difference), b.fill('f64', [], 0), all);
  const numbers = [
    b.sum(b.multiply(difference, difference)),
    b.sum(b.multiply(reference, reference)),
    largest,
    b.sum(lost),
  ];
  return b.concatenate(
    numbers.map(n => b.reshape(n, [1])),
    0,
  );
}

/** The op applied to shadows; undefined if it has no f64 form or computes no floats. */
function wideOp(b: Builder, op: Op, toWide: (value: Value) => Value): readonly Value[] | undefined {
  if (!op.results.some(v => isRealFloat(v.type))) return undefined;
  if (isIn(wideForms, op)) return dispatch(wideForms, op, b, toWide);
  if (formless.has(op.name) || regionsHold(op, inner => formless.has(inner.name))) return undefined;
  return attempted(b, () =>
    b.emit(
      op.name,
      op.operands.map(toWide),
      op.attributes,
      op.regions.map(region => wideRegion(b, region, toWide)),
    ),
  );
}

/** The shadow of a rounding is its unrounded operand. */
const unrounded = (
  { operands: [x] }: Op<'convert' | 'reduce_precision'>,
  b: Builder,
  toWide: (value: Value) => Value,
): readonly Value[] => (isRealFloat(x.type) ? [toWide(x)] : [b.convert(x, 'f64')]);

/** Ops whose shadow is not simply the same op applied to shadows. */
const wideForms: PerOp<
  'constant' | 'convert' | 'reduce_precision' | 'iota' | 'dot_general',
  readonly Value[],
  [Builder, toWide: (value: Value) => Value]
> = {
  constant: ({ attributes: { value } }, b) => [
    b.emit1('constant', [], { value: literal('f64', value.type.shape, toNumbers(value)) }),
  ],
  convert: unrounded,
  reduce_precision: unrounded,
  iota: ({ attributes }, b) => [b.emit1('iota', [], { ...attributes, type: tensorType('f64', attributes.type.shape) })],
  dot_general(
    { operands, attributes: { algorithm: _algorithm, elementType: _elementType, ...attributes } },
    b,
    toWide,
  ) {
    return b.emit('dot_general', operands.map(toWide), attributes);
  },
};

/** A region over f64, with all its ops rewritten. */
function wideRegion(b: Builder, region: Region, outer: (value: Value) => Value): Region {
  return b.region(
    region.args.map(arg => widened(arg.type)),
    (inner, args) => {
      const map = new Map<Value, Value>(region.args.map((arg, i) => [arg, args[i]!]));
      const toWide = (value: Value): Value => map.get(value) ?? outer(value);
      for (const op of region.ops) {
        const made =
          wideOp(inner, op, toWide) ??
          inner.emit(
            op.name,
            op.operands.map(toWide),
            op.attributes,
            op.regions.map(r => wideRegion(inner, r, toWide)),
          );
        op.results.forEach((v, i) => {
          map.set(v, made[i]!);
        });
      }
      return region.results.map(toWide);
    },
  );
}

/** An op that the op table does not allow on f64 has no f64 form. */
function attempted(b: Builder, emit: () => readonly Value[]): readonly Value[] | undefined {
  const { length } = b.ops;
  try {
    return emit();
  } catch (error) {
    if (!(error instanceof TrenioError)) throw error;
    b.ops.length = length;
    return undefined;
  }
}
