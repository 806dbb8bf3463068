// run.json: the run that a folder belongs to, and the settings with which it was started and resumed. Written when a run starts
// or resumes, before any other file. Results are in results.json (run-results.ts).
import { join } from 'node:path';
import * as z from 'zod';
import { writeFileAtomically } from '../base/atomic-write.ts';
import { TrenioError } from '../base/errors.ts';
import { fileExists, readTextFile } from '../base/read-file.ts';

export const RUN_FILE = 'run.json';

const settingsSchema = z.record(z.string(), z.json());
/** The settings of a run, as the script names them. */
export type RunSettings = Readonly<z.output<typeof settingsSchema>>;

const sessionSchema = z.object({
  /** When it began. */
  startedAt: z.iso.datetime(),
  /** The host name. */
  host: z.string(),
  /** The process id. */
  pid: z.int(),
  /** The step of the checkpoint that it resumed from; null for the first session. */
  fromStep: z.int().min(0).nullable(),
  /** Settings that were changed in that session. */
  changed: z.record(
    z.string(),
    z.object({
      /** The value before. */ from: z.json(),
      /** The value now. */ to: z.json(),
    }),
  ),
});
const runFileSchema = z.object({
  /** The version of this format. */
  format: z.literal('trenio-run-1'),
  /** The id of the run, in hexadecimal digits. */
  id: z.string().regex(/^[0-9a-f]{4,64}$/, 'an id is 4 to 64 hexadecimal digits'),
  /** The start of the first session. */
  startedAt: z.iso.datetime(),
  /** The settings of the last session. */
  settings: settingsSchema,
  /** One entry for each start or resume of the run. */
  sessions: z.array(sessionSchema).min(1),
  /** The versions of Trenio and Node. */
  versions: z.record(z.string(), z.string()),
});
/** The content of run.json: the identity and the settings of a run. */
export type RunFile = Readonly<z.output<typeof runFileSchema>>;

/**
 * The run of a folder; undefined if the folder has none.
 * @throws {RUN_FILE_INVALID}
 * @throws {FILE_UNREADABLE}
 * @example
 * ```ts no-run
 * const run = await readRunFile('runs/polarity');
 * console.log(run?.id, run?.settings);
 * ```
 */
export async function readRunFile(folder: string): Promise<RunFile | undefined> {
  const file = join(folder, RUN_FILE);
  if (!(await fileExists(file))) return undefined;
  const text = await readTextFile(file);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new TrenioError(
      'RUN_FILE_INVALID',
      { file, problem: `it is not JSON: ${(cause as Error).message}` },
      { cause },
    );
  }
  const parsed = runFileSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw new TrenioError('RUN_FILE_INVALID', { file, problem: `${issue.path.join('.')}: ${issue.message}` });
}

/**
 * @throws {DISK_FULL}
 * @throws {WRITE_FAILED}
 */
export async function writeRunFile(folder: string, run: RunFile): Promise<void> {
  await writeFileAtomically(join(folder, RUN_FILE), [`${JSON.stringify(run, undefined, 2)}\n`]);
}
