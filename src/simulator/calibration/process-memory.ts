// What a training process takes besides its numbers: Node, the loaded code, the recorded programs. Two models of hardly any
// numbers, a small one and one of many ops, say what is there anyway and what each op of a program adds.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Variables } from '../../base/environment.ts';
import { invariant } from '../../base/errors.ts';
import type { OutputStream } from '../../base/output-stream.ts';
import { launch } from '../../parallel/launch.ts';
import type { StepReport } from '../../runtime/profiling/step-meter.ts';

export interface ProcessMemory {
  readonly processBytes: number;
  /** Of each op that a program's kernels compute. */
  readonly opBytes: number;
}

const script = fileURLToPath(new URL(`./bare-step${extname(import.meta.filename)}`, import.meta.url));
const [few, many] = [1, 24];

/** Takes a second or two; what it runs is compiled once and found in the cache afterwards. Throws what launching throws. */
export async function measureProcessMemory(variables: Variables): Promise<ProcessMemory> {
  await bareStep(many, variables); // compiles, which takes memory of its own
  const [small, large] = [await bareStep(few, variables), await bareStep(many, variables)];
  const opBytes = Math.max(0, (large.bytes - small.bytes) / (large.ops - small.ops));
  return { processBytes: small.bytes - opBytes * small.ops, opBytes };
}

async function bareStep(
  blocks: number,
  variables: Variables,
): Promise<{ readonly bytes: number; readonly ops: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'trenio-bare-'));
  const report = join(folder, 'steps.json');
  const printed: string[] = [];
  const output: OutputStream = { write: text => printed.push(text) > 0, once: () => undefined };
  try {
    await launch({
      script,
      args: [`${blocks}`],
      variables: { ...variables, TRENIO_STEP_REPORT: report, TRENIO_PROFILE: '0', TRENIO_EAGER: '0' },
      stdout: output,
      stderr: output,
      capture: true,
    });
    const { programs, residentBytes } = JSON.parse(readFileSync(report, 'utf8')) as StepReport;
    const ops = Math.max(...programs.map(program => program.ops));
    invariant(ops > 0, `a training step without ops: ${printed.join('')}`);
    return { bytes: residentBytes, ops };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
