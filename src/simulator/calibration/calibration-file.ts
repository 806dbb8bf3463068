// Stores the calibration of this machine: a JSON file for each number of threads, in the cache directory, with the identity of
// the machine. Rates of another processor, another compiler or an older format are never used, and a damaged file is reported
// as such.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Variables } from '../../base/environment.ts';
import { TrenioError } from '../../base/errors.ts';
import { expectFileError } from '../../base/file-error.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { threadPlan } from '../../runtime/execution/threads.ts';
import { findCompiler, processorIdentity } from '../../runtime/toolchain/c-compiler.ts';
import { cacheDirectory } from '../../runtime/toolchain/cache-directory.ts';
import { compilerIdentity } from '../../runtime/toolchain/compiler-identity.ts';
import type { Calibration } from './calibrate.ts';

const formatVersion = 3;

/** The machine of the rates. */
export interface CalibrationIdentity {
  readonly processor: string;
  readonly threads: number;
  /** The C compiler, and this package's own. */
  readonly compilers: string;
}
export interface KeptCalibration {
  readonly calibration: Calibration;
  /** When it was measured, ISO 8601. */
  readonly date: string;
}
export type FoundCalibration =
  | { readonly kind: 'none'; readonly path: string }
  | { readonly kind: 'unusable'; readonly path: string; readonly problem: string }
  | ({ readonly kind: 'current'; readonly path: string } & KeptCalibration);

const rate = z.number().positive().finite();
const seconds = z.number().nonnegative().finite();
const size = z.number().positive().finite();
const multiplies = z.object({
  product: seconds,
  a: z.object({ n: seconds, t: seconds }),
  b: z.object({ n: seconds, t: seconds }),
  result: seconds,
  each: seconds,
  points: z.array(
    z.object({ batch: size, m: size, n: size, k: size, layout: z.enum(['nn', 'nt', 'tn', 'tt']), ratio: rate }),
  ),
});
const curve = z.array(z.object({ bytes: size, rate })).min(1);
const calibrationSchema = z.object({
  threads: z.number().int().positive(),
  rates: z.object({
    multiplies: z.object({ f32: multiplies, bf16: multiplies }),
    convolutions: multiplies,
    copy: curve,
    inPlace: curve,
    simple: rate,
    integer: rate,
    transcendental: rate,
    division: rate,
    root: rate,
    rounding: rate,
    randomWord: rate,
    gather: rate,
    scatter: rate,
    kernelStart: seconds,
    programStart: seconds,
    disturbance: rate,
    processBytes: seconds,
    opBytes: seconds,
    tracingBytes: seconds,
    startBytes: seconds,
  }),
  peakFlops: z.object({ f32: rate, bf16: rate }),
  memoryBandwidth: rate,
  error: seconds,
}) satisfies z.ZodType<Calibration>;
const fileSchema = z.object({
  version: z.number(),
  identity: z.object({ processor: z.string(), threads: z.number(), compilers: z.string() }),
  date: z.string(),
  calibration: z.unknown(),
});

/**
 * @throws {NO_C_COMPILER}
 * @throws {BAD_ENVIRONMENT}
 */
export function calibrationIdentity(variables?: Variables): CalibrationIdentity {
  const compiler = findCompiler(variables);
  return {
    processor: processorIdentity(),
    threads: threadPlan(variables).length,
    compilers: `${compiler.identity}\n${compilerIdentity()}`,
  };
}

const calibrationPath = (identity: CalibrationIdentity, variables?: Variables): string =>
  join(cacheDirectory(variables), `machine-${identity.threads}-threads.json`);

/**
 * Reads the calibration stored for this machine.
 * @throws {NO_C_COMPILER}
 * @throws {BAD_ENVIRONMENT}
 */
export function findCalibration(
  variables?: Variables,
  identity: CalibrationIdentity = calibrationIdentity(variables),
): FoundCalibration {
  const path = calibrationPath(identity, variables);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    expectFileError(error);
    return { kind: 'none', path };
  }
  const unusable = (problem: string): FoundCalibration => ({ kind: 'unusable', path, problem });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return unusable('it is not JSON');
  }
  const file = fileSchema.safeParse(json);
  if (!file.success) return unusable('it is damaged');
  const { version, identity: theirs, date, calibration } = file.data;
  if (version !== formatVersion) return unusable(`it is of format ${version}, this version reads ${formatVersion}`);
  if (theirs.processor !== identity.processor) return unusable('it was measured on another processor');
  if (theirs.threads !== identity.threads)
    return unusable(`it was measured with ${theirs.threads} threads, there are ${identity.threads}`);
  if (theirs.compilers !== identity.compilers) return unusable('it was measured with another compiler');
  const known = calibrationSchema.safeParse(calibration);
  if (!known.success)
    return unusable(`it is damaged: ${known.error.issues[0]?.path.join('.') || 'the calibration'} is invalid`);
  return { kind: 'current', path, calibration: known.data, date };
}

/** Replaces the stored calibration. @throws {WRITE_FAILED} if the cache directory cannot be written */
export function keepCalibration(
  calibration: Calibration,
  date: Date,
  variables?: Variables,
  identity: CalibrationIdentity = calibrationIdentity(variables),
): string {
  const path = calibrationPath(identity, variables);
  const partial = `${path}.${process.pid}.partial`;
  const file = { version: formatVersion, identity, date: date.toISOString(), calibration };
  try {
    makeFolder(cacheDirectory(variables));
    writeFileSync(partial, `${JSON.stringify(file)}\n`);
    renameSync(partial, path);
  } catch (error) {
    throw new TrenioError('WRITE_FAILED', {
      file: path,
      reason: error instanceof Error ? error.message : String(error),
    });
  }
  return path;
}
