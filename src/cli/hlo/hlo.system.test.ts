// `trenio hlo`: programs in files, arrays in files, words on the terminal.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readNpy, writeNpy } from '../../data/files/npy.ts';
import { literal, toNumbers } from '../../hlo/literal.ts';
import { runWords } from '../run-cli.testing.ts';
import { withoutProgress } from '../without-progress.testing.ts';
import { hloCommands } from './index.ts';

const scale = `
func.func @main(%x: tensor<2x3xf32>, %s: tensor<bf16>) -> (tensor<2x3xf32>, tensor<f32>) {
  %0 = stablehlo.convert %s : (tensor<bf16>) -> tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %2 = stablehlo.multiply %x, %1 : tensor<2x3xf32>
  return %2, %0 : tensor<2x3xf32>, tensor<f32>
}
`;
const checking = (expected: number): string => `
func.func @main() -> tensor<f32> {
  %0 = stablehlo.constant dense<1.5> : tensor<f32>
  %1 = stablehlo.add %0, %0 : tensor<f32>
  %2 = stablehlo.constant dense<${expected}.0> : tensor<f32>
  stablehlo.custom_call @check.expect_close(%1, %2) {has_side_effect = true} : (tensor<f32>, tensor<f32>) -> ()
  check.expect_eq_const %1, dense<${expected}.0> : tensor<f32>
  return %1 : tensor<f32>
}
`;
/** Two processes that add their constants; `after` is one more op of each. */
const grid = (expected: number, after = ''): string => `
func.func @process() -> tensor<i32> {
  %0 = stablehlo.replica_id : tensor<ui32>
  %1 = stablehlo.convert %0 : (tensor<ui32>) -> tensor<i32>
  %2 = "stablehlo.all_reduce"(%1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  ${after}
  return %2 : tensor<i32>
}
func.func @main() {
  %0:2 = "interpreter.run_parallel"() {programs = [[@process], [@process]]} : () -> (tensor<i32>, tensor<i32>)
  check.expect_eq_const %0#0, dense<${expected}> : tensor<i32>
  check.expect_eq_const %0#1, dense<${expected}> : tensor<i32>
  return
}
`;
const invalid = `
func.func @main(%x: tensor<2xf32>) -> tensor<3xf32> {
  %0 = stablehlo.negate %x : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
`;
const counting = `
func.func @count() -> tensor<i32> {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.while(%i = %0) : tensor<i32>
  cond {
    %2 = stablehlo.constant dense<10> : tensor<i32>
    %3 = stablehlo.compare LT, %i, %2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  } do {
    %2 = stablehlo.constant dense<1> : tensor<i32>
    %3 = stablehlo.add %i, %2 : tensor<i32>
    stablehlo.return %3 : tensor<i32>
  }
  return %1 : tensor<i32>
}
`;

let folder = '';
/** A product whose terms are summed, and rows that move to columns, on two devices. */
const sharded = `
module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<2x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<2x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    return %0 : tensor<2x2xf32>
  }
}
`;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trenio-hlo-'));
  const files = {
    scale,
    invalid,
    counting,
    good: checking(3),
    sharded,
    bad: checking(4),
    grid: grid(1),
    'grid-bad': grid(2),
    'grid-host': grid(1, 'interpreter.print %2 : tensor<i32>'),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, `${name}.mlir`), text);
  await writeFile(join(folder, 'both.mlir'), `${scale}\n// -----\n${invalid}`);
  await writeNpy(join(folder, 'x.npy'), literal('f32', [2, 3], [1, 2, 3, 4, 5, 6]));
  await writeNpy(join(folder, 's.npy'), literal('bf16', [], [0.5]));
});
afterAll(() => rm(folder, { recursive: true }));

async function hlo(words: string, stdin = '') {
  const options = { stdin, cwd: folder, environment: process.env, commands: [hloCommands] };
  const { stderr, ...outcome } = await runWords(['hlo', ...words.split(' ')], options);
  return { ...outcome, stderr: withoutProgress(stderr) };
}

describe('verify', () => {
  test('valid programs end with 0, others with 1 and the reason', async () => {
    expect(await hlo('verify scale.mlir good.mlir')).toEqual({
      exitCode: 0,
      stdout: 'scale.mlir: valid\ngood.mlir: valid\n',
      stderr: '',
    });
    const refused = await hlo('verify invalid.mlir scale.mlir');
    expect([refused.exitCode, refused.stdout]).toEqual([1, 'scale.mlir: valid\n']);
    expect(refused.stderr).toContain('invalid.mlir: ');
    expect(refused.stderr).toContain('tensor<3xf32>');
  });
  test('several programs in a file, as JSON', async () => {
    const { exitCode, stdout } = await hlo('verify --split-input-file --json both.mlir');
    const [first, second] = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Record<string, unknown>);
    expect([exitCode, first]).toEqual([1, { file: 'both.mlir', chunk: 0, valid: true }]);
    expect(second).toMatchObject({ chunk: 1, valid: false });
  });
  test('a text that is not a program, a file that is not there', async () => {
    await writeFile(join(folder, 'words.mlir'), 'some words');
    expect(await hlo('verify words.mlir')).toMatchObject({ exitCode: 1, stdout: '' });
    expect((await hlo('verify none.mlir')).stderr).toContain('there is no such file');
  });
});

describe('print', () => {
  test('printed programs are equal to the original, and print identically', async () => {
    const { exitCode, stdout } = await hlo('print scale.mlir');
    expect([exitCode, stdout.includes('stablehlo.multiply')]).toEqual([0, true]);
    await writeFile(join(folder, 'printed.mlir'), stdout);
    expect((await hlo('print printed.mlir')).stdout).toBe(stdout);
    await hlo('print scale.mlir -o copy.mlir');
    expect(await readFile(join(folder, 'copy.mlir'), 'utf8')).toBe(stdout);
  });
  test('the generic form reads back', async () => {
    const { stdout } = await hlo('print --generic scale.mlir');
    expect(stdout).toContain('"stablehlo.multiply"(');
    await writeFile(join(folder, 'generic.mlir'), stdout);
    expect((await hlo('print generic.mlir')).stdout).toBe((await hlo('print scale.mlir')).stdout);
  });
});

describe('run', () => {
  test.each(['interpreter', 'cpu'])('arrays in, arrays out: %s', async backend => {
    const words = `run scale.mlir --input x.npy --input s.npy --output y.npy --backend ${backend}`;
    expect(await hlo(words)).toEqual({ exitCode: 0, stdout: 'tensor<f32> 0.5\n', stderr: '' });
    const result = await readNpy(join(folder, 'y.npy'));
    expect([result.type.shape, toNumbers(result)]).toEqual([
      [2, 3],
      [0.5, 1, 1.5, 2, 2.5, 3],
    ]);
  });
  test.each(['interpreter', 'cpu'])('a program with shardings, as a process for each device: %s', async backend => {
    await writeNpy(join(folder, 'square.npy'), literal('f32', [2, 2], [1, 2, 3, 4]));
    const words = `run sharded.mlir --input square.npy --output product.npy --backend ${backend}`;
    expect(await hlo(words)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(toNumbers(await readNpy(join(folder, 'product.npy')))).toEqual([5, 11, 11, 25]);
  });
  test('the only function of a program is its entry; loops may be limited', async () => {
    expect((await hlo('run counting.mlir')).stdout).toBe('tensor<i32> 10\n');
    expect((await hlo('run counting.mlir --function count')).stdout).toBe('tensor<i32> 10\n');
    expect((await hlo('run counting.mlir --max-loop-steps 5')).stderr).toContain('more than 5 iterations');
    const compiled = await hlo('run counting.mlir --backend cpu --max-loop-steps 5');
    expect(compiled).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('more iterations than') });
  });
  test.each([
    ['run scale.mlir', 2, '--input is given 0 times, expected 2 times'],
    ['run scale.mlir --input x.npy --input x.npy', 1, 'argument 1 must be tensor<bf16>, got tensor<2x3xf32>'],
    ['run counting.mlir --function main', 2, 'expected one of count'],
    ['run counting.mlir --output a.npy --output b.npy', 2, 'at most 1 times'],
    ['run counting.mlir --backend tpu', 2, "'tpu', expected cpu or interpreter"],
  ])('%s', async (words, code, text) => {
    const { exitCode, stdout, stderr } = await hlo(words);
    expect([exitCode, stdout, stderr.includes(text) ? text : stderr]).toEqual([code, '', text]);
  });
});

describe('check', () => {
  test.each(['interpreter', 'cpu'])('with %s', async backend => {
    expect(await hlo(`check good.mlir --backend ${backend}`)).toEqual({
      exitCode: 0,
      stdout: 'good.mlir: pass\n',
      stderr: '',
    });
    const { exitCode, stderr } = await hlo(`check bad.mlir --backend ${backend}`);
    expect([exitCode, stderr.includes('expect_close')]).toEqual([1, true]);
  });
  test('programs of several processes run on ranks', async () => {
    expect(await hlo('check grid.mlir --backend cpu')).toEqual({
      exitCode: 0,
      stdout: 'grid.mlir: pass\n',
      stderr: '',
    });
    const wrong = await hlo('check grid-bad.mlir --backend cpu');
    expect([wrong.exitCode, wrong.stderr.includes('expect_eq')]).toEqual([1, true]);
    expect((await hlo('check grid-host.mlir --backend cpu')).stderr).toMatchInlineSnapshot(`
      "grid-host.mlir: interpreter.print, which exchanges data with the host, is not supported by compiled ranks
        fix: use --backend interpreter
      "
    `);
  });
  test('a server answers every line, whatever it is', async () => {
    const { exitCode, stdout } = await hlo(
      'check --server',
      'good.mlir\nbad.mlir\nnone.mlir\n\ninvalid.mlir\ngood.mlir\n',
    );
    expect(exitCode).toBe(0);
    const lines = stdout.trim().split('\n');
    expect(lines.map(line => line.slice(0, 4))).toEqual(['PASS', 'FAIL', 'FAIL', 'FAIL', 'PASS']);
  });
});

test('cost: a table with totals, or JSON', async () => {
  const { stdout } = await hlo('cost scale.mlir');
  expect(stdout).toMatch(/^op +count +FLOPs/);
  expect(stdout).toMatch(/multiply +1 +6 /);
  expect(stdout).toMatch(/total +3 /);
  const { total, byOp } = JSON.parse((await hlo('cost scale.mlir --json')).stdout);
  expect([total.count, byOp.multiply.flops]).toEqual([3, 6]);
});

describe('explain', () => {
  test('every kernel with its ops, lines and reasons', async () => {
    const { exitCode, stdout } = await hlo('explain scale.mlir');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^scale\.mlir: 3 ops, \d after the passes, in \d kernels? called \d times/);
    expect(stdout).toContain('multiply tensor<2x3xf32> at scale.mlir:5:8');
    expect(stdout).toContain('a result of the program');
    expect(stdout).toMatch(/memory: \d+ B/);
  });
  test('as JSON', async () => {
    const { stdout } = await hlo('explain scale.mlir --json');
    expect(JSON.parse(stdout)).toEqual({
      name: expect.any(String),
      isa: expect.any(String),
      recorded: expect.arrayContaining([
        { name: 'multiply', location: { file: 'scale.mlir', line: 5, column: expect.any(Number) } },
      ]),
      scheduled: expect.any(Number),
      kernels: expect.arrayContaining([
        expect.objectContaining({
          name: 'k0',
          why: expect.arrayContaining([expect.any(String)]),
          reads: expect.arrayContaining([expect.objectContaining({ memory: expect.stringMatching(/^argument \d$/) })]),
        }),
      ]),
      computedAgain: expect.any(Array),
      memory: expect.objectContaining({ argumentBytes: 26, resultBytes: 28 }),
    });
  });
  test('where an op went', async () => {
    expect((await hlo('explain scale.mlir --op multiply')).stdout).toMatch(
      /^multiply .* at scale.mlir:5:8: computed in k\d\n$/,
    );
    expect((await hlo('explain scale.mlir --op broadcast_in_dim')).stdout).toContain('free, only changes');
    const { op, found } = JSON.parse((await hlo('explain scale.mlir --op convert --json')).stdout);
    expect([op, found[0].as]).toEqual(['convert', 'computed']);
  });
  test('with times', async () => {
    const { stdout } = await hlo('explain scale.mlir --profile --rounds 3 --input x.npy --input s.npy');
    expect(stdout).toMatch(/a step takes .* \(3 measured\), .* of it in kernels\nlimits of \d+ threads?: \d+ GFLOP\/s/);
    const { measured } = JSON.parse((await hlo('explain scale.mlir --profile --json')).stdout);
    expect(measured.steps).toBe(10);
    const inKernels = measured.kernels.reduce((n: number, k: { nanoseconds: number }) => n + k.nanoseconds, 0);
    expect(inKernels).toBeLessThanOrEqual(measured.nanoseconds);
  });
  test.each([
    ['explain scale.mlir --op mutliply', "--op is 'mutliply', expected an op of the program, such as multiply"],
    ['explain scale.mlir --op zzz', 'expected one of broadcast_in_dim, convert, multiply'],
    ['explain scale.mlir --rounds 3', '--rounds is given without --profile, expected --profile as well'],
    ['explain scale.mlir --profile --input x.npy', '--input is given 1 times, expected 2 times'],
  ])('%s', async (words, text) => {
    const { exitCode, stdout, stderr } = await hlo(words);
    expect([exitCode, stdout, stderr.includes(text) ? text : stderr]).toEqual([2, '', text]);
  });
});

test('graph: a picture or a page', async () => {
  expect(await hlo('graph scale.mlir -o g.svg')).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  expect(await readFile(join(folder, 'g.svg'), 'utf8')).toMatch(/^<svg /);
  await hlo('graph counting.mlir -o g.html');
  expect(await readFile(join(folder, 'g.html'), 'utf8')).toContain('>body<');
  expect((await hlo('graph scale.mlir -o g.png')).stderr).toContain('ending in .svg or .html');
});
