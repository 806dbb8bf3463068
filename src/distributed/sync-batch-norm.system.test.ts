// SyncBatchNorm with real processes: two ranks with half of a batch each follow one rank with all of it.
import { execFile } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { launch } from './launch/launch.ts';

const script = fileURLToPath(new URL('./launch/fixtures/sync-batch-norm.ts', import.meta.url));

interface Outcome {
  readonly kind: string;
  readonly losses: readonly number[];
  readonly statistics: readonly number[];
  readonly batches: number;
  readonly y: readonly (readonly number[])[];
}
const parse = (text: string): Outcome => JSON.parse(text.slice(text.indexOf('{'))) as Outcome;

async function trainAlone(args: readonly string[]): Promise<Outcome> {
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args]);
  return parse(stdout);
}
async function trainTogether(nprocPerNode: number, args: readonly string[]): Promise<Outcome> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const [out, err] = [stdout.toArray(), stderr.toArray()];
  const { exitCode } = await launch({ script, args, nprocPerNode, stdout, stderr });
  stdout.end();
  stderr.end();
  const text = Buffer.concat(await out).toString();
  expect(exitCode, `${text}\n${Buffer.concat(await err)}`).toBe(0);
  return parse(text);
}

test.each([[[]], [['average']]])(
  'statistics, losses and gradients of two ranks match one rank (%s)',
  async args => {
    const [one, two] = [await trainAlone(args), await trainTogether(2, args)];
    expect([one.kind, two.kind]).toEqual(['SyncBatchNorm', 'SyncBatchNorm']);
    expect([one.batches, two.batches]).toEqual([8, 8]);
    const close = (a: readonly number[], b: readonly number[]): void => {
      a.forEach((x, i) => {
        expect(Math.abs(b[i]! - x)).toBeLessThan(2e-5 * Math.max(1, Math.abs(x)));
      });
    };
    close(one.losses, two.losses);
    close(one.statistics, two.statistics);
    close(one.y[0]!, two.y[0]!);
    // The batches differ between the ranks: one rank's statistics would give other losses.
    expect(one.losses.at(-1)).not.toBe(one.losses[0]);
  },
  120_000,
);
