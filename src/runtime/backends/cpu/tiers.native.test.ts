import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createLogger } from '../../../base/logger.ts';
import { Builder } from '../../../hlo/builder.ts';
import { type Module, moduleOf, type Value } from '../../../hlo/program.ts';
import { tensorType } from '../../../hlo/types.ts';
import { temporaryCache, temporaryDirectory } from '../../engine.testing.ts';
import type { DeviceBuffer, Executable } from '../../execution/executable.ts';
import { until } from '../../processes.testing.ts';
import { Runtime } from '../../runtime.ts';
import { findCompiler } from '../../toolchain/c-compiler.ts';
import type { Backend } from '../backend.ts';

const [rows, columns] = [24, 40];
const [x, w] = [tensorType('f32', [rows, columns]), tensorType('f32', [columns])];

/** A training step without products, in place: the loss, and the weights after a step against its gradient. */
function trainingStep(rate = 0.05): Module {
  const b = new Builder();
  const [data, weights] = [b.argument(x, 0), b.argument(w, 1)];
  const fill = (value: number, shape: readonly number[]): Value => b.fill('f32', shape, value);
  const y = b.unary('tanh', b.multiply(data, b.broadcastInDim(weights, [1], [rows, columns])));
  const loss = b.sum(b.multiply(y, y), [0, 1]);
  const slope = b.subtract(fill(1, [rows, columns]), b.multiply(y, y));
  const gradient = b.sum(b.multiply(b.multiply(y, slope), data), [0]);
  const updated = b.subtract(weights, b.multiply(gradient, fill(rate, [columns])));
  const body = { args: [data, weights], ops: b.ops, results: [loss, updated] };
  return moduleOf({ name: 'main', body, aliases: [undefined, 1] }, { name: 'training' });
}
/** `w + 1`, in other memory. */
function plusOne(): Module {
  const b = new Builder();
  const weights = b.argument(w, 0);
  const body = { args: [weights], ops: b.ops, results: [b.add(weights, b.fill('f32', [columns], 1))] };
  return moduleOf({ name: 'main', body, aliases: [undefined] }, { name: 'plus_one' });
}

interface Opened extends Disposable {
  readonly backend: Backend;
  readonly log: string[];
}
function open(cacheDirectory: string, tiers: 'auto' | 'wait', variables: Record<string, string> = {}): Opened {
  const log: string[] = [];
  const runtime = new Runtime({
    variables: {
      PATH: process.env.PATH,
      TRENIO_TIERS: tiers,
      TRENIO_CACHE_DIR: cacheDirectory,
      TRENIO_NUM_THREADS: '2',
      ...variables,
    },
    log: createLogger('warn', line => log.push(line)),
  });
  return { backend: runtime.backend('cpu'), log, [Symbol.dispose]: () => runtime.close() };
}
const samples = (seed: bigint) =>
  ({ kind: 'uniform', key: seed, counter: 0n, low: -1, high: 1 }) as const satisfies Parameters<Backend['upload']>[1];
const bits = (buffer: DeviceBuffer): number[] => [...new Uint32Array(buffer.copyToHost().buffer)];

/** Runs a step with new data, on weights that it replaces. */
class Training {
  readonly #backend: Backend;
  readonly #step: Executable;
  #weights: DeviceBuffer;
  #count = 0n;

  constructor(backend: Backend) {
    this.#backend = backend;
    this.#step = backend.compile(trainingStep(), 'soon').executable;
    this.#weights = backend.upload(w, samples(1n));
  }
  get weights(): DeviceBuffer {
    return this.#weights;
  }
  step(): DeviceBuffer {
    const before = this.#weights;
    const [loss, after] = this.#step.run([this.#backend.upload(x, samples(++this.#count)), before]);
    expect(before.isConsumed).toBe(true);
    this.#weights = after!;
    return loss!;
  }
}
/** A C compiler that compiles nothing. */
function brokenCompiler(folder: string): string {
  const path = join(folder, 'broken-cc');
  writeFileSync(
    path,
    `#!/bin/sh\n[ "$1" = --version ] && exec ${findCompiler().path} --version\necho no >&2\nexit 1\n`,
  );
  chmodSync(path, 0o755);
  return path;
}
const hasProgram = (folder: string): boolean => readdirSync(folder).some(name => name.startsWith('program-'));

describe('a program that is not in the cache', () => {
  test('runs from its kernels, and from machine code as soon as that is there, with the same bits', async () => {
    using cache = temporaryDirectory();
    using compiled = temporaryCache();
    using first = open(cache.path, 'auto');
    using second = open(compiled.path, 'wait');
    const [tiered, waiting] = [new Training(first.backend), new Training(second.backend)];
    expect(readdirSync(cache.path)).toEqual([]);
    let steps = 0;
    const same = (): void => {
      expect(bits(tiered.step())).toEqual(bits(waiting.step()));
      expect(bits(tiered.weights)).toEqual(bits(waiting.weights));
      steps++;
    };
    await until(() => {
      same();
      return hasProgram(cache.path);
    });
    expect(steps).toBeGreaterThan(2);
    for (let i = 0; i < 3; i++) same();
    expect(first.log).toEqual([]);
    // The next process finds it in the cache.
    using third = open(cache.path, 'auto');
    const { report } = third.backend.compile(trainingStep(), 'soon');
    expect(report).toMatchObject({ fromCache: true });
    expect(report.isFromKernels).toBeUndefined();
  });

  test('never gets to the C compiler if it runs twice', () => {
    using cache = temporaryDirectory();
    using tools = temporaryDirectory();
    using opened = open(cache.path, 'auto', { CC: brokenCompiler(tools.path) });
    const training = new Training(opened.backend);
    training.step();
    training.step();
    opened.backend.synchronize();
    expect(readdirSync(cache.path)).toEqual([]);
  });

  test('keeps running from its kernels if it cannot be compiled, with one warning', async () => {
    using cache = temporaryDirectory();
    using compiled = temporaryCache();
    using tools = temporaryDirectory();
    using broken = open(cache.path, 'auto', { CC: brokenCompiler(tools.path) });
    using working = open(compiled.path, 'wait');
    const [tiered, waiting] = [new Training(broken.backend), new Training(working.backend)];
    const same = (): void => expect(bits(tiered.step())).toEqual(bits(waiting.step()));
    await until(() => {
      same();
      return broken.log.length > 0;
    });
    for (let i = 0; i < 3; i++) same();
    expect(broken.log).toEqual([
      expect.stringContaining('the program training continues to run from its kernels, since it cannot be compiled'),
    ]);
    expect(() => broken.backend.compile(trainingStep())).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^C_COMPILER_/) }),
    );
  });

  test('waits for queued steps that read the memory it writes', () => {
    using cache = temporaryCache();
    using opened = open(cache.path, 'auto');
    const { backend } = opened;
    const training = new Training(backend);
    const copy = backend.compile(plusOne()).executable;
    for (let i = 0; i < 2; i++) {
      const before = [...new Float32Array(training.weights.copyToHost().buffer)];
      const [more] = copy.run([training.weights]);
      training.step();
      expect([...new Float32Array(more!.copyToHost().buffer)]).toEqual(before.map(value => Math.fround(value + 1)));
    }
  });

  test('is compiled first for a caller that needs machine code, and while kernels are timed', () => {
    using cache = temporaryCache();
    using opened = open(cache.path, 'auto');
    const { backend } = opened;
    const soon = backend.compile(trainingStep(), 'soon');
    expect(soon.report.isFromKernels).toBe(true);
    expect(hasProgram(cache.path)).toBe(false);
    const now = backend.compile(trainingStep());
    expect(now.executable).not.toBe(soon.executable);
    expect(hasProgram(cache.path)).toBe(true);
    const [loss] = soon.executable.run([backend.upload(x, { kind: 'zeros' }), backend.upload(w, { kind: 'zeros' })]);
    expect(bits(loss!)).toEqual([0]);

    using other = temporaryCache();
    using recorded = open(other.path, 'auto');
    const program = recorded.backend.compile(plusOne(), 'soon').executable;
    const recording = recorded.backend.recordSpans!();
    program.run([recorded.backend.upload(w, samples(1n))]);
    expect(recording.stop().programs).toMatchObject([{ name: 'plus_one' }]);
  });
});
