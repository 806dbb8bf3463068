// A rank is lost in the middle of a step, in each layout: the run reports it, and continues in another layout, or on fewer ranks.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { ownEndpoint } from '../../distributed/launch/endpoints.testing.ts';
import { CliProcess } from '../process.testing.ts';

const script = fileURLToPath(new URL('../../distributed/launch/fixtures/lost-ranks.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'trenio-lost-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Step {
  readonly layout: string;
  readonly mesh: string;
  readonly step: number;
  readonly loss: number;
}
const stepsOf = (text: string): readonly Step[] =>
  [...text.matchAll(/\{"layout.*\}/g)].map(([line]) => JSON.parse(line) as Step);

/** Ranks that wait for a lost one for ever would reach the limit of this test. */
const timeout = 300_000;
const layouts = ['dp_shard=2', 'tp=2', 'cp=2', 'ep=2', 'pp=2', 'dp_replicate=2'];
const count = layouts.length + 1;

test('in each layout, the loss is reported, and the run continues from its checkpoint', { timeout }, async () => {
  const run = (name: string, ranks: number, chosen: readonly string[]): CliProcess =>
    new CliProcess([
      ...['run', `--nproc-per-node=${ranks}`, `--max-restarts=${chosen.length - 1}`, '--no-pin', script],
      ...[join(folder, name), `${count}`, ...chosen],
    ]);
  const alone = await run('alone', 1, ['tp=1', 'tp=1']).finished;
  const running = run('several', 2, layouts);
  const reported: number[] = [];
  running.child.stderr.on('data', (chunk: Buffer) => {
    if (/rank 1 \(process \d+\) was ended by SIGKILL/.test(chunk.toString())) reported.push(Date.now());
  });
  const several = await running.finished;
  expect([alone.exitCode, several.exitCode], several.stderr).toEqual([0, 0]);
  const killed = [...several.stderr.matchAll(/"at":(\d+)/g)].map(([, at]) => Number(at));
  expect([killed.length, reported.length], several.stderr).toEqual([layouts.length - 1, layouts.length - 1]);
  // A few milliseconds on an idle machine.
  for (const [i, at] of killed.entries()) expect(reported[i]! - at, layouts[i]).toBeLessThan(20_000);
  const [found, expected] = [stepsOf(several.stdout), stepsOf(alone.stdout)];
  for (const [step, layout] of layouts.entries())
    expect(found).toContainEqual(expect.objectContaining({ step, layout }));
  for (const { layout, step, loss } of found)
    expect(Math.abs(loss / expected[step]!.loss - 1), layout).toBeLessThan(1e-6);
});

test('with -1 in its layout, a run continues on fewer ranks: a pipeline without stages', { timeout }, async () => {
  const { host, port } = ownEndpoint();
  const words = [
    ...['run', '--rdzv-endpoint', `${host}:${port}`, '--no-pin', '--nnodes=1:2', '--max-restarts=1'],
    ...['--rdzv-conf=last_call_timeout=3', script, join(folder, 'fewer'), '12', 'pp=-1'],
  ];
  const variables = { TRENIO_RDZV_SECRET: 'of these tests and no others' };
  const [first, second] = [new CliProcess(words, variables), new CliProcess(words, variables)];
  const main = await Promise.race([first, second].map(async one => [one, await one.outputs(/"step":2/g, 1)] as const));
  const [kept, lost] = main[0] === first ? [first, second] : [second, first];
  lost.child.kill('SIGKILL');
  const { exitCode, stdout, stderr } = await kept.finished;
  expect(exitCode, stderr).toBe(0);
  const found = stepsOf(stdout);
  expect(new Set(found.map(({ mesh }) => mesh))).toEqual(new Set(['{ pp: 2 }', '{ pp: 1 }']));
  expect(found.at(-1)!.step).toBe(11);
});
