// Turns a user's script into a job by tracing it up to its training step, or reads a StableHLO program from a file.
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
    `The script runs ${steps} steps of ${workload.samplesPerStep} samples on one device: ${(steps * workload.samplesPerStep).toLocaleString('en-US')} samples in total.`,
  );
  return { job, amount: { kind: 'samples', samples: steps * workload.samplesPerStep } };
}

/** With --precision, multiplies recorded in f32 are cast, as auto-cast does. */
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
      ? '--precision not given: each multiply runs in its recorded format.'
      : `--precision ${precision}: multiplies that were recorded in f32 run in ${type}; values in memory keep their recorded format.`,
  );
  const workload = type === undefined ? recorded : castMultiplies(recorded, type);
  // A program contains its own optimizer and attention; these values have no effect.
  return { workload, sequence: 1, precision: precision ?? 'f32', optimizer: 'adamw', attention: 'unfused' };
}
