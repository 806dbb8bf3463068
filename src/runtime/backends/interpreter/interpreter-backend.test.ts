import { expect, test } from 'vitest';
import { buildFunc } from '../../../hlo/builder.ts';
import { moduleOf } from '../../../hlo/program.ts';
import { f32, floats } from '../../engine.testing.ts';
import { InterpreterBackend } from './interpreter-backend.ts';

const bytes = (...values: readonly number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);

test('runs a module; a donated input becomes the output', () => {
  const backend = new InterpreterBackend();
  const func = buildFunc('main', [f32(3), f32(3)], (b, [x, y]) => [b.add(b.multiply(x!, x!), y!), b.negate(x!)], [0]);
  const { executable, report } = backend.compile(moduleOf(func));
  expect(report.fromCache).toBe(false);
  expect(executable.donated).toEqual([0, undefined]);
  const [x, y] = [backend.upload(f32(3), bytes(1, 2, 3)), backend.upload(f32(3), bytes(10, 20, 30))];
  const memory = x.bytes;
  const [sum, negative] = executable.run([x, y]);
  expect(floats(sum!.bytes)).toEqual([11, 24, 39]);
  expect(floats(negative!.bytes)).toEqual([-1, -2, -3]);
  expect(sum!.bytes).toBe(memory);
  expect(sum!.isReady).toBe(true);
  expect(() => x.bytes).toThrow(expect.objectContaining({ code: 'BUFFER_CONSUMED' }));
  expect(() => executable.run([y])).toThrow(expect.objectContaining({ code: 'INPUT_MISMATCH' }));
});

test('a result that is an argument does not share its memory', () => {
  const backend = new InterpreterBackend();
  const func = buildFunc('main', [f32(1), f32(1)], (_, [x, y]) => [y!, x!], [0]);
  const { executable } = backend.compile(moduleOf(func));
  const [a, b] = executable.run([backend.upload(f32(1), bytes(1)), backend.upload(f32(1), bytes(2))]);
  expect([floats(a!.bytes), floats(b!.bytes)]).toEqual([[2], [1]]);
});
