// Routes the output of a rank: to the console with its number before each line (if several ranks print), to files, or straight to
// this process's streams.
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

type RankOutput = { readonly stdout: PrefixedStream; readonly stderr: PrefixedStream };

/**
 * The outputs of the ranks of one attempt. Where all ranks are on this machine, lines of rank 0 have no prefix until another rank
 * has printed to the same stream: most scripts print on rank 0 only. Lines of other ranks always have one.
 */
export function rankOutputs(
  options: RankOutputOptions,
  place: AttemptPlace,
): (rank: number, logs: LogFiles) => RankOutput | undefined {
  const world = worldSize(place);
  /** The streams to which a rank other than 0 has printed. */
  const shared = new Set<OutputStream>();
  const prefixOf = (rank: number, stream: OutputStream): string => {
    if (rank > 0) shared.add(stream);
    const isPlain = world === 1 || (place.nodes.length === 1 && !shared.has(stream));
    return isPlain ? '' : labelOf(rank, stream, options.variables);
  };
  return (rank, logs) => {
    const isPlain = logs.stdout === undefined && logs.stderr === undefined && logs.onConsole;
    if (world === 1 && isPlain && !options.capture) return undefined;
    const output = (console: OutputStream, isShown: boolean, file: string | undefined): PrefixedStream => {
      const stream = isShown ? console : discard;
      return { stream, prefix: () => prefixOf(rank, stream), file };
    };
    return {
      stdout: output(options.stdout, logs.showStdout, logs.stdout),
      stderr: output(options.stderr, logs.showStderr, logs.stderr),
    };
  };
}

/** Colored on a terminal, plain in a file. */
function labelOf(rank: number, { isTTY }: OutputStream, variables: Variables): string {
  const plain = `[rank ${rank}] `;
  if (isTTY !== true || readVariable('NO_COLOR', variables) !== undefined) return plain;
  return `\u001b[${PREFIX_COLORS[rank % PREFIX_COLORS.length]!}m${plain}\u001b[0m`;
}

const discard: OutputStream = { write: () => true, once: () => undefined };
