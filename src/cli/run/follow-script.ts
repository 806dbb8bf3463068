// Traces a script up to its training step, to predict that step. The script's output is hidden, because no program runs and
// every loss would be 0. It is shown if the script fails.
import { isTrenioError } from '../../base/errors.ts';
import type { OutputStream } from '../../base/output-stream.ts';
import { TaskProgress } from '../../base/task-progress.ts';
import type { TracedRanks, TracedScript } from '../../distributed/index.ts';
import type { CliContext } from '../command/command.ts';

export interface FollowOptions {
  /** Show no progress: the output is for programs. */
  readonly quiet?: boolean;
  /** Default 2000. */
  readonly progressAfterMs?: number;
  /** The ranks of the run of which the first is traced. Default: one. */
  readonly ranks?: TracedRanks;
  readonly maxExecutions?: number;
  /** Whether the output of a script that fails is hidden. */
  readonly mayFail?: boolean;
}

/**
 * @throws {SCRIPT_NOT_FOUND}
 * @throws {SCRIPT_FAILED}
 * @throws {NO_TRAINING_STEP}
 */
export async function followScript(
  script: string,
  args: readonly string[],
  context: CliContext,
  { quiet = false, progressAfterMs, ranks, maxExecutions, mayFail = false }: FollowOptions = {},
): Promise<TracedScript> {
  const { traceScript } = await import('../../distributed/index.ts');
  const printed: string[] = [];
  const output: OutputStream = {
    write: text => printed.push(text) > 0,
    once: () => undefined,
  };
  const after = progressAfterMs === undefined ? {} : { afterMs: progressAfterMs };
  using progress = new TaskProgress({ stream: context.stderr, quiet, ...after });
  progress.update({ what: `tracing ${script} up to its training step without running it` });
  const { cwd, environment: variables, signal } = context;
  try {
    const limit = maxExecutions === undefined ? {} : { maxExecutions };
    return await traceScript(script, args, { cwd, variables, signal, output, ranks, ...limit });
  } catch (error) {
    progress.done();
    if (!mayFail && isTrenioError(error, 'SCRIPT_FAILED')) context.stderr.write(printed.join(''));
    throw error;
  }
}
