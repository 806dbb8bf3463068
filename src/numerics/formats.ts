// The number formats of accelerators, each as a grid of representable numbers, which is what rounding needs. The
// encoding in bits is elsewhere (small-floats.ts, hlo/element-codec.ts).
//
//   a float of m mantissa bits:   0 · · · · | · · · · | ·   ·   ·   ·   | …   greatest      2^m steps an octave,
//                                 subnormal   1 - bias                                     the least octave down to 0
import { TrenioError } from '../base/errors.ts';
import { isSmallFloat, type SmallFloat, type SmallFloatFormat, smallFloatFormat } from './small-floats.ts';

/** A float: sign, exponent, mantissa, with subnormal numbers. */
export interface FloatGrid {
  /** Discriminates the members of the union. */
  readonly kind: 'float';
  /** The name of the format. */
  readonly name: string;
  /** The number of exponent bits. */
  readonly exponentBits: number;
  /** The number of mantissa bits, without the implicit one. */
  readonly mantissaBits: number;
  /** The bias, added to an exponent before it is stored; the smallest exponent of a normal number is 1 - bias. */
  readonly bias: number;
  /** The largest finite number. */
  readonly greatest: number;
  /** The result for numbers that round beyond the largest. */
  readonly overflow: 'infinity' | 'nan' | 'saturate';
}
/** Integers from `least` to `greatest`; values beyond saturate, NaN becomes 0. */
export interface IntegerGrid {
  /** Discriminates the members of the union. */
  readonly kind: 'integer';
  /** The name of the format. */
  readonly name: string;
  /** The smallest number. */
  readonly least: number;
  /** The largest finite number. */
  readonly greatest: number;
}
/** A number format: floats with exponent and mantissa, or integers. */
export type NumberFormat = FloatGrid | IntegerGrid;

function ieee(name: string, exponentBits: number, mantissaBits: number): FloatGrid {
  const bias = 2 ** (exponentBits - 1) - 1;
  const greatest = (2 - 2 ** -mantissaBits) * 2 ** bias;
  return { kind: 'float', name, exponentBits, mantissaBits, bias, greatest, overflow: 'infinity' };
}
const integer = (name: string, least: number, greatest: number): IntegerGrid => ({
  kind: 'integer',
  name,
  least,
  greatest,
});

/** The largest number, if the top `reserved` codes are not numbers. */
function greatestOf(exponentBits: number, mantissaBits: number, bias: number, reserved: number): number {
  const code = 2 ** (exponentBits + mantissaBits) - 1 - reserved;
  const exponent = Math.floor(code / 2 ** mantissaBits);
  return (1 + (code % 2 ** mantissaBits) / 2 ** mantissaBits) * 2 ** (exponent - bias);
}

function smallGrid(name: SmallFloat, { exponentBits, mantissaBits, bias, specials }: SmallFloatFormat): FloatGrid {
  const reserved = { ieee: 2 ** mantissaBits, nan: 1, finite: 0, fnuz: 0, scale: 1 }[specials];
  return {
    kind: 'float',
    name,
    exponentBits,
    mantissaBits,
    bias,
    greatest: greatestOf(exponentBits, mantissaBits, bias, reserved),
    overflow: specials === 'ieee' ? 'infinity' : specials === 'finite' ? 'saturate' : 'nan',
  };
}

const wideFormats = {
  f32: ieee('f32', 8, 23),
  tf32: ieee('tf32', 8, 10),
  bf16: ieee('bf16', 8, 7),
  f16: ieee('f16', 5, 10),
  i8: integer('i8', -128, 127),
  ui8: integer('ui8', 0, 255),
} as const;

/** Formats by their names in the program language. */
export type FormatName = keyof typeof wideFormats | Exclude<SmallFloat, 'f8E8M0FNU'>;

/**
 * The format of a name: f32, tf32, bf16, f16, i8, ui8 and the floats of eight bits and less.
 * @example
 * numberFormat('bf16').kind // 'float'
 */
export function numberFormat(name: FormatName): NumberFormat {
  return isSmallFloat(name) ? smallGrid(name, smallFloatFormat(name)) : wideFormats[name];
}

/** The options of a configurable 8-bit float. */
export interface ConfigurableFp8 {
  /** 2 to 5; the rest of the seven bits besides the sign is the mantissa. */
  readonly exponentBits: number;
  /** 0 to 63; 2^(exponentBits - 1) - 1 by default. */
  readonly bias?: number;
  /**
   * Reserve the largest exponent for infinities and NaNs, as IEEE formats do; by default one code is NaN, and numbers saturate.
   */
  readonly infinities?: boolean;
}

/**
 * cFP8: a float of eight bits whose exponent width and bias are chosen.
 * @throws {INVALID_OPTION}
 * @example
 * cfp8({ exponentBits: 4, bias: 11 }).kind // 'float'
 */
export function cfp8(options: ConfigurableFp8): FloatGrid {
  const { exponentBits, infinities = false } = options;
  requireWhole('exponentBits', exponentBits, 2, 5);
  const bias = options.bias ?? 2 ** (exponentBits - 1) - 1;
  requireWhole('bias', bias, 0, 63);
  const mantissaBits = 7 - exponentBits;
  return {
    kind: 'float',
    name: `cFP8 e${exponentBits}m${mantissaBits} bias ${bias}`,
    exponentBits,
    mantissaBits,
    bias,
    greatest: greatestOf(exponentBits, mantissaBits, bias, infinities ? 2 ** mantissaBits : 1),
    overflow: infinities ? 'infinity' : 'saturate',
  };
}
function requireWhole(option: string, value: number, least: number, greatest: number): void {
  if (Number.isInteger(value) && value >= least && value <= greatest) return;
  throw new TrenioError('INVALID_OPTION', {
    what: 'cFP8',
    option,
    got: String(value),
    expected: `an integer from ${least} to ${greatest}`,
  });
}
