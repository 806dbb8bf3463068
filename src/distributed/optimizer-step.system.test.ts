// Data parallel training, with real processes: the ranks together follow the curve of one rank with the whole batch.
import { execFile } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { launch } from './launch/launch.ts';

const script = fileURLToPath(new URL('./launch/fixtures/train.ts', import.meta.url));

interface Outcome {
  readonly losses: readonly number[];
  readonly compiles: number;
}
const parse = (text: string): Outcome => JSON.parse(text.slice(text.indexOf('{')));

async function trainAlone(): Promise<Outcome> {
  const { stdout } = await promisify(execFile)(process.execPath, [script]);
  return parse(stdout);
}
async function trainTogether(nprocPerNode: number): Promise<Outcome> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const [out, err] = [stdout.toArray(), stderr.toArray()];
  const { exitCode } = await launch({ script, nprocPerNode, stdout, stderr });
  stdout.end();
  stderr.end();
  const text = Buffer.concat(await out).toString();
  expect(exitCode, `${text}\n${Buffer.concat(await err)}`).toBe(0);
  return parse(text);
}

test('two ranks with half the batch each follow one rank with all of it, dropout included', async () => {
  const one = await trainAlone();
  const two = await trainTogether(2);
  expect(one.losses).toHaveLength(50);
  one.losses.forEach((loss, i) => {
    expect(Math.abs(two.losses[i]! / loss - 1), `step ${i}`).toBeLessThan(1e-5);
  });
  expect(one.losses.at(-1)).toBeLessThan(0.9 * one.losses[0]!);
  expect([one.compiles, two.compiles]).toEqual([1, 1]);
});
