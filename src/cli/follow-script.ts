// A script followed up to its training step, for a prediction of it. What it prints on the way is not shown: no program runs, so
// every loss in it would be 0. If it fails, what it printed is the reason.
import { isTrenioError } from '../base/errors.ts';
import type { OutputStream } from '../base/output-stream.ts';
import type { TracedScript } from '../parallel/index.ts';
import type { CliContext } from './command.ts';

const FIRST_NOTICE_MS = 2000;
const NEXT_NOTICE_MS = 10_000;

export interface FollowOptions {
  /** Whose notices they are: `trenio plan`. */
  readonly command: string;
  /** When to say that the script is still being followed. */
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
  const { traceScript } = await import('../parallel/index.ts');
  const printed: string[] = [];
  const output: OutputStream = {
    write: text => printed.push(text) > 0,
    once: () => undefined,
  };
  const started = performance.now();
  const notice = (): void => {
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    context.stderr.write(
      `${command}: following ${script} to its training step, ${seconds} s so far; none of its programs is run\n`,
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
