// `trenio checkpoints convert`.
import { resolve } from 'node:path';
import { TrenioError } from '../../base/errors.ts';
import { printableLine } from '../../base/printable.ts';
import { TaskProgress } from '../../base/task-progress.ts';
import { formatBytes } from '../../base/units.ts';
import { convertCheckpoint } from '../../distributed/checkpoints/convert.ts';
import { listCheckpoints } from '../../distributed/checkpoints/folder.ts';
import { type CheckpointFormat, checkpointFormat, isCheckpoint } from '../../distributed/checkpoints/tensor-files.ts';
import type { CliContext } from '../command/command.ts';
import type { ConvertInput } from './checkpoints-options.ts';

const formats = ['hugging-face', 'torch', 'torch-file', 'trenio'] as const satisfies readonly CheckpointFormat[];

export async function convertOne(
  { positionals: [from, into], options }: ConvertInput,
  { stdout, stderr, cwd, signal }: CliContext,
): Promise<number> {
  const maxShardBytes = sizeOf(options['max-shard-size']);
  const given = formats.find(format => format === options.to);
  if (options.to !== undefined && given === undefined) throw badArgument('--to', `'${options.to}'`, formats.join(', '));
  const source = await sourceOf(resolve(cwd, from!));
  const to = given ?? ((await checkpointFormat(source)) === 'trenio' ? 'hugging-face' : 'trenio');
  using progress = new TaskProgress({ stream: stderr, quiet: options.json });
  const converted = await convertCheckpoint({
    source,
    target: resolve(cwd, into!),
    to,
    part: options.part,
    config: options.config === undefined ? undefined : resolve(cwd, options.config),
    maxShardBytes,
    signal,
    onProgress: (done, total) => progress.update({ what: `converting ${from}`, done, total, unit: 'bytes' }),
  });
  progress.done();
  const { target, tensors, bytes, hasOptimizer, files, leftOut } = converted;
  const others = files.length === 0 ? '' : `, with ${files.join(', ')}`;
  const many = (n: number): string => `${n} tensor${n === 1 ? '' : 's'}`;
  const rest = leftOut === 0 ? '' : `; ${many(leftOut)} of other parts left out`;
  stdout.write(
    options.json
      ? `${JSON.stringify(converted)}\n`
      : `${printableLine(`${many(tensors)} (${formatBytes(bytes)})${hasOptimizer ? ' and the optimizer' : ''} from ${source} to ${target} (${to})${others}${rest}`)}\n`,
  );
  return 0;
}

/** A directory of tensors, or the last checkpoint in a folder of checkpoints. */
async function sourceOf(path: string): Promise<string> {
  if ((await checkpointFormat(path).catch(() => undefined)) === 'torch-file') return path;
  if (await isCheckpoint(path)) return path;
  return (await listCheckpoints(path)).at(-1)?.directory ?? path;
}

const units: Readonly<Record<string, number>> = { KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };
function sizeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, number, unit] = /^(\d{1,6})([KMGT]B)$/.exec(text) ?? [];
  if (number === undefined || unit === undefined || Number(number) === 0)
    throw badArgument('--max-shard-size', `'${text}'`, 'a number and KB, MB, GB or TB, such as 5GB');
  return Number(number) * units[unit]!;
}
const badArgument = (argument: string, got: string, expected: string): TrenioError =>
  new TrenioError('BAD_ARGUMENT', { command: 'checkpoints convert', argument, got, expected });
