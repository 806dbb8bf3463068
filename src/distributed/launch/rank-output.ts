// Routes the output of a rank: to the console with its number before each line, to files, or straight to this process's
// streams.
import { readVariable, type Variables } from '../../base/environment.ts';
import type { OutputStream } from '../../base/output-stream.ts';
import { type AttemptPlace, worldSize } from './attempt-place.ts';
import type { LogFiles } from './rank-logs.ts';
import type { PrefixedStream } from './rank-process.ts';

/** The streams of the launcher, and how they are used. */
export interface RankOutputOptions {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly variables: Variables;
  /** A single rank's output goes through `stdout` and `stderr` too, instead of straight to this process's own streams. */
  readonly capture: boolean;
}

const PREFIX_COLORS = [36, 33, 35, 32, 34, 31];

export function outputOf(
  options: RankOutputOptions,
  place: AttemptPlace,
  rank: number,
  logs: LogFiles,
): { readonly stdout: PrefixedStream; readonly stderr: PrefixedStream } | undefined {
  const isPlain = logs.stdout === undefined && logs.stderr === undefined && logs.onConsole;
  if (worldSize(place) === 1 && isPlain && !options.capture) return undefined;
  return {
    stdout: prefixed(options.stdout, rank, options, worldSize(place), logs.showStdout, logs.stdout),
    stderr: prefixed(options.stderr, rank, options, worldSize(place), logs.showStderr, logs.stderr),
  };
}

/** The prefix is colored on a terminal, plain in a file. */
function prefixed(
  console: OutputStream,
  rank: number,
  { variables }: RankOutputOptions,
  world: number,
  isShown: boolean,
  file: string | undefined,
): PrefixedStream {
  const stream = isShown ? console : discard;
  if (world === 1) return { stream, prefix: '', file };
  const plain = `[rank ${rank}] `;
  if (stream.isTTY !== true || readVariable('NO_COLOR', variables) !== undefined)
    return { stream, prefix: plain, file };
  return { stream, prefix: `\u001b[${PREFIX_COLORS[rank % PREFIX_COLORS.length]!}m${plain}\u001b[0m`, file };
}

const discard: OutputStream = { write: () => true, once: () => undefined };
