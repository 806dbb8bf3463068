// Concatenations whose parts are computed in place, and sums that become concatenations: three ways (C, WebAssembly,
// reference interpreter), for selected and random programs.
import { describe, expect, test } from 'vitest';
import { Builder } from '../hlo/builder.ts';
import { interpret } from '../hlo/interpreter.ts';
import { type Literal, literal } from '../hlo/literal.ts';
import { type Module, mainOf, moduleOf, shapeOf, type Value } from '../hlo/program.ts';
import { elementCount, tensorType } from '../hlo/types.ts';
import { forEachOp } from '../hlo/walk.ts';
import { interpretKernels } from './cpu/in-process/prepare.ts';
import { cpuMachine } from './cpu/kernels/cpu-machine.ts';
import { compileToC, hostTarget } from './index.ts';
import { runPasses } from './passes/index.ts';
import { planProgram } from './program/plan-program.ts';
import { expectClose } from './testing/closeness.testing.ts';
import { compileForTest } from './testing/compile.testing.ts';

type Shape = readonly number[];
type Make = (b: Builder, args: readonly Value[]) => Value[];

function moduleWith(shapes: readonly Shape[], make: Make): Module {
  const b = new Builder();
  const args = shapes.map((shape, i) => b.argument(tensorType('f32', shape), i));
  const results = make(b, args);
  return moduleOf({ name: 'main', body: { args, ops: b.ops, results }, aliases: args.map(() => undefined) });
}
const inputOf = (shape: Shape, seed: number): Literal =>
  literal(
    'f32',
    shape,
    Array.from({ length: elementCount(shape) }, (_, i) => Math.sin(i * 0.7 + seed)),
  );

function check(shapes: readonly Shape[], make: Make): Module {
  const module = moduleWith(shapes, make);
  const inputs = shapes.map(inputOf);
  const expected = interpret(module, inputs);
  const program = compileForTest(module);
  const ways = {
    compiled: program.run(inputs),
    'compiled, last task first': program.run(inputs, { backwards: true }),
    'kernels interpreted': interpretKernels(module, hostTarget(), inputs),
  };
  for (const [way, results] of Object.entries(ways))
    results.forEach((result, i) => {
      expectClose(result, expected[i]!, `${way}, result ${i}`, 2e-5);
    });
  return module;
}

/** The number of ops with a name in the program from which kernels are planned. */
function countOf(module: Module, name: string): number {
  let count = 0;
  forEachOp(mainOf(runPasses(module)).body, op => {
    if (op.name === name) count++;
  });
  return count;
}
/** The offsets of the parts of the program's joins; undefined for parts that are copied. */
function offsetsOfParts(module: Module): (number | undefined)[] {
  const { schedule, memory } = planProgram(module, cpuMachine(hostTarget()), new Map());
  return schedule.main.steps.flatMap(step => {
    if (step.kind !== 'kernel' || step.op.name !== 'concatenate') return [];
    const whole = memory.locationOf(step.op.results[0]);
    let at = 0;
    return step.op.operands.map(v => {
      const place = memory.locationOf(v);
      const isThere = place.kind === 'arena' && whole.kind === 'arena' && place.offset === whole.offset + at;
      at += 4 * elementCount(shapeOf(v));
      return isThere ? at - 4 * elementCount(shapeOf(v)) : undefined;
    });
  });
}

const dims = (lhs: number, rhs: number) => ({
  lhsBatchingDimensions: [],
  rhsBatchingDimensions: [],
  lhsContractingDimensions: [lhs],
  rhsContractingDimensions: [rhs],
});
const product = dims(1, 0);
const overRows = dims(0, 0);

/** tanh(x · w): a value that is stored in memory, because it is an operand of multiplies. */
const link = (b: Builder, x: Value, w: Value): Value => b.unary('tanh', b.dotGeneral(x, w, product));
/** x, link(x), link(link(x)), …: without x. */
function chain(b: Builder, x: Value, w: Value, count: number): Value[] {
  const out: Value[] = [];
  for (let state = x; out.length < count; out.push(state)) state = link(b, state, w);
  return out;
}

describe('concatenations of many parts', () => {
  const shapes = [
    [4, 16],
    [16, 16],
  ];
  test('parts are computed in place, and read there by the next ones', () => {
    const module = check(shapes, (b, [x, w]) => {
      const all = b.concatenate(chain(b, x!, w!, 10), 0);
      return [b.sum(b.multiply(all, all))];
    });
    expect(offsetsOfParts(module)).toEqual(Array.from({ length: 10 }, (_, i) => i * 256));
  });
  test('a stack along an inner dim is one along the outermost', () => {
    const module = check(shapes, (b, [x, w]) => {
      const parts = chain(b, x!, w!, 9).map(v => b.reshape(v, [4, 1, 16]));
      const all = b.concatenate(parts, 1);
      return [b.sum(b.multiply(all, all), [0, 2]), b.concatenate(chain(b, x!, w!, 9), 1)];
    });
    expect(offsetsOfParts(module).slice(0, 9)).toEqual(Array.from({ length: 9 }, (_, i) => i * 256));
  });
  test('parts that are copied: arguments, constants, the same part again, results, unaligned and empty ones', () => {
    check([...shapes, [0, 16], [3, 5]], (b, [x, w, none, odd]) => {
      const parts = chain(b, x!, w!, 9);
      const padded = b.concatenate([b.reshape(odd!, [15]), ...parts.map(v => b.reshape(v, [64]))], 0);
      const zeros = b.fill('f32', [4, 16], 2);
      const all = b.concatenate([x!, zeros, none!, ...parts, parts[3]!, parts[3]!, x!], 0);
      return [b.unary('negate', all), parts[2]!, b.unary('negate', padded), b.sum(all, [0])];
    });
  });
  test('many scalars, and many columns', () => {
    const parts = (b: Builder, x: Value, sizes: readonly number[]): Value[] => {
      const [rows = 0, columns = 0] = shapeOf(x);
      return Array.from({ length: columns }, (_, i) =>
        b.reshape(b.unary('sine', b.slice(x, [0, i], [rows, i + 1])), sizes),
      );
    };
    const module = check(
      [
        [1, 80],
        [2, 70],
        [1, 70],
      ],
      (b, [x, y, z]) => [
        b.sum(b.unary('negate', b.concatenate(parts(b, x!, [1]), 0)), [0]),
        b.unary('negate', b.concatenate(parts(b, y!, [2, 1]), 1)),
        b.concatenate([...parts(b, z!, [1]), b.fill('f32', [1], 2)], 0),
      ],
    );
    // One for the scalars, one for the columns; a constant part is in no memory, so those of the last are a tree.
    expect(countOf(module, 'concatenate')).toBe(5);
  });
  test('a join that is a result, a part of another join, and read after the other has died', () => {
    const module = check(shapes, (b, [x, w]) => {
      const first = chain(b, x!, w!, 8);
      const inner = b.concatenate(first, 0);
      const doubled = b.add(inner, inner);
      const outer = b.concatenate([inner, ...chain(b, first[7]!, w!, 8)], 0);
      const result = b.concatenate(chain(b, first[1]!, w!, 8), 0);
      return [b.unary('exponential', doubled), b.unary('negate', outer), result, link(b, first[4]!, w!)];
    });
    expect(offsetsOfParts(module)).toContain(8 * 256);
  });
  test('within a loop, with parts from inside and outside of it', () => {
    check(shapes, (b, [x, w]) => {
      const outside = chain(b, x!, w!, 2);
      const counter = b.constant(literal('i32', [], [0]));
      const region = b.region([tensorType('i32', []), tensorType('f32', [4, 16])], (inner, [i]) => [
        inner.compare('LT', i!, inner.constant(literal('i32', [], [3]))),
      ]);
      const body = b.region([tensorType('i32', []), tensorType('f32', [4, 16])], (inner, [i, state]) => {
        const all = inner.concatenate([...chain(inner, state!, w!, 8), ...outside, state!], 0);
        const next = inner.reshape(inner.sum(inner.reshape(all, [11, 4, 16]), [0]), [4, 16]);
        return [inner.add(i!, inner.constant(literal('i32', [], [1]))), next];
      });
      const results = b.emit('while', [counter, x!], {}, [region, body]);
      return [results[1]!];
    });
  });
  test('an elementwise kernel that overwrites a dying operand does not touch the memory of joins', () => {
    check(shapes, (b, [x, w]) => {
      const parts = chain(b, x!, w!, 8);
      const all = b.concatenate(parts, 0);
      const shifted = b.add(all, b.concatenate([...parts.slice(1), parts[0]!], 0));
      return [b.sum(b.multiply(shifted, b.unary('exponential', all)), [1]), b.unary('sine', parts[7]!)];
    });
  });
});

describe('sums that are gathered', () => {
  /** The gradient of `steps` slices of one tensor, of the weights that multiply them, and of a bias. */
  const recurrence =
    (steps: number): Make =>
    (b, [x, w]) => {
      const zero = b.constant(literal('f32', [], [0]));
      const states = chain(b, x!, w!, steps);
      let [slices, weights, bias]: (Value | undefined)[] = [];
      const plus = (sum: Value | undefined, term: Value): Value => (sum === undefined ? term : b.add(sum, term));
      for (let t = steps - 1; t >= 0; t--) {
        const d = b.multiply(states[t]!, states[(t + 1) % steps]!);
        const low = [t, 0, 0];
        const high = [steps - 1 - t, 0, 0];
        slices = plus(slices, b.pad(b.reshape(d, [1, 4, 16]), zero, low, high, [0, 0, 0]));
        weights = plus(weights, b.dotGeneral(states[t]!, d, overRows));
        bias = plus(bias, b.sum(d, [0]));
      }
      return [b.unary('negate', slices!), weights!, bias!];
    };
  const shapes = [
    [4, 16],
    [16, 16],
  ];
  test('padded slices, products and sums of a recurrence', () => {
    const module = check(shapes, recurrence(12));
    expect(countOf(module, 'pad')).toBe(0);
    expect(countOf(module, 'dot_general')).toBe(12 + 1);
    expect(countOf(module, 'reduce')).toBe(1);
  });
  test('a few products are not gathered', () => {
    const module = check(shapes, recurrence(3));
    expect(countOf(module, 'pad')).toBe(0);
    expect(countOf(module, 'dot_general')).toBe(3 + 3);
  });
  test('products of operands that are not adjacent keep their order', () => {
    const module = check(shapes, (b, [x, w]) => {
      const terms = chain(b, x!, w!, 6).map(v => b.dotGeneral(v, b.unary('sine', v), overRows));
      return [terms.reduce((sum, term) => b.add(sum, term))];
    });
    expect(countOf(module, 'dot_general')).toBe(12);
  });
  test('terms that have other uses, overlap, or are padded with other values are unchanged', () => {
    const module = check(
      [
        [2, 8],
        [8, 8],
      ],
      (b, [x, y]) => {
        const [zero, one] = [0, 1].map(n => b.constant(literal('f32', [], [n])));
        const pad = (low: number, value = zero!): Value => b.pad(x!, value, [low, 0], [6 - low, 0], [0, 0]);
        const used = pad(4);
        const corner = b.pad(b.slice(x!, [0, 0], [2, 4]), zero!, [0, 0], [6, 4], [0, 0]);
        const terms = [pad(0), y!, pad(1), used, pad(2, one), pad(6), corner];
        return [terms.reduce((sum, term) => b.add(sum, term)), b.unary('negate', used)];
      },
    );
    expect(countOf(module, 'concatenate')).toBe(1);
  });
  test('random sums', () => {
    const slices = [6, 12];
    check([slices, slices, [12, 12]], (b, args) =>
      Array.from({ length: 16 }, (_, seed) => randomSum(seed)(b, args)).flat(),
    );
  });
});

/** A sum of padded slices, of products and of sums over them, in a random order and shape of the tree. */
function randomSum(seed: number): Make {
  let state = (seed + 1) * 0x9e3779b1;
  const next = (below: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) | 0;
    return (state >>> 8) % below;
  };
  return (b, [x, y, w]) => {
    const zero = b.constant(literal('f32', [], [0]));
    const count = 5 + next(8);
    const rows = count + next(3);
    const parts = Array.from({ length: count }, (_, i) => {
      const at = next(4);
      const d = i % 3 === 0 ? b.multiply(x!, y!) : b.unary('sine', b.dotGeneral(at % 2 === 0 ? x! : y!, w!, product));
      return b.add(d, b.fill('f32', [6, 12], next(5)));
    });
    const shuffled = <T>(items: T[]): T[] => {
      for (let i = items.length - 1; i > 0; i--) {
        const j = next(i + 1);
        [items[i], items[j]] = [items[j]!, items[i]!];
      }
      return items;
    };
    /** Pairs of neighbors are added, in a random order. */
    const total = (terms: Value[]): Value => {
      const left = shuffled(terms);
      while (left.length > 1) {
        const at = next(left.length - 1);
        left.splice(at, 2, b.add(left[at]!, left[at + 1]!));
      }
      return left[0]!;
    };
    const isStack = next(2) === 0;
    const pads = parts.map((d, t) =>
      isStack
        ? b.pad(b.reshape(d, [1, 6, 12]), zero, [t, 0, 0], [rows - 1 - t, 0, 0], [0, 0, 0])
        : b.pad(d, zero, [6 * t, 0], [6 * (rows - 1 - t), 0], [0, 0]),
    );
    const products: Value[] = parts.map(d => b.dotGeneral(d, next(3) === 0 ? d : x!, overRows));
    const sums = parts.map(d => b.sum(d, [0]));
    if (next(2) === 0) products.push(w!);
    return [total(pads), total(products), total(sums), parts[next(count)]!];
  };
}

test('a program with joins is printed identically each time', () => {
  const module = moduleWith(
    [
      [4, 16],
      [16, 16],
    ],
    (b, [x, w]) => [b.sum(b.concatenate(chain(b, x!, w!, 10), 0))],
  );
  const texts = [0, 1].map(() => compileToC(module, hostTarget()).units.map(u => u.source));
  expect(texts[0]).toEqual(texts[1]);
});
