// The row of rng_bit_generator: (state) → (new state, random bits), bit for bit as XLA's expansion of the op.
//
//   PHILOX     state[0] is the key. With three words, state[1] and state[2] are the low and high half of the counter;
//              with two, state[1] is the low and the key again the high half. Element 4i+j is word j of block
//              counter + i; a 64-bit element uses two words, low first; a smaller one the low bits of a word.
//   THREE_FRY  state[0] is the key, state[1] the counter. a block yields two 32-bit elements: a dim is split into
//              halves that interleave (see `splitDimension`). each 64-bit element uses one block.
//   DEFAULT    PHILOX.
import { philoxAdvance, philoxWords } from '../../numerics/philox.ts';
import { threefry2x32 } from '../../numerics/threefry.ts';
import { type Literal, literal, literalOfBytes } from '../literal.ts';
import { type Rows, tensors } from '../op-row.ts';
import { dynamicDim, elementCount, formatType, stridesOf, type TensorType } from '../types.ts';
import { bytesOfType, countOf } from './costs.ts';
import { bitWidth } from './element-data.ts';
import { checkElements } from './operand-checks.ts';
import { type Checker, checkerOf } from './shape-checks.ts';

const require: Checker = checkerOf('rng_bit_generator');

/** Words as elements: two for a 64-bit element, the low bits of one for a smaller element. */
function elementsOf(type: TensorType, words: Uint32Array): Literal {
  const width = bitWidth(type.elementType);
  if (width >= 32) return literalOfBytes(type, new Uint8Array(words.slice().buffer));
  const bytes =
    width <= 8
      ? Uint8Array.from(words, w => w & 0xff)
      : new Uint8Array(Uint16Array.from(words, w => w & 0xffff).buffer);
  return literalOfBytes(type, bytes);
}

function philox(state: BigUint64Array, type: TensorType): { words: Uint32Array; state: readonly bigint[] } {
  const key = state[0]!;
  const high = state.length >= 3 ? state[2]! : key;
  const counter = state[1]! | (high << 64n);
  const count = elementCount(type.shape) * (bitWidth(type.elementType) === 64 ? 2 : 1);
  const next = philoxAdvance(counter, count);
  const nextState = [key, next & 0xffffffffffffffffn, next >> 64n].slice(0, state.length);
  return { words: philoxWords(key, counter, count), state: nextState };
}

/** The bits that Philox generates from a state. */
export const philoxBits = (state: BigUint64Array, type: TensorType): Literal =>
  elementsOf(type, philox(state, type).words);

/** The dim that Threefry's two words of a block alternate along: the first even one, or else the first largest. */
function splitDimension(shape: readonly number[]): number {
  const even = shape.findIndex(d => d % 2 === 0);
  return even >= 0 ? even : shape.indexOf(Math.max(...shape));
}

function threefry(state: BigUint64Array, type: TensorType): { words: Uint32Array; state: readonly bigint[] } {
  const [key, start] = [state[0]!, state[1]!];
  const [k0, k1] = [Number(key & 0xffffffffn), Number(key >> 32n)];
  const block = new Uint32Array(2);
  const blockAt = (i: number): Uint32Array => {
    const counter = BigInt.asUintN(64, start + BigInt(i));
    threefry2x32(Number(counter & 0xffffffffn), Number(counter >> 32n), k0, k1, block);
    return block;
  };
  const total = elementCount(type.shape);
  if (bitWidth(type.elementType) === 64) {
    const words = new Uint32Array(2 * total);
    for (let i = 0; i < total; i++) words.set(blockAt(i), 2 * i);
    return { words, state: [key, BigInt.asUintN(64, start + BigInt(total))] };
  }
  const shape = type.shape.length === 0 ? [1] : type.shape;
  const split = splitDimension(shape);
  const half = shape.map((d, i) => (i === split ? Math.ceil(d / 2) : d));
  const blocks = elementCount(half);
  const [strides, halfStrides] = [stridesOf(shape), stridesOf(half)];
  const words = new Uint32Array(total);
  for (let i = 0; i < blocks; i++) {
    const [w0, w1] = blockAt(i);
    let at = 0;
    let along = 0;
    for (let d = 0; d < shape.length; d++) {
      const index = Math.floor(i / halfStrides[d]!) % half[d]!;
      if (d === split) along = 2 * index;
      at += (d === split ? along : index) * strides[d]!;
    }
    words[at] = w0!;
    if (along + 1 < shape[split]!) words[at + strides[split]!] = w1!;
  }
  return { words, state: [key, BigInt.asUintN(64, start + BigInt(blocks))] };
}

export const randomRows: Rows<'rng_bit_generator'> = {
  rng_bit_generator: {
    name: 'rng_bit_generator',
    kind: 'random',
    pure: true,
    infer(operands, { rngAlgorithm, type }) {
      const [state] = tensors('rng_bit_generator', operands);
      const size = state.shape[0] ?? 0;
      const sizes = rngAlgorithm === 'THREE_FRY' ? [2] : [2, 3];
      require(state.elementType === 'ui64' && state.quantization === undefined && state.shape.length === 1, 'i2', () =>
        `the state must be words of ui64, got ${formatType(state)}`);
      require(size === dynamicDim || sizes.includes(size), 2, () =>
        `the state of ${rngAlgorithm} must be tensor<${sizes.join(' or ')}xui64>, got ${formatType(state)}`);
      checkElements(require, 'output', [type], ['signed', 'unsigned', 'float']);
      require(bitWidth(type.elementType) >= 8 && !type.shape.includes(dynamicDim), 'output', () =>
        `expected elements of whole bytes and a static shape, got ${formatType(type)}`);
      return [state, type];
    },
    evaluate(op, [state]) {
      const { rngAlgorithm, type } = op.attributes;
      const words = state.data as BigUint64Array;
      const made = rngAlgorithm === 'THREE_FRY' ? threefry(words, type) : philox(words, type);
      return [literal('ui64', [words.length], made.state), elementsOf(type, made.words)];
    },
    // Philox takes about 10 rounds of 6 integer operations for 4 words.
    cost(op) {
      const { type } = op.attributes;
      return {
        flops: 15 * countOf(type),
        transcendentals: 0,
        bytesRead: 8 * countOf(op.operands[0].type),
        bytesWritten: bytesOfType(type),
      };
    },
  },
};
