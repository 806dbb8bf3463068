// One program for all sizes, made from programs that differ only in numbers: the same calls, recorded for batches of different
// lengths. What the samples agree on stays as it is. A size that differs becomes unknown (`?`), and an op whose attributes
// state it becomes the op that takes it as an operand: `reshape` becomes `dynamic_reshape`. The sizes are an input of the
// program, and so are constants that differ: how often a loop runs, the divisor of a mean.
//
// Whether the program computes another one of the same structure is a comparison of numbers (`Symbols.bind`): no assumption about
// where a size comes from is needed.
import { TrenioError } from '../../base/errors.ts';
import type { OpName } from '../../hlo/attributes.ts';
import { Builder } from '../../hlo/builder.ts';
import { equalAttributes } from '../../hlo/equal-attributes.ts';
import { type Structure, structureOf } from '../../hlo/func-key.ts';
import { type Literal, literal } from '../../hlo/literal.ts';
import { randomBitsTarget } from '../../hlo/ops/random-bits-call.ts';
import { type Func, type Op, type Region, shapeOf, type Value } from '../../hlo/program.ts';
import { dynamicDim, elementCount, type TensorType, type Type, tensorType } from '../../hlo/types.ts';
import { type Size, Symbols } from './symbols.ts';

/** A program for all sizes. */
export interface SymbolicProgram {
  /** Arguments: those of the samples; the sizes, as integers of 64 bits, if there are any; the constants that are inputs. */
  readonly func: Func;
  /**
   * The values of the additional arguments with which the program computes `func`.
   * Undefined if it does not: a number differs that was the same in all samples, or two that were always equal are not.
   */
  bind(func: Structure): readonly Literal[] | undefined;
}

/**
 * The program that computes all of these, and others like them.
 * @param samples functions of one structure (`structureOf(func).key`), at least two
 * @throws {UNSUPPORTED} if an op cannot take the numbers that differ as operands
 */
export function symbolicProgram(samples: readonly Func[]): SymbolicProgram {
  const symbols = new Symbols(samples.map(structureOf));
  const func = new Lifting(samples, symbols).func();
  return {
    func,
    bind(structure) {
      const bound = symbols.bind(structure);
      if (bound === undefined) return undefined;
      const { sizes, inputs } = bound;
      return sizes.length === 0 ? inputs : [literal('i64', [sizes.length], sizes), ...inputs];
    },
  };
}

/** Converts the ops of the first sample, comparing each with those of the others. */
class Lifting {
  readonly #samples: readonly Func[];
  readonly #symbols: Symbols;
  readonly #ids = { next: 0 };
  readonly #map = new Map<Value, Value>();
  /** The elements of the argument with the sizes, as tensors of one. */
  #sizes: readonly Value[] = [];
  readonly #constants: Value[] = [];
  #constant = 0;

  constructor(samples: readonly Func[], symbols: Symbols) {
    this.#samples = samples;
    this.#symbols = symbols;
  }

  func(): Func {
    const [first] = this.#samples as [Func];
    const { count } = this.#symbols;
    const b = new Builder(this.#ids);
    const args = first.body.args.map((_, i) =>
      this.#argument(
        this.#samples.map(({ body }) => body.args[i]!),
        i,
      ),
    );
    const sizes = count === 0 ? [] : [b.argument(tensorType('i64', [count]), args.length)];
    this.#sizes = Array.from({ length: count }, (_, k) => b.slice(sizes[0]!, [k], [k + 1]));
    const results = this.#region(
      b,
      this.#samples.map(({ body }) => body),
    );
    const all = [...args, ...sizes, ...this.#constants];
    const aliases = all.map((_, i) => first.aliases[i]);
    return { name: first.name, body: { args: all, ops: b.ops, results }, aliases };
  }

  #argument(values: readonly Value[], index: number): Value {
    const argument = { id: this.#ids.next++, type: this.#typeOf(values), op: undefined, index };
    this.#map.set(values[0]!, argument);
    return argument;
  }
  #typeOf(values: readonly Value[]): Type {
    const { type } = values[0]!;
    if (type.kind !== 'tensor') return type;
    const { bounds: _, ...open } = type;
    return { ...open, shape: this.#openShape(values.map(shapeOf)) };
  }
  #sizesOf(shapes: readonly (readonly number[])[]): readonly Size[] {
    return shapes[0]!.map((_, d) => this.#symbols.sizeOf(shapes.map(shape => shape[d]!)));
  }
  #openShape(shapes: readonly (readonly number[])[]): readonly number[] {
    return this.#sizesOf(shapes).map(size => (typeof size === 'number' ? size : dynamicDim));
  }
  /** Sizes, starts or other numbers as an operand. */
  #operand(b: Builder, lists: readonly (readonly number[])[]): Value {
    const parts = this.#sizesOf(lists).map(size =>
      typeof size === 'number' ? b.constant(literal('i64', [1], [size])) : this.#sizes[size.symbol]!,
    );
    return parts.length === 1 ? parts[0]! : b.concatenate(parts, 0);
  }

  /** Appends the ops of a region; returns its results. */
  #region(b: Builder, regions: readonly Region[]): readonly Value[] {
    const [first] = regions as [Region];
    first.ops.forEach((_, i) => {
      this.#op(
        b,
        regions.map(region => region.ops[i]!),
      );
    });
    return first.results.map(value => this.#map.get(value)!);
  }
  #inner(regions: readonly Region[]): Region {
    const b = new Builder(this.#ids);
    const args = regions[0]!.args.map((_, i) =>
      this.#argument(
        regions.map(region => region.args[i]!),
        i,
      ),
    );
    const results = this.#region(b, regions);
    return { args, ops: b.ops, results };
  }

  #op(b: Builder, ops: readonly Op[]): void {
    const [first] = ops as [Op];
    b.location = first.location;
    const operands = first.operands.map(value => this.#map.get(value)!);
    const made =
      first.name === 'constant'
        ? this.#constantOf(b, ops as readonly Op<'constant'>[])
        : ops.every(op => equalAttributes(op.attributes, first.attributes))
          ? undefined
          : this.#withOperands(b, ops, operands);
    if (made !== undefined) {
      first.results.forEach((value, i) => {
        if (made[i] !== undefined) this.#map.set(value, made[i]);
      });
      return;
    }
    const regions = first.regions.map((_, i) => this.#inner(ops.map(op => op.regions[i]!)));
    const results: Value[] = [];
    const op = { ...first, operands, regions, results } as unknown as Op;
    first.results.forEach((value, index) => {
      const type = this.#typeOf(ops.map(({ results: of }) => of[index]!));
      const result = { id: this.#ids.next++, type, op, index };
      results.push(result);
      this.#map.set(value, result);
    });
    b.ops.push(op);
  }

  #constantOf(b: Builder, ops: readonly Op<'constant'>[]): readonly Value[] {
    const { value } = ops[0]!.attributes;
    const type = this.#typeOf(ops.map(op => op.results[0])) as TensorType;
    switch (this.#symbols.formOf(this.#constant++)) {
      case 'fixed':
        return [b.constant(value)];
      case 'spread': {
        const entries = value.data.length / elementCount(value.type.shape);
        const one = b.constant({ type: { ...value.type, shape: [] }, data: value.data.slice(0, entries) });
        const sizes = this.#operand(
          b,
          ops.map(op => op.attributes.value.type.shape),
        );
        return [b.emit1('dynamic_broadcast_in_dim', [one, sizes], { broadcastDimensions: [], type })];
      }
      default: {
        const index = this.#samples[0]!.body.args.length + Math.min(1, this.#symbols.count) + this.#constants.length;
        const argument = { id: this.#ids.next++, type, op: undefined, index };
        this.#constants.push(argument);
        return [argument];
      }
    }
  }

  /** The same op with numbers as operands instead of attributes. */
  #withOperands(b: Builder, ops: readonly Op[], operands: readonly Value[]): readonly (Value | undefined)[] {
    const [first] = ops as [Op];
    const type = this.#typeOf(ops.map(op => op.results.at(-1)!)) as TensorType;
    const [x] = operands as [Value];
    const numbers = <N extends OpName>(of: (attributes: Op<N>['attributes']) => readonly number[]): Value => {
      const lists = ops.map(op => of((op as Op<N>).attributes));
      return this.#operand(b, lists);
    };
    /** Whether ops have the same attributes apart from some. */
    const agree = (...names: string[]): boolean =>
      ops.every(({ attributes }) => {
        const [mine, its] = [{ ...attributes }, { ...first.attributes }] as Record<string, unknown>[];
        for (const name of names) {
          delete mine![name];
          delete its![name];
        }
        return equalAttributes(mine, its);
      });
    switch (first.name) {
      case 'iota':
        if (!agree('type')) break;
        return [
          b.emit1('dynamic_iota', [numbers<'iota'>(a => a.type.shape)], {
            iotaDimension: first.attributes.iotaDimension,
            type,
          }),
        ];
      case 'broadcast_in_dim':
        if (!agree('shape')) break;
        return [
          b.emit1('dynamic_broadcast_in_dim', [x, numbers<'broadcast_in_dim'>(a => a.shape)], {
            broadcastDimensions: first.attributes.broadcastDimensions,
            type,
          }),
        ];
      case 'reshape': {
        // Dims of size 1 that are added move no elements, and can be computed where they are used.
        const from = this.#sizesOf(ops.map(op => shapeOf(op.operands[0]!)));
        const to = this.#sizesOf(ops.map(op => shapeOf(op.results[0]!)));
        const kept = to.flatMap((size, d) => (size === 1 ? [] : [d]));
        const isWider = JSON.stringify(kept.map(d => to[d])) === JSON.stringify(from);
        if (isWider)
          return [
            b.emit1('dynamic_broadcast_in_dim', [x, numbers<'reshape'>(a => a.shape)], {
              broadcastDimensions: kept,
              type,
            }),
          ];
        return [b.emit1('dynamic_reshape', [x, numbers<'reshape'>(a => a.shape)], { type })];
      }
      case 'slice':
        return [
          b.emit1(
            'real_dynamic_slice',
            [
              x,
              numbers<'slice'>(a => a.startIndices),
              numbers<'slice'>(a => a.limitIndices),
              numbers<'slice'>(a => a.strides),
            ],
            { type },
          ),
        ];
      case 'dynamic_slice':
        return [this.#dynamicSlice(b, ops as readonly Op<'dynamic_slice'>[], operands, type)];
      case 'pad':
        return [
          b.emit1(
            'dynamic_pad',
            [
              x,
              operands[1]!,
              numbers<'pad'>(a => a.edgePaddingLow),
              numbers<'pad'>(a => a.edgePaddingHigh),
              numbers<'pad'>(a => a.interiorPadding),
            ],
            { type },
          ),
        ];
      case 'gather': {
        const { dimensionNumbers, indicesAreSorted } = first.attributes;
        if (!agree('sliceSizes')) break;
        return [
          b.emit1('dynamic_gather', [x, operands[1]!, numbers<'gather'>(a => a.sliceSizes)], {
            dimensionNumbers,
            indicesAreSorted,
            type,
          }),
        ];
      }
      case 'rng_bit_generator': {
        // Nothing may use the state that it returns: how far it advances depends on the sizes.
        const isUsed = this.#isUsed(first.results[0]);
        if (isUsed || !agree('type') || first.attributes.rngAlgorithm === 'THREE_FRY') break;
        const sizes = numbers<'rng_bit_generator'>(a => a.type.shape);
        return [
          undefined,
          b.emit('custom_call', [x, sizes], {
            callTargetName: randomBitsTarget,
            backendConfig: '',
            resultTypes: [type],
            hasSideEffect: false,
          })[0]!,
        ];
      }
      case 'bitcast_convert':
        return [b.emit1('bitcast_convert', [x], { type })];
    }
    throw new TrenioError(
      'UNSUPPORTED',
      {
        what: `${first.name} with numbers that differ`,
        where: 'a program for all sizes',
        instead: 'it is compiled for each size',
      },
      { location: first.location },
    );
  }

  /** Starts are clamped so that the slice is within the operand. */
  #dynamicSlice(b: Builder, ops: readonly Op<'dynamic_slice'>[], operands: readonly Value[], type: TensorType): Value {
    const [x, ...starts] = operands as [Value, ...Value[]];
    const shapes = ops.map(op => shapeOf(op.operands[0]));
    const lengths = ops.map(op => op.attributes.sliceSizes);
    const zero = b.constant(literal('i64', [1], [0]));
    const bounds = starts.map((start, d): readonly [first: Value, limit: Value] => {
      const [size, length] = [shapes, lengths].map(lists =>
        this.#operand(
          b,
          lists.map(list => [list[d]!]),
        ),
      );
      if (ops.every((_, i) => shapes[i]![d] === lengths[i]![d])) return [zero, length!];
      const given = b.reshape(b.convert(start, 'i64'), [1]);
      const first = b.maximum(b.minimum(given, b.subtract(size!, length!)), zero);
      return [first, b.add(first, length!)];
    });
    const [from, to] = [0, 1].map(i =>
      b.concatenate(
        bounds.map(pair => pair[i]!),
        0,
      ),
    );
    const strides = b.constant(
      literal(
        'i64',
        [starts.length],
        starts.map(() => 1),
      ),
    );
    return b.emit1('real_dynamic_slice', [x, from!, to!, strides], { type });
  }

  #isUsed(value: Value): boolean {
    const [{ body }] = this.#samples as [Func];
    return body.results.includes(value) || body.ops.some(op => (op.operands as readonly Value[]).includes(value));
  }
}
