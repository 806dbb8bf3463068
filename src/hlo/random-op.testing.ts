// One random op: applies an op that the choice selects to some of the values so far, with the metadata of its result.
import { type BinaryName, binaryNames, comparisonDirections, type UnaryName } from './attributes.ts';
import type { Builder } from './builder.ts';
import { shapeOf, type TensorValue, tensorTypeOf, type Value } from './program.ts';
import { type Choice, pick } from './random-choices.testing.ts';
import { eitherOf, type Known, precision, takesRounding, tamed } from './random-values.testing.ts';
import { type ElementType, elementCount, isFloat, isInteger, sameType, type TensorType, tensorType } from './types.ts';

/** The element types of random values; earlier ones are simpler. */
export const elementTypes: readonly ElementType[] = [
  'f32',
  'i32',
  'f64',
  'i1',
  'ui8',
  'i64',
  'f16',
  'i8',
  'bf16',
  'ui32',
  'i16',
];
/** Larger values are dropped. */
export const maxElements = 256;

const smooth: readonly UnaryName[] = ['tanh', 'logistic', 'sine', 'cosine', 'chlo.erf'];
const jumping: readonly UnaryName[] = ['floor', 'ceil', 'round_nearest_even', 'round_nearest_afz', 'sign'];
const integral: readonly UnaryName[] = ['not', 'popcnt', 'count_leading_zeros', 'negate', 'abs', 'sign'];
const floatBinary: readonly BinaryName[] = ['add', 'subtract', 'multiply', 'maximum', 'minimum'];
const integerBinary = binaryNames.filter(name => name !== 'atan2');
const booleanBinary: readonly BinaryName[] = ['and', 'or', 'xor', 'maximum', 'minimum', 'add', 'multiply'];

/** Appends ops to a program, by choices. */
export class RandomOp {
  readonly #b: Builder;
  readonly #known: readonly Known[];
  readonly #picks: Choice['picks'];
  /** The nesting depth of loops and branches at the op. */
  readonly #depth: number;
  /** The counter of the innermost loop around the op. */
  readonly #counter: Value | undefined;

  constructor(b: Builder, known: readonly Known[], picks: Choice['picks'], depth = 0, counter?: Value) {
    this.#b = b;
    this.#known = known;
    this.#picks = picks;
    this.#depth = depth;
    this.#counter = counter;
  }

  /** Appends one op, or none if the choice does not fit anything. */
  apply(op: number): Known | undefined {
    const steps = [
      this.#unary,
      this.#binary,
      this.#move,
      this.#reduce,
      this.#compareAndSelect,
      this.#convert,
      this.#dot,
      this.#index,
      this.#window,
      this.#sort,
      this.#control,
      this.#join,
    ];
    return pick(steps, op).call(this);
  }

  get #first(): Known {
    return pick(this.#known, this.#picks[0]);
  }
  /** Another value of the same type; the value itself if there is none. */
  #other(type: TensorType): Known {
    return this.#anyOf(type)!;
  }
  #anyOf(type: TensorType): Known | undefined {
    const same = this.#known.filter(k => sameType(k.value.type, type));
    return same.length === 0 ? undefined : pick(same, this.#picks[1]);
  }
  /** An existing scalar integer, or a constant. */
  #scalarIndex(pickIndex: number): Value {
    if (this.#counter !== undefined) return this.#counter;
    const scalars = this.#known.filter(k => sameType(k.value.type, tensorType('i32')));
    return scalars.length > 0 ? pick(scalars, pickIndex).value : this.#b.fill('i32', [], (pickIndex % 7) - 2);
  }

  #unary(): Known | undefined {
    const { value, bits, bound } = this.#first;
    const { elementType } = tensorTypeOf(value);
    const choice = this.#picks[2];
    if (elementType === 'i1') return { value: this.#b.unary('not', value), bits, bound };
    if (isInteger(elementType)) {
      const names = elementType.startsWith('u') ? integral.slice(0, 4) : integral;
      return { value: this.#b.unary(pick(names, choice), value), bits, bound };
    }
    if (bits !== undefined) {
      const names: readonly UnaryName[] = takesRounding(elementType)
        ? [...jumping, 'negate', 'abs', ...smooth]
        : [...jumping, 'negate', 'abs'];
      const name = pick(names, choice);
      const isSmooth = smooth.includes(name);
      return {
        value: this.#b.unary(name, value),
        bits: isSmooth ? undefined : bits + 1,
        bound: isSmooth ? 1 : bound + 1,
      };
    }
    const name = pick([...smooth, 'negate', 'abs'] as const, choice);
    return { value: this.#b.unary(name, value), bits, bound: smooth.includes(name) ? 1 : bound };
  }

  #binary(): Known | undefined {
    const x = this.#first;
    const type = tensorTypeOf(x.value);
    const y = this.#other(type);
    const choice = this.#picks[2];
    if (type.elementType === 'i1')
      return { ...x, value: this.#b.binary(pick(booleanBinary, choice), x.value, y.value) };
    if (isInteger(type.elementType))
      return { ...x, value: this.#b.binary(pick(integerBinary, choice), x.value, y.value) };
    const name = pick(floatBinary, choice);
    const value = this.#b.binary(name, x.value, y.value);
    const isProduct = name === 'multiply';
    const bound = isProduct ? x.bound * y.bound : x.bound + y.bound;
    if (x.bits === undefined || y.bits === undefined)
      return takesRounding(type.elementType) ? { value, bits: undefined, bound } : undefined;
    return { value, bits: isProduct ? x.bits + y.bits : Math.max(x.bits, y.bits) + 1, bound };
  }

  #move(): Known {
    const x = this.#first;
    const shape = shapeOf(x.value);
    const [, choice, a, c] = this.#picks;
    const b = this.#b;
    const moves: readonly (() => TensorValue)[] = [
      () => b.reshape(x.value, [elementCount(shape)]),
      () =>
        b.transpose(
          x.value,
          rotated(
            shape.map((_, i) => i),
            a,
          ),
        ),
      () =>
        b.broadcastInDim(
          x.value,
          shape.map((_, i) => i + 1),
          [(a % 3) + 1, ...shape],
        ),
      () => b.emit1('reverse', [x.value], { dimensions: shape.map((_, i) => i).filter(i => (a >> i) % 2 === 0) }),
      () => {
        const start = shape.map((size, i) => Math.min(size, Math.floor(a / 3 ** i) % 3));
        return b.slice(
          x.value,
          start,
          [...shape],
          shape.map((_, i) => (Math.floor(c / 2 ** i) % 2) + 1),
        );
      },
      () => {
        const zero = b.fill(tensorTypeOf(x.value).elementType, [], 1);
        const low = shape.map((size, i) => (Math.floor(a / 4 ** i) % 4) - (size > 1 ? 1 : 0));
        return b.pad(
          x.value,
          zero,
          low,
          shape.map((_, i) => Math.floor(c / 3 ** i) % 3),
          shape.map((_, i) => (a >> i) % 2),
        );
      },
      () => b.emit1('optimization_barrier', [x.value], {}),
    ];
    return { ...x, value: pick(moves, choice)(), bound: Math.max(1, x.bound) };
  }

  #reduce(): Known | undefined {
    const x = this.#first;
    const { elementType, shape } = tensorTypeOf(x.value);
    const dims = shape.map((_, i) => i).filter(i => (this.#picks[1] >> i) % 2 === 0);
    const count = Math.max(1, elementCount(dims.map(d => shape[d]!)));
    const names: readonly BinaryName[] =
      elementType === 'i1'
        ? ['or', 'and']
        : isFloat(elementType)
          ? ['add', 'maximum', 'minimum']
          : ['add', 'multiply', 'maximum', 'xor'];
    const name = pick(names, this.#picks[2]);
    if (x.bits === undefined && isFloat(elementType) && !takesRounding(elementType)) return undefined;
    const init = this.#b.fill(elementType, [], name === 'and' || name === 'multiply' ? 1 : 0);
    const value = this.#b.reduce(name, x.value, init, dims);
    return {
      value,
      bits: x.bits === undefined ? undefined : x.bits + Math.ceil(Math.log2(count)) + 1,
      bound: x.bound * count,
    };
  }

  #compareAndSelect(): Known | undefined {
    const x = this.#first;
    const type = tensorTypeOf(x.value);
    const y = this.#other(type);
    if (isFloat(type.elementType) && (x.bits === undefined || y.bits === undefined)) return undefined;
    const predicate = this.#b.compare(pick(comparisonDirections, this.#picks[2]), x.value, y.value);
    if (this.#picks[3] % 3 === 0) return { value: predicate, bits: undefined, bound: 1 };
    const third = this.#picks[3] % 3 === 1 ? y : x;
    const value =
      this.#picks[3] % 6 < 3 || type.elementType === 'i1'
        ? this.#b.select(predicate, y.value, x.value)
        : this.#b.emit1('clamp', [x.value, y.value, third.value], {});
    const bits = x.bits === undefined || y.bits === undefined ? undefined : Math.max(x.bits, y.bits);
    return { value, bits, bound: Math.max(x.bound, y.bound) };
  }

  #convert(): Known | undefined {
    const x = this.#first;
    const from = tensorTypeOf(x.value).elementType;
    const to = pick(elementTypes, this.#picks[1]);
    const value = this.#b.convert(x.value, to);
    if (!isFloat(from)) {
      if (!isFloat(to)) return { value, bits: undefined, bound: x.bound };
      // Integers may be large: only those known to be small stay exact.
      if (from === 'i1') return { value, bits: 1, bound: 1 };
      if (from === 'i8' || from === 'ui8') return to === 'bf16' ? undefined : { value, bits: 8, bound: 256 };
      return undefined;
    }
    if (isFloat(to)) {
      if (x.bits !== undefined) return x.bits <= precision[to]! ? { ...x, value } : undefined;
      // A value rounded to f32 does not get more precise as f64.
      return takesRounding(to) && from !== 'f32' ? { ...x, value } : undefined;
    }
    return x.bits === undefined ? undefined : { value, bits: undefined, bound: x.bound };
  }

  #dot(): Known | undefined {
    const x = this.#first;
    const { elementType, shape } = tensorTypeOf(x.value);
    if (elementType === 'i1' || shape.length === 0) return undefined;
    if (isFloat(elementType) && x.bits === undefined && !takesRounding(elementType)) return undefined;
    const y = this.#other(tensorTypeOf(x.value));
    const contracting = this.#picks[2] % shape.length;
    const batching = this.#picks[3] % 2 === 1 && shape.length > 1 ? (contracting + 1) % shape.length : undefined;
    const dims = batching === undefined ? [] : [batching];
    const value = this.#b.dotGeneral(x.value, y.value, {
      lhsBatchingDimensions: dims,
      rhsBatchingDimensions: dims,
      lhsContractingDimensions: [contracting],
      rhsContractingDimensions: [contracting],
    });
    const terms = Math.max(1, shape[contracting]!);
    const exact =
      x.bits !== undefined && y.bits !== undefined ? x.bits + y.bits + Math.ceil(Math.log2(terms)) : undefined;
    if (isFloat(elementType) && exact === undefined && !takesRounding(elementType)) return undefined;
    return { value, bits: exact, bound: x.bound * y.bound * terms };
  }

  #index(): Known | undefined {
    const x = this.#first;
    const { elementType, shape } = tensorTypeOf(x.value);
    if (shape.length === 0 || shape.includes(0)) return undefined;
    const b = this.#b;
    const [, choice, at, size] = this.#picks;
    const sizes = shape.map((s, i) => (Math.floor(size / 4 ** i) % s) + 1);
    const starts = shape.map((_, i) => this.#scalarIndex(at + i));
    const ways: readonly (() => Known)[] = [
      () => ({ ...x, value: b.emit1('dynamic_slice', [x.value, ...starts], { sliceSizes: sizes }) }),
      () => {
        const y = choice % 8 === 1 ? x : this.#other(tensorTypeOf(x.value));
        const update = b.slice(
          y.value,
          shape.map(() => 0),
          sizes,
        );
        return { ...eitherOf(x, y), value: b.emit1('dynamic_update_slice', [x.value, update, ...starts], {}) };
      },
      () => {
        const rows = b.reshape(starts[0]!, [1]);
        const value = b.gather(
          x.value,
          rows,
          {
            offsetDims: shape.map((_, i) => i),
            collapsedSliceDims: [],
            operandBatchingDims: [],
            startIndicesBatchingDims: [],
            startIndexMap: [0],
            indexVectorDim: 0,
          },
          sizes,
        );
        return { ...x, value };
      },
      () => {
        const isExact = !isFloat(elementType) || x.bits !== undefined || takesRounding(elementType);
        const combiner: BinaryName = elementType === 'i1' ? 'or' : isExact ? 'add' : 'maximum';
        const indices = b.reshape(starts[0]!, [1, 1]);
        const updates = b.reshape(
          b.slice(
            x.value,
            shape.map(() => 0),
            [1, ...shape.slice(1)],
          ),
          [1, ...shape.slice(1)],
        );
        const value = b.scatter(combiner, x.value, indices, updates, {
          updateWindowDims: shape.slice(1).map((_, i) => i + 1),
          insertedWindowDims: [0],
          inputBatchingDims: [],
          scatterIndicesBatchingDims: [],
          scatterDimsToOperandDims: [0],
          indexVectorDim: 1,
        });
        return { value, bits: x.bits === undefined ? undefined : x.bits + 1, bound: 2 * x.bound };
      },
    ];
    return pick(ways, choice)();
  }

  #window(): Known | undefined {
    const x = this.#first;
    const { elementType, shape } = tensorTypeOf(x.value);
    if (shape.length === 0 || elementType === 'i1') return undefined;
    if (isFloat(elementType) && x.bits === undefined && !takesRounding(elementType)) return undefined;
    const [, a, c, d] = this.#picks;
    const name: BinaryName = c % 2 === 0 ? 'add' : 'maximum';
    const b = this.#b;
    const window = shape.map((_, i) => (Math.floor(a / 3 ** i) % 3) + 1);
    const [value] = b.emit(
      'reduce_window',
      [x.value, b.fill(elementType, [], 0)],
      {
        windowDimensions: window,
        windowStrides: shape.map((_, i) => (Math.floor(c / 2 ** (i + 1)) % 2) + 1),
        baseDilations: shape.map((_, i) => (Math.floor(d / 2 ** i) % 2) + 1),
        windowDilations: shape.map((_, i) => (Math.floor(d / 2 ** (i + 3)) % 2) + 1),
        padding: shape.map((_, i) => [Math.floor(a / 3 ** i) % 2, Math.floor(d / 3 ** i) % 2] as const),
      },
      [b.combiner(name, elementType)],
    );
    const count = elementCount(window);
    const bits = x.bits === undefined ? undefined : x.bits + Math.ceil(Math.log2(count)) + 1;
    return { value: value as TensorValue, bits, bound: x.bound * count };
  }

  #sort(): Known | undefined {
    const x = this.#first;
    const { elementType, shape } = tensorTypeOf(x.value);
    if (shape.length === 0 || (isFloat(elementType) && x.bits === undefined)) return undefined;
    const b = this.#b;
    const dimension = this.#picks[1] % shape.length;
    const order = this.#picks[2] % 2 === 0 ? 'LT' : 'GT';
    const iota = b.iota(tensorType('i32', shape), dimension);
    const scalars = [elementType, elementType, 'i32', 'i32'].map(t => tensorType(t as ElementType));
    const comparator = b.region(scalars, (inner, [p, q]) => [inner.compare(order, p!, q!)]);
    const results = b.emit('sort', [x.value, iota], { dimension, isStable: true }, [comparator]);
    const which = this.#picks[3] % 2;
    const value = results[which] as TensorValue;
    return which === 0 ? { ...x, value } : { value, bits: undefined, bound: 4 };
  }

  #control(): Known | undefined {
    const x = this.#first;
    const type = tensorTypeOf(x.value);
    const y = this.#other(type);
    const b = this.#b;
    const [, , choice, n] = this.#picks;
    if (choice % 6 > 2 && this.#depth < 2) return this.#controlOverOp();
    if (choice % 3 === 0) {
      // Counts up to a small number, changing the value each time.
      const types = [tensorType('i32'), type];
      const cond = b.region(types, (inner, [i]) => [inner.compare('LT', i!, inner.fill('i32', [], n % 4))]);
      const body = b.region(types, (inner, [i, v]) => [
        inner.add(i!, inner.fill('i32', [], 1)),
        inner.binary(type.elementType === 'i1' ? 'xor' : 'maximum', v!, y.value),
      ]);
      const value = b.emit('while', [b.fill('i32', [], 0), x.value], {}, [cond, body])[1] as TensorValue;
      return { ...eitherOf(x, y), value };
    }
    const branches = [x, y, x].map((k, i) =>
      b.region([], inner => [i === 2 ? inner.emit1('reverse', [k.value], { dimensions: [] }) : k.value]),
    );
    const index = this.#scalarIndex(n);
    const value =
      choice % 3 === 1
        ? b.emit1('case', [index], {}, branches)
        : b.emit1('if', [b.compare('GT', index, b.fill('i32', [], 0))], {}, branches.slice(0, 2));
    return { ...eitherOf(x, y), value };
  }

  /** A loop or branches in which an op is applied to values of the surrounding region. */
  #controlOverOp(): Known | undefined {
    const b = this.#b;
    const [first, op, choice, n] = this.#picks;
    const apply = (inner: Builder, counter?: Value): Known | undefined => {
      const made = new RandomOp(inner, this.#known, [op, n, first, choice], this.#depth + 1, counter).apply(op);
      return made === undefined || elementCount(shapeOf(made.value)) > maxElements ? undefined : tamed(inner, made);
    };
    const made = apply(b);
    if (made === undefined) return undefined;
    const type = tensorTypeOf(made.value);
    const other = this.#anyOf(type) ?? made;
    const index = this.#scalarIndex(n);
    if (choice % 6 === 3) {
      const types = [tensorType('i32'), type];
      const cond = b.region(types, (inner, [i]) => [inner.compare('LT', i!, inner.fill('i32', [], n % 4))]);
      const body = b.region(types, (inner, [i, v]) => [
        inner.add(i!, inner.fill('i32', [], 1)),
        inner.binary(type.elementType === 'i1' ? 'or' : 'maximum', v!, apply(inner, i)!.value),
      ]);
      const value = b.emit('while', [b.fill('i32', [], 0), other.value], {}, [cond, body])[1] as TensorValue;
      return { ...eitherOf(made, other), value };
    }
    const branches = [
      b.region([], inner => [apply(inner)!.value]),
      b.region([], () => [other.value]),
      b.region([], inner => [
        inner.emit1('reverse', [apply(inner, index)!.value], { dimensions: type.shape.map((_, d) => d) }),
      ]),
    ];
    const value =
      choice % 6 === 4
        ? b.emit1('case', [index], {}, branches)
        : b.emit1('if', [b.compare('GT', index, b.fill('i32', [], 0))], {}, branches.slice(0, 2));
    return { ...eitherOf(made, other), value };
  }

  #join(): Known | undefined {
    const x = this.#first;
    const type = tensorTypeOf(x.value);
    if (type.shape.length === 0) return undefined;
    const y = this.#other(type);
    const value = this.#b.concatenate(
      [x.value, y.value, x.value].slice(0, (this.#picks[2] % 3) + 1),
      this.#picks[3] % type.shape.length,
    );
    return { ...eitherOf(x, y), value };
  }
}

function rotated(list: readonly number[], by: number): readonly number[] {
  const at = list.length === 0 ? 0 : by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}
