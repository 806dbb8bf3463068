// Operands whose elements a kernel does not read. The step must not wait for them: their producers may need what the kernel
// writes.
import { expect, test } from 'vitest';
import { type Builder, buildFunc } from '../../hlo/builder.ts';
import { interpret } from '../../hlo/interpreter.ts';
import { literal } from '../../hlo/literal.ts';
import { moduleOf, type Value } from '../../hlo/program.ts';
import { tensorType } from '../../hlo/types.ts';
import { opsOf } from '../cpu/counting/step-description.ts';
import { cpuMachine } from '../cpu/kernels/cpu-machine.ts';
import { targetOf } from '../cpu/target/target.ts';
import { compileForTest } from '../testing/compile.testing.ts';
import { scheduleFunction } from './schedule.ts';

/** A kernel that stores its operand, so that it is in the same kernel as another use of it. */
const sorted = (b: Builder, x: Value): Value =>
  b.emit('sort', [x], { dimension: 0, isStable: true }, [
    b.region([tensorType('i32'), tensorType('i32')], (inner, [p, q]) => [inner.compare('LT', p!, q!)]),
  ])[0]!;

const cases: readonly (readonly [string, (b: Builder, square: Value) => Value])[] = [
  [
    'where a slice as long as what it is written into starts',
    (b, square) => {
      const total = b.reshape(b.slice(sorted(b, square), [0], [1]), []);
      return b.emit1('dynamic_update_slice', [square, b.unary('negate', square), total], {});
    },
  ],
  [
    'where a slice of a whole tensor starts',
    (b, square) => {
      const total = b.reshape(b.slice(sorted(b, square), [0], [1]), []);
      return b.emit1('dynamic_slice', [square, total], { sliceSizes: [3] });
    },
  ],
  [
    'a part of a concatenation that is sliced off after a sum',
    (b, square) => {
      const both = b.concatenate([square, sorted(b, square)], 0);
      return b.slice(b.add(both, both), [0], [3]);
    },
  ],
  [
    'what padding moves out of a tensor',
    (b, square) => b.add(square, b.pad(sorted(b, square), b.fill('i32', [], 7), [-3], [3], [0])),
  ],
];

test.each(cases)('a step does not wait for %s', (_, build) => {
  const main = buildFunc('main', [tensorType('i32', [3])], (b, [x]) => {
    const square = b.multiply(x!, x!);
    return [sorted(b, square), b.unary('negate', build(b, square))];
  });
  const module = moduleOf(main);
  const input = literal('i32', [3], [3, -2, 1]);
  expect(compileForTest(module).run([input])).toEqual(interpret(module, [input]));
});

test('a kernel in a loop names what it reads of the region around it, and computes only its own ops', () => {
  const type = tensorType('i32', [3]);
  const types = [tensorType('i32'), type];
  const main = buildFunc('main', [type], (b, [x]) => {
    const captured = sorted(b, b.multiply(x!, x!));
    const cond = b.region(types, (inner, [i]) => [inner.compare('LT', i!, inner.fill('i32', [], 3))]);
    const body = b.region(types, (inner, [i, v]) => [
      inner.add(i!, inner.fill('i32', [], 1)),
      inner.subtract(v!, captured),
    ]);
    return [b.emit('while', [b.fill('i32', [], 0), x!], {}, [cond, body])[1]!];
  });
  const schedule = scheduleFunction(main, cpuMachine(targetOf('avx2')));
  const loop = schedule.main.steps.find(s => s.kind === 'control')!;
  const steps = loop.blocks[1]!.steps.filter(s => s.kind === 'fused');
  const told = steps.map(s => [opsOf(s).map(o => o.name), s.reads.map(v => v.op?.name ?? 'argument'), s.unread]);
  expect(told).toContainEqual([['subtract'], expect.arrayContaining(['sort', 'argument']), []]);
});
