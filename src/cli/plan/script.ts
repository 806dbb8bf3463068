// Turns a user's script into a workload by tracing it up to its training step, or reads a StableHLO program from a file.
import { resolve } from 'node:path';
import { readBytes } from '../../base/read-file.ts';
import type { Precision, RecordedProgram, Workload } from '../../simulator/index.ts';
import type { Amount } from '../../simulator/plan/index.ts';
import type { CliContext } from '../command/command.ts';
import { sourceOf, verifiedProgram } from '../hlo/programs.ts';
import { followScript } from '../run/follow-script.ts';

/** StableHLO as text or as a portable artifact. */
export const isProgram = (file: string): boolean => /\.(mlir|mlirbc|stablehlo|hlo|bc)$/.test(file);

/** A StableHLO program, and the name that is shown for it. */
export interface NamedProgram {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** @throws {FILE_UNREADABLE} */
export const namedProgram = async (cwd: string, file: string): Promise<NamedProgram> => ({
  name: file,
  bytes: await readBytes(resolve(cwd, file)),
});

/**
 * One execution of a program is a step.
 * @throws {HLO_SYNTAX}
 * @throws {INVALID_OP}
 * @throws {INVALID_PROGRAM}
 */
export async function workloadOfProgram(
  { name, bytes }: NamedProgram,
  precision: Precision | undefined,
  assumptions: string[],
): Promise<{ readonly workload: Workload }> {
  const { recordedProgram } = await import('../../simulator/program/index.ts');
  const model = recordedProgram(verifiedProgram(sourceOf(bytes), name), { name });
  assumptions.push('One execution of the program is a step.', ...model.assumptions);
  return { workload: await programWorkload(model, precision, assumptions) };
}

/**
 * @throws {SCRIPT_NOT_FOUND}
 * @throws {SCRIPT_FAILED}
 * @throws {NO_TRAINING_STEP}
 */
export async function workloadOfScript(
  script: string,
  args: readonly string[],
  precision: Precision | undefined,
  context: CliContext,
  assumptions: string[],
  quiet: boolean,
): Promise<{ readonly workload: Workload; readonly amount?: Amount }> {
  const { recordedProgram } = await import('../../simulator/program/index.ts');
  const { trainingStep, steps } = await followScript(script, args, context, { quiet });
  const model = recordedProgram(trainingStep.module, { name: script });
  assumptions.push(...model.assumptions);
  const workload = await programWorkload(model, precision, assumptions);
  if (steps === undefined) return { workload };
  assumptions.push(
    `The script runs ${steps} steps of ${model.samplesPerStep} samples on one device: ${(steps * model.samplesPerStep).toLocaleString('en-US')} samples in total.`,
  );
  return { workload, amount: { kind: 'samples', samples: steps * model.samplesPerStep } };
}

/** With --precision, multiplies recorded in f32 are cast, as auto-cast does. */
export async function programWorkload(
  recorded: RecordedProgram,
  precision: Precision | undefined,
  assumptions: string[],
): Promise<Workload> {
  const { castMultiplies } = await import('../../simulator/program/index.ts');
  const { wantedMultiply } = await import('../../simulator/formats.ts');
  const type = precision === undefined ? undefined : wantedMultiply(precision);
  assumptions.push(
    type === undefined
      ? '--precision not given: each multiply runs in its recorded format.'
      : `--precision ${precision}: multiplies that were recorded in f32 run in ${type}; values in memory keep their recorded format.`,
  );
  const model = type === undefined ? recorded : castMultiplies(recorded, type);
  // A program contains its own optimizer and attention; these values have no effect.
  return {
    model,
    run: { kind: 'training', sequence: 1, optimizer: 'adamw' },
    precision: precision ?? 'f32',
    attention: 'unfused',
  };
}
