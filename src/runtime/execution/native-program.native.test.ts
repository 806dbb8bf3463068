import { afterAll, describe, expect, test } from 'vitest';
import { compiled, f32, floats, handWritten, temporaryDirectory, testHost } from '../engine.testing.ts';
import { HostBuffer } from './buffer.ts';
import type { DeviceBuffer } from './executable.ts';
import { loadProgram } from './native-program.ts';

const directory = temporaryDirectory();
afterAll(() => directory[Symbol.dispose]());

const upload = (...values: readonly number[]): DeviceBuffer =>
  HostBuffer.copyOf(f32(values.length), new Uint8Array(Float32Array.from(values).buffer));

const addOne = handWritten(
  'for (int i = 0; i < 2; i++) ((float *)args[1])[i] = ((float *)args[0])[i] + 1;',
  [f32(2)],
  [f32(2)],
  {
    name: 'add one',
  },
);
const addOneInPlace = { ...addOne, name: 'add one in place', donated: [0] };
const slowAddOne = {
  ...addOne,
  units: [{ name: 'step.c', source: addOne.units[0]!.source.replace('for', 'usleep(20000); for') }],
};
const fails = handWritten('return 117;', [f32(2)], [f32(2)], { name: 'fails' });

describe('a program in C', () => {
  test('runs; the second time it is loaded from the cache', () => {
    using host = testHost(directory.path);
    const step = compiled(host, addOne);
    const [result] = step.run([upload(1, 2)]);
    result!.wait();
    expect(floats(result!.copyToHost())).toEqual([2, 3]);
    expect(result!.isReady).toBe(true);
    expect(loadProgram(host, addOne).report).toMatchObject({ fromCache: true, kernels: 1 });
  });

  test('executions run in submission order, and can be awaited from the event loop', async () => {
    using host = testHost(directory.path);
    const step = compiled(host, slowAddOne);
    const chain = [upload(0, 0)];
    for (let i = 0; i < 5; i++) chain.push(step.run([chain.at(-1)!])[0]!);
    const order: number[] = [];
    await Promise.all(chain.map((buffer, i) => buffer.ready.then(() => order.push(i))));
    expect(order).toEqual([0, 1, 2, 3, 4, 5]);
    expect(floats(chain.at(-1)!.copyToHost())).toEqual([5, 5]);
  });

  test('limits the length of the queue, and drains on close', () => {
    const host = testHost(directory.path);
    const step = compiled(host, addOne);
    let buffer = upload(0, 0);
    for (let i = 0; i < 1000; i++) buffer = step.run([buffer])[0]!;
    host.engine.stream.close();
    expect(floats(buffer.copyToHost())).toEqual([1000, 1000]);
    expect(() => step.run([buffer])).toThrow(expect.objectContaining({ code: 'RUNTIME_CLOSED' }));
  });

  test('reuses the memory of a donated input', () => {
    using host = testHost(directory.path);
    const step = compiled(host, addOneInPlace);
    const before = upload(1, 2) as HostBuffer;
    const memory = before.block;
    const [after] = step.run([before]);
    after!.wait();
    expect(floats(memory.bytes)).toEqual([2, 3]);
    expect((after as HostBuffer).block).toBe(memory);
    expect(() => before.copyToHost()).toThrowErrorMatchingInlineSnapshot(`
      [TrenioError [BUFFER_CONSUMED]: this tensor<2xf32> was donated to add one in place, whose result now owns its memory
        fix: use the result instead, or do not donate a value that is needed later]
    `);
    expect(() => step.run([before])).toThrow(expect.objectContaining({ code: 'BUFFER_CONSUMED' }));
  });

  test('a donated input that is also passed elsewhere keeps its value there', () => {
    using host = testHost(directory.path);
    const body = 'float *a = args[0], *b = args[1], *sum = args[3]; a[0] += 1; sum[0] = a[0] + b[0];';
    const step = compiled(host, handWritten(body, [f32(1), f32(1)], [f32(1), f32(1)], { donated: [0, undefined] }));
    const a = upload(10);
    const [, sum] = step.run([a, a]);
    sum!.wait();
    expect(floats(sum!.copyToHost())).toEqual([21]);
  });

  test('checks its arguments', () => {
    using host = testHost(directory.path);
    const step = compiled(host, addOne);
    expect(() => step.run([])).toThrow(/expects 1 inputs, not 0/);
    expect(() => step.run([upload(1, 2, 3)])).toThrow(/expects tensor<2xf32> as input 0, not tensor<3xf32>/);
    expect(() => HostBuffer.copyOf(f32(2), new Uint8Array(3))).toThrow(/expects 8 bytes for tensor<2xf32>, not 3/);
  });

  test('a failure is thrown where its result is waited for, and by executions that depend on it', async () => {
    using host = testHost(directory.path);
    const [bad] = compiled(host, fails).run([upload(1, 2)]);
    expect(() => bad!.wait()).toThrowErrorMatchingInlineSnapshot(`
      [TrenioError [STEP_FAILED]: fails ended with status 117
        fix: this is a bug in Trenio: please report it with the program that shows it]
    `);
    await expect(bad!.ready).rejects.toMatchObject({ code: 'STEP_FAILED' });
    expect(() => compiled(host, addOne).run([bad!])).toThrow(expect.objectContaining({ code: 'STEP_FAILED' }));
    // The stream itself continues.
    const [good] = compiled(host, addOne).run([upload(1, 2)]);
    good!.wait();
    expect(floats(good!.copyToHost())).toEqual([2, 3]);
  });

  test('a failure spreads to executions that were queued behind it, and is reported once', () => {
    using host = testHost(directory.path);
    const [slow] = compiled(host, slowAddOne).run([upload(1, 2)]);
    const [bad] = compiled(host, fails).run([slow!]);
    const [worse] = compiled(host, addOne).run([bad!]);
    expect(() => host.engine.stream.synchronize()).toThrow(expect.objectContaining({ code: 'STEP_FAILED' }));
    expect(() => worse!.wait()).toThrow(expect.objectContaining({ code: 'STEP_FAILED' }));
    expect(host.engine.stream.close()).toBeUndefined();
  });

  test('close returns an unreported failure', () => {
    using host = testHost(directory.path);
    compiled(host, fails).run([upload(1, 2)]);
    expect(host.engine.stream.close()).toMatchObject({ code: 'STEP_FAILED' });
  });

  test('the arena does not move when it grows, and a program that does not fit is rejected', () => {
    using host = testHost(directory.path);
    const body = '((long *)args[0])[0] = (long)arena; arena[ARENA - 1] = 1;';
    const where = (arenaBytes: number): bigint => {
      const program = handWritten(body, [], [{ kind: 'tensor', shape: [], elementType: 'i64' }], {
        arenaBytes,
        before: `#define ARENA ${arenaBytes}`,
      });
      const [address] = compiled(host, program).run([]);
      address!.wait();
      return new BigInt64Array(address!.copyToHost().buffer)[0]!;
    };
    const first = where(1000);
    expect(first % (2n << 20n)).toBe(0n);
    expect(where(20_000_000)).toBe(first);
    expect(() => where(2 ** 48)).toThrow(expect.objectContaining({ code: 'OUT_OF_MEMORY' }));
    expect(where(5)).toBe(first);
  });
});

describe('threads', () => {
  // Each task writes its worker and its result: sums of a block of a series, in a fixed order.
  const body = 'struct args a = {args[0]}; rt->parallel(rt, task, &a, 1000);';
  const before = `
    struct args { float *out; };
    static void task(void *p, int64_t i, int worker) {
      (void)worker;
      float sum = 0;
      for (int k = 1; k <= 2000; k++) sum += 1.0f / (float)(i * 2000 + k);
      ((struct args *)p)->out[i] = sum;
    }`;
  test('the result is bit-identical for any number of threads', () => {
    const results = [1, 2, 3, 5].map(threads => {
      using host = testHost(directory.path, threads);
      const step = compiled(host, handWritten(body, [], [f32(1000)], { before }));
      let last: DeviceBuffer | undefined;
      for (let i = 0; i < 20; i++) [last] = step.run([]);
      last!.wait();
      return floats(last!.copyToHost());
    });
    expect(results[0]!.every(value => value > 0)).toBe(true);
    for (const result of results) expect(result).toEqual(results[0]);
  });

  test('every task runs exactly once, whatever their number, in consecutive parallel regions', () => {
    using host = testHost(directory.path, 3);
    const counting = handWritten(
      `int *counts = args[0];
       for (int region = 0; region < 3000; region++) rt->parallel(rt, task, counts, region % 7);
       rt->parallel(rt, task, counts, 4096);`,
      [],
      [{ kind: 'tensor', shape: [4096], elementType: 'i32' }],
      {
        before:
          'static void task(void *p, int64_t i, int worker) { (void)worker; __atomic_fetch_add((int *)p + i, 1, 5); }',
      },
    );
    const [counts] = compiled(host, counting).run([]);
    counts!.wait();
    const got = [...new Int32Array(counts!.copyToHost().buffer)];
    const regions = Array.from({ length: 3000 }, (_, i) => i % 7);
    expect(got).toEqual(got.map((_, i) => 1 + regions.filter(tasks => i < tasks).length));
  });

  test('within a task, a parallel loop runs on the same thread with its own scratch memory', () => {
    using host = testHost(directory.path, 2);
    const nested = handWritten('struct call c = {rt, args[0]}; rt->parallel(rt, outer, &c, 64);', [], [f32(64)], {
      before: `
        struct call { const trenio_rt *rt; float *out; };
        struct inner { float *scratch; int worker, ok; };
        static void inner(void *p, int64_t i, int worker) {
          struct inner *in = p;
          in->ok &= worker == in->worker;
          in->scratch[0] += (float)i;
        }
        static void outer(void *p, int64_t i, int worker) {
          struct call *c = p;
          float *scratch = c->rt->scratch(c->rt, worker, 64 + i * 100000);
          scratch[0] = 0;
          struct inner in = {scratch, worker, ((uintptr_t)scratch & 63) == 0};
          c->rt->parallel(c->rt, inner, &in, i + 1);
          c->out[i] = in.ok ? scratch[0] : -1;
        }`,
    });
    const [sums] = compiled(host, nested).run([]);
    sums!.wait();
    expect(floats(sums!.copyToHost())).toEqual(Array.from({ length: 64 }, (_, i) => (i * (i + 1)) / 2));
  });
});
