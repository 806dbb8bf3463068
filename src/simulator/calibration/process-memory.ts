// The memory of a training process without its tensors: Node, the loaded code, the recorded programs. Two tiny
// models, a small one and one with many ops, give the constant part and the part per op of a program; the larger one,
// with each step recorded again, gives the amount of garbage that V8 keeps for such a script.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Variables } from '../../base/environment.ts';
import { invariant } from '../../base/errors.ts';
import { neighbor } from '../../base/neighbor.ts';
import type { OutputStream } from '../../base/output-stream.ts';
import { launch } from '../../distributed/launch/launch.ts';
import type { CpuRates } from '../../hardware/machine.ts';
import type { StepReport } from '../../runtime/profiling/step-meter.ts';

export type ProcessMemory = Pick<CpuRates, 'processBytes' | 'opBytes' | 'tracingBytes' | 'startBytes'>;

const script = fileURLToPath(neighbor(import.meta.url, './bare-step.ts'));
const [few, many] = [1, 24];
/** Enough steps for the garbage to reach its maximum size in V8. */
const recorded = 150;

/** Takes a few seconds; its programs are compiled once and then found in the cache. Throws the errors of launching. */
export async function measureProcessMemory(variables: Variables): Promise<ProcessMemory> {
  // compiles, which takes additional memory
  for (const args of [
    [few, 1],
    [many, 1],
    [many, 1, 'anew'],
  ])
    await bareStep(args, variables);
  const [small, large] = [await bareStep([few, 12], variables), await bareStep([many, 12], variables)];
  const anew = await bareStep([many, recorded, 'anew'], variables);
  const opBytes = Math.max(0, (large.residentBytes - small.residentBytes) / (large.ops - small.ops));
  const processBytes = small.residentBytes - opBytes * small.ops;
  const tracingBytes = Math.max(0, anew.residentBytes - processBytes - opBytes * anew.ops);
  return { processBytes, opBytes, tracingBytes, startBytes: small.peakBytes };
}

async function bareStep(
  args: readonly (number | string)[],
  variables: Variables,
): Promise<{ readonly residentBytes: number; readonly peakBytes: number; readonly ops: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'trenio-bare-'));
  const report = join(folder, 'steps.json');
  const printed: string[] = [];
  const output: OutputStream = { write: text => printed.push(text) > 0, once: () => undefined };
  try {
    await launch({
      script,
      args: args.map(String),
      variables: { ...variables, TRENIO_STEP_REPORT: report, TRENIO_PROFILE: '0', TRENIO_EAGER: '0' },
      stdout: output,
      stderr: output,
      capture: true,
    });
    const { programs, residentBytes, peakBytes } = JSON.parse(readFileSync(report, 'utf8')) as StepReport;
    const ops = Math.max(...programs.map(program => program.ops));
    invariant(ops > 0, `a training step without ops: ${printed.join('')}`);
    return { residentBytes, peakBytes, ops };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
