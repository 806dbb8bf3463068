// Traces a script up to its training step, to predict that step. The script's output is hidden, because no program runs and
// every loss would be 0. It is shown if the script fails.
import { isTrenioError } from '../base/errors.ts';
import type { OutputStream } from '../base/output-stream.ts';
import type { TracedScript } from '../distributed/index.ts';
import type { CliContext } from './command.ts';

const FIRST_NOTICE_MS = 2000;
const NEXT_NOTICE_MS = 10_000;

export interface FollowOptions {
  /** The command named in notices: `trenio plan`. */
  readonly command: string;
  /** The time after which the first notice is printed. */
  readonly firstNoticeMs?: number;
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
  { command, firstNoticeMs = FIRST_NOTICE_MS }: FollowOptions,
): Promise<TracedScript> {
  const { traceScript } = await import('../distributed/index.ts');
  const printed: string[] = [];
  const output: OutputStream = {
    write: text => printed.push(text) > 0,
    once: () => undefined,
  };
  const started = performance.now();
  const notice = (): void => {
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    context.stderr.write(
      `${command}: tracing ${script} up to its training step without running it, ${seconds} s so far\n`,
    );
    timer = setTimeout(notice, NEXT_NOTICE_MS);
  };
  let timer = setTimeout(notice, firstNoticeMs);
  const { cwd, environment: variables, signal } = context;
  try {
    return await traceScript(script, args, { cwd, variables, signal, output });
  } catch (error) {
    if (isTrenioError(error, 'SCRIPT_FAILED')) context.stderr.write(printed.join(''));
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
