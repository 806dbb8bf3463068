// Floats of a byte or less in C. The meaning of their bits is defined in numerics/small-floats.ts; here it becomes
// tables: the value of each of the 256 bytes and, in order, the smallest f32 that rounds to each positive code.
import { type ElementType, elementTypes } from '../../../../hlo/types.ts';
import { isSmallFloat, type SmallFloat, smallFloatCodec } from '../../../../numerics/small-floats.ts';
import { floatText } from './c-types.ts';
import type { PreludePiece } from './prelude-piece.ts';

const infinityBits = 0x7f800000;
const scratch = new Float32Array(1);
const scratchBits = new Uint32Array(scratch.buffer);
function floatOf(bits: number): number {
  scratchBits[0] = bits;
  return scratch[0]!;
}

/** The bits of the smallest f32 that rounds to each code, from 0 to infinity. Within a binade, codes only grow. */
function stepsOf(codeOf: (value: number) => number): number[] {
  const steps = [0];
  const search = (low: number, high: number, lowCode: number, highCode: number): void => {
    if (lowCode === highCode) return;
    if (high === low + 1) {
      steps.push(high);
      return;
    }
    const middle = Math.floor((low + high) / 2);
    const code = codeOf(floatOf(middle));
    search(low, middle, lowCode, code);
    search(middle, high, code, highCode);
  };
  const binade = 2 ** 23;
  for (let low = 0; low < infinityBits; low += binade)
    search(low, low + binade, codeOf(floatOf(low)), codeOf(floatOf(low + binade)));
  return steps;
}

function pieceOf(type: SmallFloat): PreludePiece {
  const { values, encode } = smallFloatCodec(type);
  const steps = stepsOf(encode);
  const codes = (sign: number): string => steps.map(s => encode(sign * floatOf(s))).join(', ');
  return {
    name: `t_from_${type}`,
    also: [`t_to_${type}`, `t_round_${type}`],
    text: `static const float t_values_${type}[${values.length}] = {${Array.from(values, v => floatText(v, 'f')).join(', ')}};
static const uint32_t t_steps_${type}[] = {${steps.join('u, ')}u};
static const uint8_t t_codes_${type}[2][${steps.length}] = {{${codes(1)}}, {${codes(-1)}}};
static inline float t_from_${type}(uint8_t x) { return t_values_${type}[x % ${values.length}]; }
static inline uint8_t t_to_${type}(float x) {
  const uint32_t u = t_bits_f32(x), a = u & 0x7fffffffu;
  if (x != x) return ${encode(Number.NaN)};
  int low = 0, high = ${steps.length};
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (t_steps_${type}[middle] <= a) low = middle;
    else high = middle;
  }
  return t_codes_${type}[u >> 31][low];
}
static inline float t_round_${type}(float x) { return t_from_${type}(t_to_${type}(x)); }`,
  };
}

const made = new Map<ElementType, PreludePiece>();

/** The prelude pieces of the formats that these names belong to. */
export function smallFloatPieces(names: ReadonlySet<string>): PreludePiece[] {
  return elementTypes.flatMap(type => {
    if (!isSmallFloat(type) || !['from', 'to', 'round'].some(verb => names.has(`t_${verb}_${type}`))) return [];
    let piece = made.get(type);
    if (piece === undefined) {
      piece = pieceOf(type);
      made.set(type, piece);
    }
    return [piece];
  });
}
