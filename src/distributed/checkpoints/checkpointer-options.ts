// The options of a Checkpointer, and their checks.
import { TrenioError } from '../../base/errors.ts';
import { refuseUnknownOptions } from '../../base/known-options.ts';

/** Options of `Checkpointer`. */
export interface CheckpointerOptions {
  /** The directory of the checkpoints of this run only. Several machines need a shared file system. */
  readonly directory: string;
  /** The number of steps between saves. By default, only `save()` and signals save. */
  readonly every?: number | undefined;
  /** The number of checkpoints to keep; 3 by default. The last intact one is never removed. */
  readonly keep?: number | undefined;
  /** Checkpoints of steps divisible by this number are kept forever. */
  readonly keepEvery?: number | undefined;
  /**
   * The action if a checkpoint cannot be written, for example because the disk is full: `throw` (the default) at the next step,
   * or `warn` and continue training. Earlier checkpoints are kept in either case.
   */
  readonly onFailure?: 'throw' | 'warn' | undefined;
  /** Whether SIGTERM and SIGUSR1 save and end the process with exit code 75, after the step. Default true. */
  readonly signals?: boolean | undefined;
  /**
   * Paths of files that each checkpoint keeps, such as config.json and vocab.txt: with them it can be deployed
   * (`trenio deploy CHECKPOINT`). They are read at the first save.
   */
  readonly files?: readonly string[] | undefined;
  /** The name of the run, written into its checkpoints. By default a new name, or that of the loaded checkpoint. */
  readonly run?: string | undefined;
}

const optionNames = [
  'directory',
  'every',
  'keep',
  'keepEvery',
  'onFailure',
  'signals',
  'files',
  'run',
] as const satisfies readonly (keyof CheckpointerOptions)[];

/** @throws {INVALID_OPTION} @throws {NO_SUCH_OPTION} */
export function checkOptions(options: CheckpointerOptions): void {
  refuseUnknownOptions('Checkpointer', options, optionNames);
  const check = (option: string, holds: boolean, got: unknown, expected: string): void => {
    if (!holds) throw new TrenioError('INVALID_OPTION', { what: 'Checkpointer', option, got: `${got}`, expected });
  };
  const { directory, onFailure = 'throw', signals = true, files = [] } = options;
  check('directory', typeof directory === 'string' && directory !== '', directory, 'a path');
  for (const name of ['every', 'keep', 'keepEvery'] as const) {
    const value = options[name];
    const isCount = value === undefined || (Number.isSafeInteger(value) && value >= 1);
    check(name, isCount, value, 'an integer, 1 or more');
  }
  check('onFailure', onFailure === 'throw' || onFailure === 'warn', onFailure, "'throw' or 'warn'");
  const isList = Array.isArray(files) && files.every(file => typeof file === 'string' && file !== '');
  check('files', isList, files, 'a list of paths');
  check('signals', typeof signals === 'boolean', signals, 'true or false');
}
