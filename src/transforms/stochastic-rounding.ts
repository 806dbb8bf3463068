// Stochastic rounding as a pass: every conversion of a float to a less precise type (and arithmetic on low-precision floats,
// which ends in one) becomes ops that round up with a probability proportional to the distance. The rounding is expressed in
// StableHLO, so that interpreter and compiler share one definition; its reference is numerics/rounding.ts.
//
//   f32 → bf16:   bits ──add 16 random bits──▶ ──clear the low 16──▶ bits of an f32 that bf16 represents exactly ──convert──▶
//   others:       |x| / step = whole + rest;  whole + 1 if rest + u ≥ 1, u uniform in [0, 1);  times step ──convert──▶
//
// The random bits are a hash of the element's index and of keys: those of the execution, an argument, mixed with those of
// the position in the program, a constant. In a loop, each iteration uses the same bits. Constants are rounded to the nearest.
//
// A program may have several sections, each with its own argument: parts of a step that other processes run as separate programs.
// Positions are counted from 0 in each section, so that the random bits of a section do not depend on the rest of the program.
// Values computed from parameters alone are counted separately, once for all parts of the batch, so that all parts round them
// alike.
import type { Builder } from '../hlo/builder.ts';
import { floatFormat } from '../hlo/element-codec.ts';
import { literal } from '../hlo/literal.ts';
import { type Module, mainOf, type Op, shapeOf, type Value } from '../hlo/program.ts';
import { elementCount, isFloat, type TensorType, tensorType } from '../hlo/types.ts';
import { capturesOf } from '../hlo/walk.ts';
import { executionKeys, hashMultipliers, positionKeys } from '../numerics/rounding.ts';
import { splatLiteral } from './facts.ts';
import { convertRule, elementTypeOf, holds, isLowPrecision, wideArithmeticRule } from './low-precision.ts';
import { collectiveRule, decomposeRule, inlineRule, promoteRule } from './prepare.ts';
import { originOf, Rewriter, type Rule } from './rewriter.ts';

/** Two words of the section's execution, and the part of the batch: see `roundingArgument`. */
export const roundingArgumentType: TensorType = tensorType('ui32', [4]);

export interface StochasticModule {
  /** A module of one function, with one more argument of `roundingArgumentType` for each of `sections`. */
  readonly module: Module;
  readonly sections: readonly RoundingSection[];
  /** The number of roundings. */
  readonly positions: number;
}

/** A section of a step. Sections with the same number of `keys` get the same two words. */
export interface RoundingSection {
  readonly keys: number;
  /** The part of the batch; undefined if all parts are equal. */
  readonly part: number | undefined;
}

export interface RoundingOptions {
  /** Returns the section of an op of the module, always as the same object. Default: one section for all ops. */
  readonly sectionOf?: (op: Op) => RoundingSection;
  /** Arguments that are equal on all ranks: parameters and their optimizer state. */
  readonly replicated?: ReadonlySet<Value>;
  /** Whether each rank or micro-batch has a part of the batch. */
  readonly isSplit?: boolean;
}
/**
 * The module with stochastic roundings. Values computed from replicated arguments, and results of collectives, are
 * rounded alike on all ranks.
 */
export function stochasticRounding(module: Module, options: RoundingOptions = {}): StochasticModule {
  const pass = new Pass(module, options);
  return { module: pass.run(), positions: pass.positions, sections: pass.sections };
}

/** The bytes of a rounding argument, for one part of the batch in one execution of a step. */
export function roundingArgument(at: {
  readonly seed: number;
  readonly step: number;
  readonly execution: number;
  readonly part: number;
}): Uint8Array {
  return new Uint8Array(Uint32Array.of(...executionKeys(at.seed, at.step, at.execution), at.part, 0).buffer);
}

const wholeProgram: RoundingSection = { keys: 0, part: 0 };
interface Place {
  readonly section: RoundingSection;
  readonly number: number;
  /** A word that differs between parts of the batch. */
  readonly differs: boolean;
}

const tf32 = { exponentBits: 8, mantissaBits: 10, bias: 127 };

class Pass {
  readonly #module: Module;
  readonly #replicated: ReadonlySet<Value>;
  readonly #isSplit: boolean;
  readonly #sectionOf: (op: Op) => RoundingSection;
  readonly #placeOf = new Map<string, Place>();
  /** The number of roundings by section; for replicated values, by the section's keys. */
  readonly #placesIn = new Map<RoundingSection | number, number>();
  readonly #differs = new Map<Value, boolean>();
  readonly #arguments = new Map<RoundingSection, Value>();
  /** The ops of a rounding are not rounded again. */
  #busy = false;

  constructor(module: Module, options: RoundingOptions) {
    const { replicated = new Set(), isSplit = module.numReplicas > 1, sectionOf = () => wholeProgram } = options;
    this.#module = module;
    this.#sectionOf = sectionOf;
    this.#replicated = replicated;
    this.#isSplit = isSplit;
  }
  get positions(): number {
    return this.#placeOf.size;
  }
  get sections(): readonly RoundingSection[] {
    return [...this.#arguments.keys()];
  }

  run(): Module {
    const main = mainOf(this.#module);
    const rules: readonly Rule[] = [
      inlineRule,
      decomposeRule(op => this.#isLowPrecision(op)),
      promoteRule,
      collectiveRule,
      convertRule,
      wideArithmeticRule,
      (op, r) => this.#rounded(op, r),
    ];
    const guarded = rules.map(
      (rule): Rule =>
        (op, r) =>
          this.#busy ? undefined : rule(op, r),
    );
    const func = new Rewriter(this.#module, main, guarded).run(main);
    const added = [...this.#arguments.values()];
    const body = { ...func.body, args: [...func.body.args, ...added] };
    const aliases = [...func.aliases, ...added.map(() => undefined)];
    return { ...this.#module, functions: [{ ...func, body, aliases }] };
  }

  #isLowPrecision(op: Op): boolean {
    return op.results.some(
      v => v.type.kind === 'tensor' && isFloat(v.type.elementType) && isLowPrecision(v.type.elementType),
    );
  }

  #rounded(op: Op, r: Rewriter): readonly Value[] | undefined {
    if (op.name !== 'convert' && op.name !== 'reduce_precision') return undefined;
    const [x] = op.operands;
    const from = elementTypeOf(x);
    const to = op.name === 'convert' ? op.attributes.elementType : from;
    if (!isFloat(from) || from.startsWith('complex') || splatLiteral(x) !== undefined) return undefined;
    let { exponentBits, mantissaBits, bias } = to === 'tf32' ? tf32 : floatFormat(to);
    if (op.name === 'convert') {
      if (!isLowPrecision(to) || to === 'f8E8M0FNU' || holds(to, from)) return undefined;
    } else {
      // with f32's exponents it truncates the mantissa; other widths would flush their subnormals
      ({ exponentBits, mantissaBits } = op.attributes);
      if (from !== 'f32' || exponentBits !== 8 || mantissaBits >= 23) return undefined;
    }
    const place = this.#place(r.source!, x, `${x.id} ${to} ${mantissaBits}`);
    this.#busy = true;
    try {
      return r.decomposed(op, b => {
        const wide = b.convert(x, 'f32');
        const elementsOfPart = this.#isSplit && place.differs ? elementCount(shapeOf(x)) : 0;
        const keys = keysOf(b, this.#argument(b, place), place.number, elementsOfPart);
        const random = hash(b, keys, shapeOf(x));
        if (to === 'bf16') return [asBf16(b, wide, random)];
        const y =
          exponentBits === 8 && bias === 127
            ? cutMantissa(b, wide, random, 23 - mantissaBits)
            : roundToGrid(b, wide, random, mantissaBits, 1 - bias);
        return [b.convert(b.select(b.emit1('is_finite', [wide], {}), y, wide), to)];
      });
    } finally {
      this.#busy = false;
    }
  }

  /** The position of a rounding; equal conversions of one value in the same part of the batch share a rounding. */
  #place(source: Op, x: Value, conversion: string): Place {
    const section = this.#sectionOf(originOf(source));
    const differs = section.part !== undefined && this.#isDifferent(x);
    const key = `${differs || section.part === undefined ? section.part : 'alike'} ${conversion}`;
    let place = this.#placeOf.get(key);
    if (place === undefined) {
      const counter = differs ? section : section.keys;
      const count = this.#placesIn.get(counter) ?? 0;
      this.#placesIn.set(counter, count + 1);
      place = { section, differs, number: differs ? count : ~count >>> 0 };
      this.#placeOf.set(key, place);
    }
    return place;
  }
  /**
   * A value that does not differ between sections uses the keys of its first use, so that it is computed once for all.
   */
  #argument(b: Builder, { section, differs }: Place): Value {
    const known = this.#arguments;
    const from = differs ? section : [...known.keys()].find(({ keys }) => keys === section.keys);
    let argument = known.get(from ?? section);
    if (argument === undefined) {
      argument = b.argument(roundingArgumentType, mainOf(this.#module).body.args.length + known.size);
      known.set(section, argument);
    }
    return argument;
  }

  #isAdded(v: Value): boolean {
    return this.#arguments.size > 0 && [...this.#arguments.values()].includes(v);
  }
  /** Whether a value differs between ranks. Iterative, because programs are deep. */
  #isDifferent(value: Value): boolean {
    const pending = [value];
    for (let v = pending.at(-1); v !== undefined; v = pending.at(-1)) {
      if (this.#differs.has(v)) {
        pending.pop();
        continue;
      }
      const { op } = v;
      if (op === undefined) this.#differs.set(v, !this.#isAdded(v) && !this.#replicated.has(v));
      else if (op.name === 'all_reduce' || op.name === 'all_gather') this.#differs.set(v, false);
      else if (op.name === 'reduce_scatter' || op.name === 'replica_id' || op.name === 'partition_id')
        this.#differs.set(v, true);
      else {
        const read = op.regions.length === 0 ? op.operands : [...op.operands, ...capturesOf(op)];
        const open = read.filter(u => !this.#differs.has(u));
        if (open.length > 0) pending.push(...open);
        else
          this.#differs.set(
            v,
            read.some(u => this.#differs.get(u)),
          );
      }
    }
    return this.#differs.get(value)!;
  }
}

/** One half of numerics' `roundingBits`: x ^ x >> shift, times a constant. */
function stirred(b: Builder, x: Value, shift: number, multiplier: number): Value {
  const word = (value: number): Value => b.fill('ui32', shapeOf(x), value);
  return b.multiply(b.binary('xor', x, b.binary('shift_right_logical', x, word(shift))), word(multiplier));
}
const finished = (b: Builder, x: Value): Value =>
  b.binary('xor', x, b.binary('shift_right_logical', x, b.fill('ui32', shapeOf(x), 16)));

/**
 * The two keys of a position: numerics' `roundingKeys`. If parts of the batch are rounded, each continues where the previous one
 * ends: ranks that split a batch along its leading dim use the same bits as one rank for the whole batch.
 */
function keysOf(b: Builder, argument: Value, position: number, elementsOfPart: number): Value {
  const execution = b.slice(argument, [0], [2]);
  const x = b.binary('xor', execution, b.constant(literal('ui32', [2], [...positionKeys(position)])));
  const keys = finished(b, stirred(b, stirred(b, x, 16, hashMultipliers[0]), 15, hashMultipliers[1]));
  if (elementsOfPart === 0) return keys;
  const part = b.slice(argument, [2], [4]);
  return b.add(keys, b.multiply(part, b.fill('ui32', [2], elementsOfPart)));
}
/** A random word for each element of a shape: numerics' `roundingBits`. */
function hash(b: Builder, keys: Value, shape: readonly number[]): Value {
  const key = (j: number): Value => b.broadcastInDim(b.reshape(b.slice(keys, [j], [j + 1]), []), [], shape);
  const index = b.reshape(b.iota(tensorType('ui32', [elementCount(shape)]), 0), shape);
  const half = b.binary('xor', stirred(b, b.add(index, key(0)), 16, hashMultipliers[0]), key(1));
  return finished(b, stirred(b, half, 15, hashMultipliers[1]));
}

/** x with the last `bits` bits of the mantissa rounded: a carry into the exponent is correct. */
function cutMantissa(b: Builder, x: Value, random: Value, bits: number): Value {
  const shape = shapeOf(x);
  const word = (value: number): Value => b.fill('ui32', shape, value);
  const type = tensorType('ui32', shape);
  const chance = b.binary('shift_right_logical', random, word(32 - bits));
  const sum = b.add(b.emit1('bitcast_convert', [x], { type }), chance);
  const cut = b.binary('and', sum, word((2 ** 32 - 2 ** bits) >>> 0));
  return b.emit1('bitcast_convert', [cut], { type: tensorType('f32', shape) });
}

/** The same for bf16, whose bits are the high half of an f32: taking them rounds nothing further. */
function asBf16(b: Builder, x: Value, random: Value): Value {
  const shape = shapeOf(x);
  const word = (value: number): Value => b.fill('ui32', shape, value);
  const bits = b.emit1('bitcast_convert', [x], { type: tensorType('ui32', shape) });
  const chance = b.binary('shift_right_logical', random, word(16));
  const sum = b.add(bits, b.select(b.emit1('is_finite', [x], {}), chance, word(0)));
  // a NaN must stay a NaN when its low half is cleared
  const quiet = b.select(b.compare('NE', x, x), word(0x400000), word(0));
  const half = b.binary('shift_right_logical', b.binary('or', sum, quiet), word(16));
  return b.emit1('bitcast_convert', [b.convert(half, 'ui16')], { type: tensorType('bf16', shape) });
}

/** x rounded to 2^mantissaBits steps per octave; below 2^leastExponent, to the steps of the lowest octave. */
function roundToGrid(b: Builder, x: Value, random: Value, mantissaBits: number, leastExponent: number): Value {
  const shape = shapeOf(x);
  const [words, floats] = [tensorType('ui32', shape), tensorType('f32', shape)];
  const word = (value: number): Value => b.fill('ui32', shape, value);
  const number = (value: number): Value => b.fill('f32', shape, value);
  const bits = b.emit1('bitcast_convert', [x], { type: words });
  const octave = b.emit1('bitcast_convert', [b.binary('and', bits, word(0x7f800000))], { type: floats });
  const step = b.multiply(b.maximum(octave, number(2 ** leastExponent)), number(2 ** -mantissaBits));
  const steps = b.divide(b.unary('abs', x), step);
  const whole = b.unary('floor', steps);
  const u = b.multiply(b.convert(b.binary('shift_right_logical', random, word(8)), 'f32'), number(2 ** -24));
  const isUp = b.compare('GE', b.subtract(steps, whole), b.subtract(number(1), u));
  const size = b.multiply(b.add(whole, b.select(isUp, number(1), number(0))), step);
  const sign = b.binary('and', bits, word(0x80000000));
  const signed = b.binary('or', b.emit1('bitcast_convert', [size], { type: words }), sign);
  return b.emit1('bitcast_convert', [signed], { type: floats });
}
