// Floats of four to eight bits: their codes as numbers, and numbers rounded to the nearest code (ties to an even code).
//
//   code = sign · exponent · mantissa      0 0111 000 = 1 in f8E4M3FN
//
// Codes of one sign are ordered like their values, so rounding is a search in the table of values. Behavior beyond
// the largest value follows the name: FN has no infinities, UZ no negative zero (its code is the NaN).

export interface FloatFormat {
  readonly exponentBits: number;
  readonly mantissaBits: number;
  /** The bias, added to an exponent before it is stored; the smallest exponent of a normal number is 1 - bias. */
  readonly bias: number;
}
/** A format, with the meaning of its codes that are not numbers. */
export interface SmallFloatFormat extends FloatFormat {
  readonly specials: Specials;
}
type Format = SmallFloatFormat;
/**
 * ieee: the largest exponent is infinity and NaN. nan: only the code of all ones is NaN, also for overflow.
 * finite: neither; overflow saturates, NaN becomes the zero with the sign bit. fnuz: NaN is the code of -0, also for
 * overflow. scale: only powers of two, without sign and zero; all other values become NaN (all ones).
 */
export type Specials = 'ieee' | 'nan' | 'finite' | 'fnuz' | 'scale';

const format = (exponentBits: number, mantissaBits: number, bias: number, specials: Specials): Format => ({
  exponentBits,
  mantissaBits,
  bias,
  specials,
});
const formats = {
  f4E2M1FN: format(2, 1, 1, 'finite'),
  f6E2M3FN: format(2, 3, 1, 'finite'),
  f6E3M2FN: format(3, 2, 3, 'finite'),
  f8E3M4: format(3, 4, 3, 'ieee'),
  f8E4M3: format(4, 3, 7, 'ieee'),
  f8E4M3B11FNUZ: format(4, 3, 11, 'fnuz'),
  f8E4M3FN: format(4, 3, 7, 'nan'),
  f8E4M3FNUZ: format(4, 3, 8, 'fnuz'),
  f8E5M2: format(5, 2, 15, 'ieee'),
  f8E5M2FNUZ: format(5, 2, 16, 'fnuz'),
  f8E8M0FNU: format(8, 0, 127, 'scale'),
} as const satisfies Readonly<Record<string, Format>>;
/** The names of number formats of 8 bits and less. */
export type SmallFloat = keyof typeof formats;
export const smallFloatFormat = (name: SmallFloat): SmallFloatFormat => formats[name];
export const smallFloats = Object.keys(formats) as readonly SmallFloat[];
export const isSmallFloat = (name: string): name is SmallFloat => Object.hasOwn(formats, name);

export interface SmallFloatCodec {
  /** The value of each code. */
  readonly values: Float64Array;
  /** The code of the nearest value. */
  encode(value: number): number;
}

const codecs = new Map<SmallFloat, SmallFloatCodec>();
export function smallFloatCodec(name: SmallFloat): SmallFloatCodec {
  const known = codecs.get(name);
  if (known !== undefined) return known;
  const made = formats[name].specials === 'scale' ? scaleCodec() : codecOf(formats[name]);
  codecs.set(name, made);
  return made;
}

function codecOf({ exponentBits, mantissaBits, bias, specials }: Format): SmallFloatCodec {
  const signBit = 1 << (exponentBits + mantissaBits);
  const magnitude = (code: number): number => {
    const exponent = code >> mantissaBits;
    const mantissa = (code & ((1 << mantissaBits) - 1)) / (1 << mantissaBits);
    return exponent === 0 ? mantissa * 2 ** (1 - bias) : (1 + mantissa) * 2 ** (exponent - bias);
  };
  const infinity = signBit - (1 << mantissaBits);
  /** The largest finite code without a sign, and the codes of NaN and of overflow. */
  const [greatest, nan, overflow] = {
    ieee: [infinity - 1, infinity + (1 << (mantissaBits - 1)), infinity],
    nan: [signBit - 2, signBit - 1, signBit - 1],
    finite: [signBit - 1, signBit, signBit - 1],
    fnuz: [signBit - 1, signBit, signBit],
    scale: [0, 0, 0],
  }[specials] as [number, number, number];

  const values = new Float64Array(2 * signBit).fill(NaN);
  for (let code = 0; code <= greatest; code++) {
    values[code] = magnitude(code);
    values[signBit | code] = -magnitude(code);
  }
  if (specials === 'ieee') {
    values[infinity] = Infinity;
    values[signBit | infinity] = -Infinity;
  }
  if (specials === 'fnuz') values[signBit] = NaN;
  const [limit, noNegativeZero] = [magnitude(greatest + 1), specials === 'fnuz'];

  return {
    values,
    encode(value) {
      if (Number.isNaN(value)) return nan;
      const sign = value < 0 || Object.is(value, -0) ? signBit : 0;
      const code = nearest(values, greatest, limit, Math.abs(value));
      if (code > greatest) return overflow === nan ? nan : overflow | sign;
      return code === 0 && noNegativeZero ? 0 : code | sign;
    },
  };
}

/** The code of the value nearest to `x` ≥ 0; if it rounds beyond the largest, greatest + 1, whose value would be `limit`. */
function nearest(values: Float64Array, greatest: number, limit: number, x: number): number {
  if (x >= limit) return greatest + 1;
  let [low, high] = [0, greatest + 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (values[middle]! <= x) low = middle;
    else high = middle;
  }
  const below = values[low]!;
  const above = high > greatest ? limit : values[high]!;
  const rest = x - below - (above - x);
  return rest > 0 || (rest === 0 && low % 2 === 1) ? high : low;
}

/** Powers of two, 2⁻¹²⁷ to 2¹²⁷, no sign and no zero: a smaller positive number becomes 2⁻¹²⁷. Halfway rounds up. */
function scaleCodec(): SmallFloatCodec {
  const values = Float64Array.from({ length: 256 }, (_, code) => (code === 255 ? NaN : 2 ** (code - 127)));
  return {
    values,
    encode(value) {
      if (!(value > 0)) return 255;
      const exponent = values.findLastIndex(v => v <= value);
      return exponent < 0 ? 0 : Math.min(value >= 1.5 * values[exponent]! ? exponent + 1 : exponent, 255);
    },
  };
}
