// Kernels whose rows are computed differently from some positions on (concatenations and pads along the last dim): one loop for
// each part, three ways (C, kernels interpreted, reference interpreter), for chosen programs and random ones.
import { describe, expect, test } from 'vitest';
import { Builder } from '../hlo/builder.ts';
import { interpret } from '../hlo/interpreter.ts';
import { type Literal, literal } from '../hlo/literal.ts';
import { moduleOf, shapeOf, type Value } from '../hlo/program.ts';
import { elementCount, tensorType } from '../hlo/types.ts';
import { interpretKernels } from './cpu/in-process/prepare.ts';
import type { Kernel } from './cpu/ir/kernel.ts';
import { hostTarget } from './index.ts';
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

/** The kinds of the program's kernels. `donated`: the first result may be written over the first argument. */
function check(shapes: readonly Shape[], make: Make, donated = false): Kernel['kind'][] {
  const b = new Builder();
  const args = shapes.map((shape, i) => b.argument(tensorType('f32', shape), i));
  const results = make(b, args);
  const aliases = args.map((_, i) => (donated && i === 0 ? 0 : undefined));
  const module = moduleOf({ name: 'main', body: { args, ops: b.ops, results }, aliases });
  const inputs = shapes.map(inputOf);
  const expected = interpret(module, inputs);
  const program = compileForTest(module);
  const kinds: Kernel['kind'][] = [];
  const ways = {
    compiled: program.run(inputs),
    'compiled, last task first': program.run(inputs, { backwards: true }),
    'kernels interpreted': interpretKernels(module, hostTarget(), inputs, { onKernel: kind => kinds.push(kind) }),
  };
  for (const [way, given] of Object.entries(ways))
    given.forEach((result, i) => {
      expectClose(result, expected[i]!, `${way}, result ${i}`, 2e-5);
    });
  return kinds;
}
const zero = (b: Builder): Value => b.constant(literal('f32', [], [0]));

describe('rows in parts', () => {
  test('of a concatenation, and of a sum of pads', () => {
    const gates: Make = (b, args) => [
      b.concatenate([b.multiply(args[0]!, args[1]!), b.unary('tanh', args[1]!), args[0]!], 1),
    ];
    expect(
      check(
        [
          [5, 32],
          [5, 32],
        ],
        gates,
      ),
    ).toContain('parts');
    const padded: Make = (b, [x, y]) => [
      b.add(b.pad(x!, zero(b), [0, 40], [0, 0]), b.pad(b.unary('exponential', y!), zero(b), [0, 0], [0, 32])),
    ];
    expect(
      check(
        [
          [3, 32],
          [3, 40],
        ],
        padded,
      ),
    ).toContain('parts');
  });
  test('with their sums of columns, cut as without parts', () => {
    const make: Make = (b, [x, y]) => {
      const all = b.concatenate([b.multiply(x!, y!), b.add(x!, y!)], 1);
      return [all, b.sum(all, [0])];
    };
    expect(
      check(
        [
          [2048, 64],
          [2048, 64],
        ],
        make,
      ),
    ).toEqual(['parts']);
    const run = (make: Make): Literal[] => {
      const b = new Builder();
      const args = [0, 1].map(i => b.argument(tensorType('f32', [2048, 64]), i));
      const results = make(b, args);
      const module = moduleOf({ name: 'main', body: { args, ops: b.ops, results }, aliases: [undefined, undefined] });
      return compileForTest(module).run([inputOf([2048, 64], 0), inputOf([2048, 64], 1)]);
    };
    const [all, sums] = run(make);
    const b = new Builder();
    const arg = b.argument(tensorType('f32', [2048, 128]), 0);
    const alone = moduleOf({
      name: 'main',
      body: { args: [arg], ops: b.ops, results: [b.sum(arg, [0])] },
      aliases: [undefined],
    });
    expect(sums!.data).toEqual(compileForTest(alone).run([all!])[0]!.data);
  });
  test('over a donated argument: if each part reads only the elements that it writes, and if a part reads those of another', () => {
    const straight: Make = (b, [x, y]) => [
      b.add(x!, b.concatenate([b.slice(x!, [0, 0], [4, 32]), b.slice(y!, [0, 32], [4, 64])], 1)),
    ];
    const crossed: Make = (b, [x, y]) => [
      b.add(y!, b.concatenate([b.slice(x!, [0, 32], [4, 64]), b.slice(x!, [0, 0], [4, 32])], 1)),
    ];
    for (const make of [straight, crossed])
      expect(
        check(
          [
            [4, 64],
            [4, 64],
          ],
          make,
          true,
        ),
      ).toEqual(['parts']);
  });
  test('short parts, many parts and parts along another dim do not become separate loops', () => {
    const short: Make = (b, [x]) => [b.concatenate([b.slice(x!, [0, 0], [4, 8]), b.unary('sine', x!)], 1)];
    expect(check([[4, 32]], short)).not.toContain('parts');
    const outer: Make = (b, [x]) => [b.concatenate([b.unary('negate', x!), b.unary('sine', x!)], 0)];
    expect(check([[4, 32]], outer)).not.toContain('parts');
  });
  test('random ones', () => {
    let seen = 0;
    for (let seed = 0; seed < 6; seed++)
      seen += check(
        [
          [6, 80],
          [6, 32],
          [6, 48],
        ],
        randomParts(seed),
        seed % 2 === 0,
      ).filter(k => k === 'parts').length;
    expect(seen).toBeGreaterThan(3);
  });
});

/** Several results of elementwise ops over concatenations, pads, slices and reversals along the last dim, some reduced. */
function randomParts(seed: number): Make {
  let state = (seed + 1) * 0x9e3779b1;
  const next = (below: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) | 0;
    return (state >>> 8) % below;
  };
  return (b, args) => {
    const width = 80;
    const rows = shapeOf(args[0]!)[0]!;
    const whole: Value[] = [args[0]!];
    const pick = (): Value => whole[next(whole.length)]!;
    const narrow = (size: number): Value => {
      const from = next(width - size + 1);
      const v = next(3) === 0 ? b.emit1('reverse', [pick()], { dimensions: [1] }) : pick();
      const of = args.find(a => shapeOf(a)[1] === size);
      return of !== undefined && next(2) === 0 ? of : b.slice(v, [0, from], [rows, from + size]);
    };
    for (let i = 0; i < 14; i++) {
      switch (next(5)) {
        case 0:
          whole.push(b.concatenate([narrow(32), narrow(48)], 1));
          break;
        case 1:
          whole.push(b.concatenate([narrow(16), narrow(24), narrow(40)], 1));
          break;
        case 2: {
          const size = 16 + 8 * next(6);
          const low = next(width - size + 1);
          whole.push(b.pad(narrow(size), zero(b), [0, low], [0, width - size - low]));
          break;
        }
        case 3:
          whole.push(b.unary(next(2) === 0 ? 'tanh' : 'negate', pick()));
          break;
        default:
          whole.push(next(2) === 0 ? b.add(pick(), pick()) : b.multiply(pick(), pick()));
      }
    }
    return [whole.at(-1)!, pick(), b.sum(pick(), [0]), b.sum(pick(), [1])];
  };
}
