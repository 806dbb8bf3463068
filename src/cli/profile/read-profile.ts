// Profiles as files: read, and checked once.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { TrenioError } from '../../base/errors.ts';
import { readTextFileNow, unreadable } from '../../base/read-file.ts';
import { type Timeline, timelineSchema } from '../../runtime/profiling/timeline.ts';

/**
 * The timelines of a folder and of its folders of machines (node-N), by rank, or of a file. `onFile` is called before each file.
 * @throws {FILE_UNREADABLE}
 * @throws {PROFILE_INVALID}
 */
export function readProfile(
  path: string,
  onFile: (file: string, done: number, total: number) => void = () => {},
): readonly Timeline[] {
  try {
    const isFolder = statSync(path).isDirectory();
    const files = isFolder
      ? [path, ...namesIn(path, /^node-\d+$/)].flatMap(folder => namesIn(folder, /^rank-\d+\.json$/))
      : [path];
    if (files.length === 0)
      throw new TrenioError('PROFILE_INVALID', { file: path, problem: 'it has no files rank-N.json' });
    const read = (file: string, i: number): Timeline => {
      onFile(file, i, files.length);
      return readTimeline(file);
    };
    return files.map(read).sort((a, b) => a.rank - b.rank);
  } catch (error) {
    if (error instanceof TrenioError || (error as NodeJS.ErrnoException).code === undefined) throw error;
    throw unreadable(path, error);
  }
}

const namesIn = (folder: string, pattern: RegExp): readonly string[] =>
  readdirSync(folder)
    .filter(name => pattern.test(name))
    .map(name => join(folder, name));

function readTimeline(file: string): Timeline {
  let data: unknown;
  try {
    data = JSON.parse(readTextFileNow(file));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new TrenioError('PROFILE_INVALID', { file, problem: 'it is not JSON' }, { cause: error });
  }
  const read = timelineSchema.safeParse(data);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new TrenioError('PROFILE_INVALID', { file, problem: `${issue!.path.join('.')}: ${issue!.message}` });
  }
  const { programs, kernels } = read.data;
  if (kernels.some(([, , program, kernel]) => programs[program]?.kernels[kernel] === undefined))
    throw new TrenioError('PROFILE_INVALID', { file, problem: 'a call is of a kernel that is not listed' });
  return read.data;
}
