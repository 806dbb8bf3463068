// Large tensors with updates of a small part, alone and as values that a loop carries: three ways (C, kernels interpreted,
// reference interpreter), and without copies where nothing reads the old value any more.
import { describe, expect, test } from 'vitest';
import { Builder } from '../hlo/builder.ts';
import { interpret } from '../hlo/interpreter.ts';
import { type Literal, literal } from '../hlo/literal.ts';
import { type Module, moduleOf, shapeOf, type Value } from '../hlo/program.ts';
import { elementCount, tensorType } from '../hlo/types.ts';
import { interpretKernels } from './cpu/in-process/prepare.ts';
import { cpuMachine } from './cpu/kernels/cpu-machine.ts';
import { hostTarget } from './index.ts';
import { planProgram } from './program/plan-program.ts';
import { expectClose } from './testing/closeness.testing.ts';
import { compileForTest } from './testing/compile.testing.ts';

type Shape = readonly number[];
type Make = (b: Builder, args: readonly Value[]) => Value[];

const inputOf = (shape: Shape, seed: number): Literal =>
  literal(
    'f32',
    shape,
    Array.from({ length: elementCount(shape) }, (_, i) => Math.sin(i * 0.7 + seed)),
  );

function check(shapes: readonly Shape[], make: Make, donated = false): Module {
  const b = new Builder();
  const args = shapes.map((shape, i) => b.argument(tensorType('f32', shape), i));
  const results = make(b, args);
  const aliases = args.map((_, i) => (donated && i === 0 ? 0 : undefined));
  const module = moduleOf({ name: 'main', body: { args, ops: b.ops, results }, aliases });
  const inputs = shapes.map(inputOf);
  const expected = interpret(module, inputs);
  const program = compileForTest(module);
  const ways = {
    compiled: program.run(inputs),
    'compiled, last task first': program.run(inputs, { backwards: true }),
    'kernels interpreted': interpretKernels(module, hostTarget(), inputs),
  };
  for (const [way, given] of Object.entries(ways))
    given.forEach((result, i) => {
      expectClose(result, expected[i]!, `${way}, result ${i}`, 2e-5);
    });
  return module;
}
const i32 = (b: Builder, value: number): Value => b.constant(literal('i32', [], [value]));
const update = (b: Builder, x: Value, part: Value, starts: readonly Value[]): Value =>
  b.emit1('dynamic_update_slice', [x, part, ...starts], {});
const slice = (b: Builder, x: Value, starts: readonly Value[], sliceSizes: readonly number[]): Value =>
  b.emit1('dynamic_slice', [x, ...starts], { sliceSizes });

type Turn = (b: Builder, i: Value, carried: readonly Value[]) => readonly Value[];
/** `turns` turns over carried values; the counter is the first. */
function loop(b: Builder, turns: number, carried: readonly Value[], turn: Turn): readonly Value[] {
  const types = [tensorType('i32', []), ...carried.map(v => v.type)];
  const cond = b.region(types, (inner, [i]) => [inner.compare('LT', i!, i32(inner, turns))]);
  const body = b.region(types, (inner, [i, ...rest]) => [inner.add(i!, i32(inner, 1)), ...turn(inner, i!, rest)]);
  return b.emit('while', [i32(b, 0), ...carried], {}, [cond, body]).slice(1);
}
/** Bytes that the turns of the program's first loop copy to carried values. */
function copiedInTurns(module: Module): number {
  const { schedule, memory } = planProgram(module, cpuMachine(hostTarget()), new Map());
  const [control] = schedule.main.steps.filter(s => s.kind === 'control');
  return memory
    .blockCopies(control!.blocks[1]!)
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to))
    .reduce((sum, { bytes }) => sum + bytes, 0);
}

describe('a slice of a large tensor', () => {
  const shapes = [
    [16, 8, 24],
    [1, 8, 24],
    [2, 3, 5],
  ];
  test('at constant, computed and clamped starts, of one run and of several', () => {
    check(shapes, (b, [x, part, box]) => {
      const start = b.convert(b.sum(b.slice(part!, [0, 0, 0], [1, 8, 24])), 'i32');
      const far = [i32(b, 99), i32(b, -7), i32(b, 20)];
      const first = update(b, x!, part!, [i32(b, 3), i32(b, 0), i32(b, 0)]);
      const second = update(b, first, b.unary('negate', box!), [b.add(start, i32(b, 9)), i32(b, 4), i32(b, 11)]);
      return [b.unary('sine', second), update(b, x!, box!, far), first];
    });
  });
  test('over a donated argument, which is read before, after, or not at all', () => {
    const at = (b: Builder): Value[] => [i32(b, 5), i32(b, 0), i32(b, 0)];
    check(shapes, (b, [x, part]) => [update(b, x!, part!, at(b))], true);
    check(shapes, (b, [x, part]) => [update(b, x!, part!, at(b)), b.unary('sine', x!)], true);
    check(shapes, (b, [x]) => [update(b, x!, b.slice(x!, [1, 0, 0], [2, 8, 24]), at(b))], true);
  });
});

describe('carried by a loop', () => {
  const shapes = [
    [16, 96],
    [1, 96],
  ];
  test('a stack is filled without copies', () => {
    const module = check(shapes, (b, [x, h]) =>
      loop(b, 16, [x!, h!], (inner, i, [stack, state]) => {
        const next = inner.unary('tanh', inner.add(state!, slice(inner, x!, [i, i32(inner, 0)], [1, 96])));
        return [update(inner, stack!, next, [i, i32(inner, 0)]), next];
      }).slice(),
    );
    expect(copiedInTurns(module)).toBeLessThan(16 * 96 * 4);
  });
  test('a value that is added to is not copied', () => {
    const module = check(shapes, (b, [x, h]) =>
      loop(b, 5, [x!], (inner, i, [sum]) => {
        const term = inner.multiply(h!, inner.broadcastInDim(inner.convert(i, 'f32'), [], [1, 96]));
        return [inner.add(sum!, inner.broadcastInDim(inner.reshape(term, [96]), [1], [16, 96]))];
      }).slice(),
    );
    expect(copiedInTurns(module)).toBeLessThan(16 * 96 * 4);
  });
  test('the old value is read after the update, or is a result as well', () => {
    check(shapes, (b, [x, h]) =>
      loop(b, 6, [x!, h!, x!], (inner, i, [stack, state, before]) => {
        const zero = i32(inner, 0);
        const next = update(inner, stack!, inner.unary('sine', state!), [i, zero]);
        const old = inner.reshape(inner.sum(stack!, [0]), [1, 96]);
        const both = inner.add(slice(inner, next, [i, zero], [1, 96]), old);
        return [next, inner.unary('tanh', inner.add(both, slice(inner, before!, [i, zero], [1, 96]))), stack!];
      }).slice(),
    );
  });
  test('two values are swapped, two updates of one, one update carried twice', () => {
    check(shapes, (b, [x, h]) =>
      loop(b, 7, [x!, b.unary('negate', x!), b.unary('sine', x!)], (inner, i, [a, c, d]) => {
        const zero = i32(inner, 0);
        const twice = update(inner, update(inner, a!, h!, [i, zero]), inner.unary('cosine', h!), [i32(inner, 2), zero]);
        const once = update(inner, d!, slice(inner, c!, [i, zero], [1, 96]), [i32(inner, 1), zero]);
        return [c!, twice, inner.add(once, d!)];
      }).slice(),
    );
    check(shapes, (b, [x, h]) =>
      loop(b, 4, [x!, x!], (inner, i, [a, c]) => {
        const next = update(inner, a!, inner.add(h!, slice(inner, c!, [i, i32(inner, 0)], [1, 96])), [
          i,
          i32(inner, 0),
        ]);
        return [next, next];
      }).slice(),
    );
  });
  test('a loop within a loop', () => {
    check(shapes, (b, [x, h]) =>
      loop(b, 3, [x!], (outer, i, [stack]) =>
        loop(outer, 4, [stack!], (inner, j, [own]) => {
          const at = inner.add(inner.multiply(i, i32(inner, 4)), j);
          const read = slice(inner, own!, [inner.add(at, i32(inner, 1)), i32(inner, 0)], [1, 96]);
          return [update(inner, own!, inner.add(read, h!), [at, i32(inner, 0)])];
        }),
      ).slice(),
    );
  });
  test('parts of a join that are constants from outside of the loop', () => {
    check([[4, 16]], (b, [x]) => {
      const constant = b.constant(literal('f32', [4, 16], new Array(64).fill(1.5)));
      const results = loop(b, 3, [x!], (inner, _, [state]) => {
        const parts = Array.from({ length: 9 }, (_, k) => (k % 2 === 0 ? constant : inner.unary('tanh', state!)));
        const all = inner.concatenate(parts, 0);
        return [inner.sum(inner.reshape(all, [9, ...shapeOf(state!)]), [0])];
      });
      return [...results, constant];
    });
  });
});

test('a chain of hundreds of updates is planned as fast as it is long', () => {
  check([[4096], [4]], (b, [x, part]) => {
    let all = x!;
    for (let i = 0; i < 200; i++) all = update(b, all, part!, [i32(b, 16 * i)]);
    return [all];
  });
});
