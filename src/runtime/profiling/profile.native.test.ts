// Profiles: the counters, which add up to the totals.
import { afterAll, expect, test } from 'vitest';
import { bytesOf, literal } from '../../hlo/literal.ts';
import { parseModule } from '../../hlo/text/parser.ts';
import { tensorType } from '../../hlo/types.ts';
import { quiet, temporaryDirectory } from '../engine.testing.ts';
import { Runtime } from '../runtime.ts';
import { machineLimits, type Rates } from './limits.ts';
import { Profiler } from './profile.ts';
import { formatProfile } from './profile-table.ts';
import { rooflineOf } from './roofline.ts';

const module = parseModule(`
func.func @main(%x: tensor<64x256xf32>, %n: tensor<i32>) -> (tensor<64x64xf32>, tensor<i32>) {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1] : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.constant dense<0> : tensor<i32>
  %2 = stablehlo.while(%i = %1) : tensor<i32>
  cond {
    %3 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  } do {
    %4 = stablehlo.constant dense<1> : tensor<i32>
    %5 = stablehlo.add %i, %4 : tensor<i32>
    stablehlo.return %5 : tensor<i32>
  }
  return %0, %2 : tensor<64x64xf32>, tensor<i32>
}`);
const directory = temporaryDirectory();
afterAll(() => directory[Symbol.dispose]());
const runtimeWith = (profile: string): Runtime =>
  new Runtime({ variables: { ...process.env, TRENIO_CACHE_DIR: directory.path, TRENIO_PROFILE: profile }, log: quiet });

function runs(runtime: Runtime, times: number) {
  const backend = runtime.backend('cpu');
  const { executable } = backend.compile(module);
  const x = backend.upload(tensorType('f32', [64, 256]), new Uint8Array(64 * 256 * 4));
  const n = backend.upload(tensorType('i32', []), bytesOf(literal('i32', [], [7])));
  for (let i = 0; i < times; i++) executable.run([x, n]);
  return backend.profile!();
}

test('calls and times of each kernel, within the time of the steps; the first step is excluded', () => {
  const runtime = runtimeWith('1');
  try {
    const profile = runs(runtime, 4);
    expect(profile).toHaveLength(1);
    const { steps, kernels, nanoseconds } = profile[0]!;
    expect(steps).toBe(3);
    const callsOf = (op: string) => kernels.find(k => k.kernel.ops.some(o => o.name === op))?.calls;
    expect([callsOf('dot_general'), callsOf('compare'), callsOf('add')]).toEqual([3, 3 * 8, 3 * 7]);
    const sum = kernels.reduce((n, k) => n + k.nanoseconds, 0);
    expect(sum).toBeGreaterThan(0);
    expect(sum).toBeLessThanOrEqual(nanoseconds);
    const table = formatProfile(profile);
    const cells = table.split('\n').flatMap(line => /^(\S.*?) {2,}.*?([\d.]+) %/.exec(line)?.slice(1) ?? []);
    expect(cells).toContain('between kernels');
    const shares = cells.filter((_, i) => i % 2 === 1).map(Number);
    const total = shares.pop();
    expect([total, shares.reduce((n, s) => n + s, 0)]).toEqual([100, expect.closeTo(100, 0)]);
    runtime.profiler!.reset();
    expect(runtime.profiler!.report()).toEqual([]);
  } finally {
    runtime.close();
  }
});

test('each step has its own profile; nothing is counted unless requested', () => {
  const runtime = runtimeWith('1');
  expect(runs(runtime, 1)[0]!.steps).toBe(1);
  runtime.close();
  const other = runtimeWith('0');
  expect(runs(other, 2)).toEqual([]);
  expect(other.profiler).toBeUndefined();
  other.close();
  expect(formatProfile(new Profiler().report())).toBe('');
});

test('limits are measured once and stored; a damaged file is measured again', async () => {
  const runtime = runtimeWith('0');
  try {
    const limits = machineLimits(runtime);
    expect(limits.threads).toBe(runtime.engine.threads);
    for (const rates of [limits.one, limits.all])
      for (const rate of [rates.f32, rates.read, rates.write, rates.copy, rates.inPlace])
        expect(rate).toBeGreaterThan(0);
    expect(machineLimits(runtime)).toEqual(limits);
    const { readdirSync, writeFileSync } = await import('node:fs');
    const name = readdirSync(directory.path).find(file => file.startsWith('limits-'))!;
    writeFileSync(`${directory.path}/${name}`, '{"threads":2,"one":{}}');
    expect(machineLimits(runtime).all.f32).toBeGreaterThan(0);
  } finally {
    runtime.close();
  }
});

test('the roofline names what bounds a kernel', () => {
  const rates: Rates = { f32: 100, bf16: 200, read: 10, write: 10, copy: 16, inPlace: 20 };
  const work = { flops: 0, products: undefined, bytesRead: 0, bytesWritten: 0, bytesInPlace: 0 };
  const multiply = { ...work, flops: 1e6, products: 'f32' };
  expect(rooflineOf(multiply, 2e4, rates)).toMatchObject({ computeNs: 1e4, share: 0.5, bound: 'compute' });
  expect(rooflineOf({ ...multiply, products: 'bf16' }, 1e4, rates).share).toBe(0.5);
  const update = { ...work, bytesRead: 8e5, bytesWritten: 8e5, bytesInPlace: 8e5, flops: 10 };
  expect(rooflineOf(update, 1e5, rates)).toMatchObject({ memoryNs: 8e4, share: 0.8, bound: 'memory' });
  expect(rooflineOf(work, 1000, rates).bound).toBe('overhead');
  expect(rooflineOf(work, 1e6, rates).bound).toBe('other');
});
