// Checkpoints of models that are divided over ranks, with real processes: any layout continues from that of another one.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LayoutOutcome, LayoutRun } from '../launch/fixtures/layout-checkpoints.ts';
import { launch } from '../launch/launch.ts';

const script = fileURLToPath(new URL('../launch/fixtures/layout-checkpoints.ts', import.meta.url));
let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'trenio-layouts-'));
});
afterAll(() => rm(root, { recursive: true }));

async function outputOf(nprocPerNode: number, args: readonly string[]): Promise<string> {
  if (nprocPerNode === 1) return (await promisify(execFile)(process.execPath, [script, ...args])).stdout;
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const [out, err] = [stdout.toArray(), stderr.toArray()];
  const { exitCode } = await launch({ script, args, nprocPerNode, stdout, stderr });
  stdout.end();
  stderr.end();
  const text = Buffer.concat(await out).toString();
  expect(exitCode, `${text}\n${Buffer.concat(await err)}`).toBe(0);
  return text;
}
async function train(nprocPerNode: number, runs: readonly LayoutRun[]): Promise<readonly LayoutOutcome[]> {
  const lines = (await outputOf(nprocPerNode, [JSON.stringify(runs)])).split('\n').filter(line => line.includes('{'));
  return lines.map((line): LayoutOutcome => JSON.parse(line.slice(line.indexOf('{'))));
}

function expectContinued(got: LayoutOutcome, saved: LayoutOutcome, whole: LayoutOutcome): void {
  expect(got.loaded).toBe(saved.saved);
  for (const [i, loss] of got.losses.entries())
    expect(Math.abs(loss / whole.losses[3 + i]! - 1), `step ${3 + i}: ${loss}, ${whole.losses[3 + i]}`).toBeLessThan(
      1e-6,
    );
}

test('training continues in another layout, with the same state and losses', async () => {
  const at = (name: string): string => join(root, name);
  const [gpt2, llama] = await train(1, [
    { model: 'gpt2', mesh: { tp: 1 }, steps: 6, to: at('gpt2-1') },
    { model: 'llama', mesh: { tp: 1 }, steps: 6, to: at('llama-1') },
  ]);
  const [from4, replicated] = await train(4, [
    { model: 'llama', mesh: { pp: 2, tp: 2 }, steps: 4, to: at('llama-4') },
    { model: 'gpt2', mesh: { dp_replicate: 2, dp_shard: 2 }, steps: 3, from: at('gpt2-1') },
  ]);
  expectContinued(replicated!, gpt2!, gpt2!);
  const [sharded, tensor, from2, staged] = await train(2, [
    { model: 'gpt2', mesh: { pp: 2 }, steps: 3, from: at('gpt2-1') },
    { model: 'llama', mesh: { tp: 2 }, steps: 3, from: at('llama-4'), pretrainedTo: at('files') },
    { model: 'gpt2', mesh: { tp: 2 }, steps: 4, to: at('gpt2-2') },
    { model: 'gpt2', mesh: { pp: 2 }, steps: 4, to: at('gpt2-pp') },
  ]);
  expectContinued(sharded!, gpt2!, gpt2!);
  expectContinued(tensor!, from4!, llama!);
  const [alone, fromStages, files] = await train(1, [
    { model: 'gpt2', mesh: { tp: 1 }, steps: 3, from: at('gpt2-2') },
    { model: 'gpt2', mesh: { tp: 1 }, steps: 3, from: at('gpt2-pp') },
    { model: 'llama', mesh: { tp: 1 }, steps: 0, pretrainedFrom: at('files') },
  ]);
  expectContinued(alone!, from2!, gpt2!);
  expectContinued(fromStages!, staged!, gpt2!);
  expect(files!.weights).toBe(tensor!.weights);
});
