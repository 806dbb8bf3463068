// The programs that calibration measures: multiplies of many shapes and layouts, sweeps of each kind, moves of rows. Each
// result reuses the memory of an argument that nothing reads, so that no kernel touches new pages. Shapes cover
// the range of real models, but do not occur in any model that predictions are checked with.
import type { UnaryName } from '../../hlo/attributes.ts';
import type { Builder } from '../../hlo/builder.ts';
import { buildFunc } from '../../hlo/builder.ts';
import { imageDimensionNumbers } from '../../hlo/image-dimension-numbers.ts';
import { type Module, moduleOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { type ElementType, type TensorType, tensorType } from '../../hlo/types.ts';

/** A program under construction: arguments, created on demand, and results with their own memory. */
class Program {
  readonly #types: TensorType[] = [];
  readonly #parts: {
    readonly make: (b: Builder, args: readonly Value[]) => Value;
    readonly over: number | undefined;
  }[] = [];

  /** Adds an argument; returns its index. */
  argument(elementType: ElementType, shape: readonly number[]): number {
    return this.#types.push(tensorType(elementType, shape)) - 1;
  }
  /** `over`: the argument that it replaces; by default a separate one that is not read. */
  result(part: (b: Builder, argument: (index: number) => Value) => Value, over?: number): void {
    this.#parts.push({ make: (b, args) => part(b, index => args[index]!), over });
  }
  module(name: string): Module {
    // The types of the results are only known after building, so the program is built twice.
    const types = [...this.#types];
    const aliases: (number | undefined)[] = types.map(() => undefined);
    buildFunc('main', this.#types, (b, args) => {
      this.#parts.forEach(({ make, over }, i) => {
        aliases[over ?? types.push(tensorTypeOf(make(b, args))) - 1] = i;
      });
      return [];
    });
    const func = buildFunc('main', types, (b, args) => this.#parts.map(({ make }) => make(b, args)), aliases);
    return moduleOf(func, { name });
  }
}

export type MultiplyFormat = 'f32' | 'bf16';
/** The layout of each operand, in BLAS letters: n as multiplied, t transposed. */
type Layout = 'nn' | 'nt' | 'tn';
type Shape = readonly [m: number, n: number, k: number];

const plain: Readonly<Record<Layout, readonly Shape[]>> = {
  nt: [
    [24, 40, 24],
    [160, 24, 24],
    [1536, 320, 320],
    [1792, 1152, 288],
    [896, 640, 896],
    [640, 2560, 640],
    [192, 448, 704],
    [96, 96, 96],
    [3072, 96, 96],
    [16, 640, 512],
    [40, 320, 320],
    [256, 4096, 256],
  ],
  nn: [
    [1536, 288, 1152],
    [1536, 1152, 320],
    [960, 640, 2560],
    [480, 480, 480],
    [112, 448, 224],
    [320, 1280, 320],
    [1600, 192, 192],
  ],
  tn: [
    [320, 320, 1536],
    [640, 896, 896],
    [1152, 288, 1792],
    [288, 1152, 1664],
    [2560, 640, 480],
    [448, 704, 112],
    [96, 96, 48],
    [24, 24, 120],
    [192, 192, 2304],
  ],
};
type BatchedShape = readonly [batch: number, m: number, n: number, k: number];
const batched: Readonly<Record<Layout, readonly BatchedShape[]>> = {
  nt: [
    [112, 72, 72, 64],
    [80, 144, 144, 64],
    [20, 288, 288, 64],
    [48, 24, 24, 24],
    [24, 12, 12, 16],
  ],
  nn: [
    [112, 72, 64, 72],
    [80, 144, 64, 144],
    [48, 24, 20, 24],
  ],
  tn: [
    [112, 72, 72, 56],
    [80, 144, 64, 160],
  ],
};

/** Multiplies of matrices, one kernel each. */
export function multiplyProgram(format: MultiplyFormat): Module {
  const program = new Program();
  for (const layout of ['nn', 'nt', 'tn'] as const) {
    for (const [m, n, k] of plain[layout]) addMultiply(program, format, layout, [], m, n, k);
    for (const [batch, m, n, k] of batched[layout]) addMultiply(program, format, layout, [batch], m, n, k);
  }
  return program.module(`calibration_multiplies_${format}`);
}

function addMultiply(
  program: Program,
  format: MultiplyFormat,
  layout: Layout,
  batch: readonly number[],
  m: number,
  n: number,
  k: number,
): void {
  const a = program.argument(format, [...batch, ...(layout === 'tn' ? [k, m] : [m, k])]);
  const b = program.argument(format, [...batch, ...(layout === 'nt' ? [n, k] : [k, n])]);
  const first = batch.length;
  const batching = batch.map((_, i) => i);
  program.result((builder, argument) =>
    builder.dotGeneral(argument(a), argument(b), {
      lhsBatchingDimensions: batching,
      rhsBatchingDimensions: batching,
      lhsContractingDimensions: [layout === 'tn' ? first : first + 1],
      rhsContractingDimensions: [layout === 'nt' ? first + 1 : first],
    }),
  );
}

/** Convolutions of images [N, C, H, W], and for the gradient of their weights. */
export function convolutionProgram(): Module {
  const program = new Program();
  const add = (
    x: readonly number[],
    w: readonly number[],
    options: {
      readonly stride?: number;
      readonly pad?: number;
      readonly dilation?: number;
      readonly transposed?: boolean;
    } = {},
  ): void => {
    const { stride = 1, pad = 0, dilation = 1, transposed = false } = options;
    const [image, weights] = [program.argument('f32', x), program.argument('f32', w)];
    const numbers = imageDimensionNumbers;
    program.result((b, argument) =>
      b.emit1('convolution', [argument(image), argument(weights)], {
        dimensionNumbers: transposed
          ? {
              ...numbers,
              inputBatchDimension: numbers.inputFeatureDimension,
              inputFeatureDimension: numbers.inputBatchDimension,
              kernelInputFeatureDimension: numbers.kernelOutputFeatureDimension,
              kernelOutputFeatureDimension: numbers.kernelInputFeatureDimension,
              outputBatchDimension: numbers.outputFeatureDimension,
              outputFeatureDimension: numbers.outputBatchDimension,
            }
          : numbers,
        windowStrides: [stride, stride],
        padding: [
          [pad, pad],
          [pad, pad],
        ],
        lhsDilation: [1, 1],
        rhsDilation: [dilation, dilation],
        windowReversal: [false, false],
        featureGroupCount: 1,
        batchGroupCount: 1,
        precision: ['DEFAULT', 'DEFAULT'],
      }),
    );
  };
  add([4, 48, 60, 60], [48, 48, 3, 3], { pad: 1 });
  add([4, 96, 30, 30], [192, 96, 3, 3], { pad: 1 });
  add([4, 96, 30, 30], [192, 96, 3, 3], { pad: 1, stride: 2 });
  add([4, 160, 15, 15], [320, 160, 1, 1]);
  add([4, 320, 9, 9], [320, 320, 3, 3], { pad: 1 });
  add([4, 3, 160, 160], [48, 3, 7, 7], { pad: 3, stride: 2 });
  // the gradient of weights: the result's pixels are the window
  add([4, 48, 60, 60], [4, 48, 60, 60], { pad: 1, transposed: true });
  add([4, 160, 15, 15], [4, 320, 15, 15], { pad: 1, transposed: true });
  return program.module('calibration_convolutions');
}

/** Elementwise arithmetic over arrays that fit in caches, moves of rows, and empty kernels. */
export function sweepProgram(): Module {
  const program = new Program();
  const shape = [192, 1024];
  const pair = (type: ElementType, of: readonly number[] = shape) =>
    [program.argument(type, of), program.argument(type, of)] as const;
  const chain = (type: ElementType, step: (b: Builder, x: Value, y: Value) => Value, times: number): void => {
    const [x, y] = pair(type);
    program.result((b, argument) => {
      let value = argument(x);
      for (let i = 0; i < times; i++) value = step(b, value, argument(y));
      return value;
    });
  };
  // more simple operations, transcendental ones, divisions, roundings
  chain('f32', (b, x, y) => b.add(b.multiply(x, y), y), 16);
  chain('f32', (b, x, y) => b.add(b.multiply(x, y), y), 40);
  // random bits are hashed like this
  chain('ui32', (b, x, y) => b.multiply(b.binary('xor', x, b.binary('shift_right_logical', x, b.like(x, 15))), y), 10);
  // each on different numbers, as in a softmax: a dependent chain would measure latency
  const terms = (names: readonly UnaryName[]): void => {
    const [x, y] = pair('f32');
    program.result((b, argument) =>
      names
        .map((name, i): Value => b.unary(name, b.multiply(argument(x), b.add(argument(y), b.like(argument(y), i)))))
        .reduce((sum, term) => b.add(sum, term)),
    );
  };
  terms(['exponential', 'exponential', 'exponential', 'exponential']);
  terms(['tanh', 'chlo.erf', 'logistic', 'exponential']);
  chain('f32', (b, x, y) => b.divide(y, b.add(x, y)), 8);
  chain('f32', (b, x, y) => b.add(b.unary('sqrt', b.multiply(x, x)), y), 8);
  chain('bf16', (b, x, y) => b.add(b.multiply(x, y), y), 8);
  addRandom(program, shape);
  addRowMoves(program);
  for (const length of [96, 160, 224]) {
    const [x, y] = pair('f32', [length]);
    program.result((b, argument) => b.add(argument(x), argument(y)));
  }
  return program.module('calibration_sweeps');
}

function addRandom(program: Program, shape: readonly number[]): void {
  const state = program.argument('ui64', [2]);
  const x = program.argument('f32', shape);
  program.result((b, argument) => {
    const [, bits] = b.emit('rng_bit_generator', [argument(state)], {
      rngAlgorithm: 'PHILOX',
      type: tensorType('ui32', shape),
    });
    const keep = b.compare('LT', bits, b.like(bits, 3_000_000_000));
    return b.select(keep, argument(x), b.like(argument(x), 0));
  });
}
const [tableRows, movedRows, rowLength] = [20_000, 1536, 320];
function addRowMoves(program: Program): void {
  const table = program.argument('f32', [tableRows, rowLength]);
  const indices = program.argument('i32', [movedRows, 1]);
  program.result((b, argument) =>
    b.gather(
      argument(table),
      argument(indices),
      {
        offsetDims: [1],
        collapsedSliceDims: [0],
        operandBatchingDims: [],
        startIndicesBatchingDims: [],
        startIndexMap: [0],
        indexVectorDim: 1,
      },
      [1, rowLength],
    ),
  );
  const updates = program.argument('f32', [movedRows, rowLength]);
  const sums = program.argument('f32', [tableRows, rowLength]);
  program.result(
    (b, argument) =>
      b.scatter('add', argument(sums), argument(indices), argument(updates), {
        updateWindowDims: [1],
        insertedWindowDims: [0],
        inputBatchingDims: [],
        scatterIndicesBatchingDims: [],
        scatterDimsToOperandDims: [0],
        indexVectorDim: 1,
      }),
    sums,
  );
}
/** Row indices for the integer arguments of the programs. */
export const rowIndices = (count: number): Int32Array =>
  Int32Array.from({ length: count }, (_, i) => (i * 7919) % tableRows);

/**
 * The number of arrays that one run cycles through, so that each has been evicted from the inner caches when it is used again, as
 * in a step.
 */
const arrays = 3;

/** Arrays of this many bytes, each computed from another. */
export function copyProgram(bytes: number): Module {
  const program = new Program();
  for (let i = 0; i < arrays; i++) {
    const x = program.argument('f32', [bytes / 4096, 1024]);
    program.result((b, argument) => b.add(argument(x), b.like(argument(x), 1)));
  }
  return program.module(`calibration_copy_${bytes}`);
}
/** Three arrays of this many bytes, two of them updated in place, like weights and moments. */
export function inPlaceProgram(bytes: number): Module {
  const types = Array.from({ length: 3 * arrays }, () => tensorType('f32', [bytes / 4096, 1024]));
  const func = buildFunc(
    'main',
    types,
    (b, args) =>
      Array.from({ length: arrays }, (_, i) => args.slice(3 * i, 3 * i + 3)).flatMap(([w, m, g]) => {
        const next = b.add(b.multiply(m!, b.like(m!, 0.9)), g!);
        return [b.subtract(w!, b.multiply(next, b.like(next, 0.01))), next];
      }),
    types.map((_, i) => (i % 3 === 2 ? undefined : 2 * Math.floor(i / 3) + (i % 3))),
  );
  return moduleOf(func, { name: `calibration_in_place_${bytes}` });
}
