// A script of the user's as a job: followed up to its training step, none of its programs run. Or a program from a file,
// whatever wrote it.
import type { Job, Precision, ProgramWorkload } from '../../simulator/index.ts';
import type { Amount } from '../../simulator/plan/index.ts';
import type { CliContext } from '../command.ts';
import { followScript } from '../follow-script.ts';
import { readProgram } from '../hlo/programs.ts';

/** StableHLO as text or as a portable artifact. */
export const isProgram = (file: string): boolean => /\.(mlir|mlirbc|stablehlo|hlo|bc)$/.test(file);

/**
 * One execution of a program is a step.
 * @throws {FILE_UNREADABLE}
 * @throws {HLO_SYNTAX}
 * @throws {INVALID_OP}
 * @throws {INVALID_PROGRAM}
 */
export async function jobOfProgram(
  file: string,
  precision: Precision | undefined,
  context: CliContext,
  assumptions: string[],
): Promise<{ readonly job: Job }> {
  const { programWorkload } = await import('../../simulator/program/index.ts');
  const workload = programWorkload(await readProgram(context.cwd, file), { name: file });
  assumptions.push('One execution of the program is a step.', ...workload.assumptions);
  return { job: await programJob(workload, precision, assumptions) };
}

/**
 * @throws {SCRIPT_NOT_FOUND}
 * @throws {SCRIPT_FAILED}
 * @throws {NO_TRAINING_STEP}
 */
export async function jobOfScript(
  script: string,
  args: readonly string[],
  precision: Precision | undefined,
  context: CliContext,
  assumptions: string[],
): Promise<{ readonly job: Job; readonly amount?: Amount }> {
  const { programWorkload } = await import('../../simulator/program/index.ts');
  const { trainingStep, steps } = await followScript(script, args, context, { command: 'trenio plan' });
  const workload = programWorkload(trainingStep.module, { name: script });
  assumptions.push(...workload.assumptions);
  const job = await programJob(workload, precision, assumptions);
  if (steps === undefined) return { job };
  assumptions.push(
    `The script takes ${steps} steps of ${workload.samplesPerStep} samples on one device: so many samples in all.`,
  );
  return { job, amount: { kind: 'samples', samples: steps * workload.samplesPerStep } };
}

/** With a precision, multiplies that were recorded in f32 are cast, as auto-cast does. */
async function programJob(
  recorded: ProgramWorkload,
  precision: Precision | undefined,
  assumptions: string[],
): Promise<Job> {
  const { castMultiplies } = await import('../../simulator/program/index.ts');
  const { wantedMultiply } = await import('../../simulator/formats.ts');
  const type = precision === undefined ? undefined : wantedMultiply(precision);
  assumptions.push(
    type === undefined
      ? '--precision was not given: each multiply runs in the format in which it was recorded.'
      : `--precision ${precision}: multiplies that were recorded in f32 run in ${type}; what lies in memory stays as it was recorded.`,
  );
  const workload = type === undefined ? recorded : castMultiplies(recorded, type);
  // A program holds its own optimizer and attention: what stands here has no effect.
  return { workload, sequence: 1, precision: precision ?? 'f32', optimizer: 'adamw', attention: 'unfused' };
}
