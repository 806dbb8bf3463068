// The common behavior of all backends: the same cases for each, compared with the reference interpreter. A backend that
// registers itself is tested by conformance.native.test.ts automatically. Whole training steps are in test/backends.test.ts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isTrenioError } from '../../base/errors.ts';
import { expectClose } from '../../compiler/testing/closeness.testing.ts';
import { Builder, buildFunc } from '../../hlo/builder.ts';
import { interpret } from '../../hlo/interpreter.ts';
import { bytesOf, type Literal, literalOfBytes } from '../../hlo/literal.ts';
import type { OpSample } from '../../hlo/op-sample.testing.ts';
import { opSamples } from '../../hlo/op-samples.testing.ts';
import { type Func, type Module, moduleOf, type Value } from '../../hlo/program.ts';
import { randomChoices } from '../../hlo/random-choices.testing.ts';
import { randomProgram } from '../../hlo/random-program.testing.ts';
import { dynamicDim, type TensorType, tensorType } from '../../hlo/types.ts';
import { forEachOp } from '../../hlo/walk.ts';
import type { DeviceBuffer } from '../execution/executable.ts';
import { runModule } from '../run-module.ts';
import { Runtime } from '../runtime.ts';
import type { Backend } from './backend.ts';
import { InterpreterBackend } from './interpreter/interpreter-backend.ts';

/** Ops that communicate with the host or with other processes: a backend runs them or throws UNSUPPORTED. */
const optional = /^(check\.|interpreter\.)|^(outfeed|infeed|send|recv|sdy\.manual_computation)$/;

const f32 = (...shape: readonly number[]): TensorType => tensorType('f32', shape);
const bytes = (...values: readonly number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);
const numbers = (buffer: DeviceBuffer): number[] => [...new Float32Array(buffer.copyToHost().buffer)];
const hasOpenSize = ({ type }: Value): boolean => type.kind === 'tensor' && type.shape.includes(dynamicDim);
const failing = (code: string) => expect.objectContaining({ code });

/** `x · x + y` in the memory of x, and `−x`. */
const donating = (): Module =>
  moduleOf(buildFunc('main', [f32(3), f32(3)], (b, [x, y]) => [b.add(b.multiply(x!, x!), y!), b.negate(x!)], [0]));

export function conformance(name: string): void {
  let runtime: Runtime;
  let backend: Backend;
  beforeAll(() => {
    runtime = new Runtime();
    backend = runtime.backend(name);
  });
  afterAll(() => runtime.close());
  const upload = (...values: readonly number[]): DeviceBuffer => backend.upload(f32(values.length), bytes(...values));
  const agrees = (module: Module, inputs: readonly Literal[], label: string, tolerance?: number): void => {
    const expected = interpret(module, inputs);
    runModule(module, inputs, backend).forEach((got, i) => {
      expectClose(got, expected[i]!, label, tolerance);
    });
  };

  describe('ops', () => {
    const isOpen = ({ func }: OpSample): boolean => {
      let open = func.body.args.some(hasOpenSize);
      forEachOp(func.body, op => {
        open ||= op.results.some(hasOpenSize);
      });
      return open;
    };
    const isTensor = ({ func }: OpSample): boolean =>
      [...func.body.args, ...func.body.results].every(v => v.type.kind === 'tensor');

    test('the samples of all ops, with all their types', { timeout: 300_000 }, () => {
      const samples = opSamples().filter(sample => !optional.test(sample.name) && isTensor(sample) && !isOpen(sample));
      const { module, inputs, labels } = inOneProgram(samples);
      const expected = interpret(module, inputs);
      const results = runModule(module, inputs, backend);
      results.forEach((got, i) => {
        expectClose(got, expected[i]!, labels[i]!, 1e-2);
      });
      expect(results.length).toBeGreaterThan(250);
    });
    test('samples with sizes known only at run time', { timeout: 300_000 }, () => {
      const samples = opSamples().filter(sample => !optional.test(sample.name) && isTensor(sample) && isOpen(sample));
      expect(samples.length).toBeGreaterThan(0);
      for (const { func, inputs, label } of samples) {
        const expected = interpret(moduleOf(func), inputs);
        runModule(moduleOf(func), inputs, backend).forEach((got, i) => {
          const { bounds: _, ...type } = got.type; // the interpreter's literals have sizes and no bounds
          expectClose({ ...got, type }, expected[i]!, label, 1e-2);
        });
      }
    });
    test('ops that communicate with other processes run, or throw UNSUPPORTED', { timeout: 300_000 }, () => {
      for (const { func, label } of opSamples().filter(sample => optional.test(sample.name))) {
        try {
          backend.compile(moduleOf(func));
        } catch (error) {
          if (!isTrenioError(error, 'UNSUPPORTED')) throw new Error(label, { cause: error });
        }
      }
    });
  });

  describe('programs', () => {
    test('random ones', { timeout: 300_000 }, () => {
      for (let seed = 0; seed < 6; seed++) {
        const { func, inputs } = randomProgram(randomChoices(seed, 24));
        agrees(moduleOf(func), inputs, `seed ${seed}`);
      }
    });
    test('sizes known only at run time', () => {
      const open = tensorType('f32', [dynamicDim]);
      const module = moduleOf(buildFunc('main', [open], (b, [x]) => [b.multiply(x!, x!)]));
      const { executable } = backend.compile(module);
      for (const values of [[1, 2, 3], [], [4]]) {
        const [got] = executable.run([upload(...values)]);
        expect(got!.type.shape).toEqual([values.length]);
        expect(numbers(got!)).toEqual(values.map(v => v * v));
      }
    });
    test('a chain of executions longer than the queue, read at its end', () => {
      const { executable } = backend.compile(donating());
      let x = upload(0, 0, 0);
      for (let i = 0; i < 100; i++) [x] = executable.run([x, upload(0.25, 0, -1)]) as [DeviceBuffer];
      let expected = [0, 0, 0];
      for (let i = 0; i < 100; i++)
        expected = expected.map((v, k) => Math.fround(Math.fround(v * v) + [0.25, 0, -1][k]!));
      numbers(x).forEach((v, i) => {
        expect(v).toBeCloseTo(expected[i]!, 5);
      });
    });
    test('a result that is an argument does not share its memory', () => {
      const module = moduleOf(buildFunc('main', [f32(1), f32(1)], (_, [x, y]) => [y!, x!], [0]));
      const [a, b] = backend.compile(module).executable.run([upload(1), upload(2)]);
      expect([numbers(a!), numbers(b!)]).toEqual([[2], [1]]);
    });
    test('a program that is compiled twice is the same program', () => {
      const [first, second] = [backend.compile(donating()), backend.compile(donating())];
      expect(second.executable.donated).toEqual(first.executable.donated);
      expect(second.executable.inputTypes).toEqual(first.executable.inputTypes);
      expect(second.executable.outputTypes).toEqual(first.executable.outputTypes);
    });
  });

  describe('donation', () => {
    test('a donated input becomes the output, and can no longer be used', () => {
      const { executable } = backend.compile(donating());
      expect(executable.donated).toEqual([0, undefined]);
      const [x, y] = [upload(1, 2, 3), upload(10, 20, 30)];
      expect(x.isConsumed).toBe(false);
      const [sum, negative] = executable.run([x, y]);
      expect([numbers(sum!), numbers(negative!)]).toEqual([
        [11, 24, 39],
        [-1, -2, -3],
      ]);
      expect([x.isConsumed, y.isConsumed, sum!.isConsumed]).toEqual([true, false, false]);
      expect(() => x.copyToHost()).toThrow(failing('BUFFER_CONSUMED'));
      expect(() => executable.run([x, y])).toThrow(failing('BUFFER_CONSUMED'));
    });
    test('a buffer that is donated and also passed as another argument is copied', () => {
      const x = upload(1, 2, 3);
      const [sum] = backend.compile(donating()).executable.run([x, x]);
      expect(numbers(sum!)).toEqual([2, 6, 12]);
    });
    test('data copied to the host does not change', () => {
      const x = upload(1, 2, 3);
      const copy = x.copyToHost();
      const [sum] = backend.compile(donating()).executable.run([x, upload(0, 0, 0)]);
      sum!.wait();
      expect([...new Float32Array(copy.buffer)]).toEqual([1, 2, 3]);
    });
  });

  describe('memory', () => {
    test('an upload is a copy', () => {
      const source = Float32Array.from([1, 2]);
      const buffer = backend.upload(f32(2), new Uint8Array(source.buffer));
      source.fill(9);
      expect(numbers(buffer)).toEqual([1, 2]);
    });
    test('zeros, and random numbers bit-identical to the reference', () => {
      expect(numbers(backend.upload(f32(3), { kind: 'zeros' }))).toEqual([0, 0, 0]);
      const samples = { kind: 'uniform', key: 7n, counter: 3n, low: -1, high: 2 } as const;
      const reference = new InterpreterBackend();
      for (const elementType of ['f32', 'bf16', 'f64'] as const) {
        const type = tensorType(elementType, [5, 41]);
        const copy = backend.upload(type, samples).copyToHost();
        expect(Buffer.from(copy).equals(reference.upload(type, samples).copyToHost()), elementType).toBe(true);
      }
    });
    test('reading a part into existing memory, without blocking', async () => {
      const buffer = upload(1, 2, 3, 4);
      const into = new Uint8Array(8);
      expect(buffer.copyToHost(into, 4)).toBe(into);
      expect([...new Float32Array(into.buffer)]).toEqual([2, 3]);
      expect([...new Float32Array((await buffer.copyToHostAsync(undefined, 8)).buffer)]).toEqual([3, 4]);
      expect(new Float32Array((await buffer.copyToHostAsync()).buffer)).toHaveLength(4);
    });
    test('more memory than available', () => {
      expect(() => backend.upload(f32(1 << 24, 1 << 22), { kind: 'zeros' })).toThrow(failing('OUT_OF_MEMORY'));
      // the device continues
      expect(numbers(upload(5))).toEqual([5]);
    });
  });

  describe('the stream', () => {
    test('an event is done when everything queued before it is done', async () => {
      const { executable } = backend.compile(donating());
      const [sum] = executable.run([upload(1, 2, 3), upload(1, 1, 1)]);
      const event = backend.record();
      await event.whenDone();
      expect([event.isDone, sum!.isReady]).toEqual([true, true]);
      event.wait();
      await sum!.ready;
    });
    test('synchronize waits for all queued work', () => {
      const { executable } = backend.compile(donating());
      const outputs = [1, 2, 3].map(v => executable.run([upload(v, v, v), upload(0, 0, 0)])[0]!);
      backend.synchronize();
      expect(outputs.map(output => output.isReady)).toEqual([true, true, true]);
      expect(backend.record().isDone).toBe(true);
    });
  });

  describe('incorrect use is an error', () => {
    test.each<[string, () => readonly DeviceBuffer[]]>([
      ['too few inputs', () => [upload(1, 2, 3)]],
      ['another shape', () => [upload(1, 2, 3), upload(1, 2)]],
      ['another type', () => [upload(1, 2, 3), backend.upload(tensorType('i32', [3]), new Uint8Array(12))]],
    ])('%s', (_, inputs) => {
      const { executable } = backend.compile(donating());
      expect(() => executable.run(inputs())).toThrow(failing('INPUT_MISMATCH'));
    });
    test('a wrong number of bytes', () => {
      expect(() => backend.upload(f32(2), new Uint8Array(7))).toThrow(failing('INPUT_MISMATCH'));
    });
  });
}

/** A program that calls all samples, so that it is compiled once. */
function inOneProgram(samples: readonly OpSample[]): {
  readonly module: Module;
  readonly inputs: readonly Literal[];
  readonly labels: readonly string[];
} {
  const b = new Builder({ next: 1_000_000 });
  const args: Value[] = [];
  const inputs: Literal[] = [];
  const results: Value[] = [];
  const labels: string[] = [];
  const functions = samples.map((sample, i): Func => ({ ...sample.func, name: `f${i}` }));
  samples.forEach((sample, i) => {
    const own = sample.inputs.map(x => {
      const v = b.argument(x.type, args.length);
      args.push(v);
      inputs.push(literalOfBytes(x.type, bytesOf(x)));
      return v;
    });
    const resultTypes = sample.func.body.results.map(v => v.type);
    for (const v of b.emit('func.call', own, { callee: `f${i}`, resultTypes })) {
      results.push(v);
      labels.push(sample.label);
    }
  });
  const main: Func = { name: 'main', body: { args, ops: b.ops, results }, aliases: args.map(() => undefined) };
  return { module: moduleOf(main, { functions }), inputs, labels };
}
