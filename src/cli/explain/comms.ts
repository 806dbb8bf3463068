// `trenio explain comms`: the collectives of a step, from a program or from a profile.
import { resolve } from 'node:path';
import type { Timeline } from '../../runtime/profiling/timeline.ts';
import {
  communicationRows,
  communicationTable,
  type Row,
  replicationText,
} from '../../tensor/step/explain-communication.ts';
import { communicationOf } from '../../transforms/partition/communication.ts';
import { inParts, partitionPasses } from '../../transforms/partition/index.ts';
import type { CliContext, CommandInput } from '../command/command.ts';
import { readProgram } from '../hlo/programs.ts';
import { isProgram } from '../plan/script.ts';
import { readProfile } from '../profile/read-profile.ts';
import type { commsOptions } from './comms-options.ts';

interface Answer {
  readonly collectives: readonly Row[];
  /** Sentences on operands that are gathered, with the constraint that avoids it. */
  readonly replicated: readonly string[];
}

export async function explainComms(
  { options: { json }, positionals: [path] }: CommandInput<typeof commsOptions>,
  { stdout, cwd }: CliContext,
): Promise<number> {
  const answer = isProgram(path!) ? await ofProgram(cwd, path!) : ofProfile(readProfile(resolve(cwd, path!)));
  if (json) stdout.write(`${JSON.stringify(answer)}\n`);
  else if (answer.collectives.length === 0) stdout.write('Nothing is sent between ranks.\n');
  else stdout.write(`${[communicationTable(answer.collectives), ...answer.replicated].join('\n')}\n`);
  return 0;
}

/** A program without meshes has its collectives already. */
async function ofProgram(cwd: string, file: string): Promise<Answer> {
  const module = await readProgram(cwd, file);
  const hasShardings = (partitionPasses[0]!.run(module).meshes?.length ?? 0) > 0;
  if (!hasShardings) return { collectives: communicationRows(communicationOf(module)), replicated: [] };
  const { module: local, replicated } = inParts(module);
  return {
    collectives: communicationRows(communicationOf(local)),
    replicated: [...new Set(replicated.map(replicationText))],
  };
}

/** In a step of the first rank, on average: kernels that communicate, with the time that nothing else runs. */
function ofProfile([timeline]: readonly Timeline[]): Answer {
  const { programs, kernels, loop, worldSize } = timeline!;
  const steps = Math.max(1, loop.length);
  const rows = new Map<string, Row & { exposedMs: number }>();
  for (const [, ns, program, index] of kernels) {
    const kernel = programs[program]!.kernels[index]!;
    if (kernel.kind !== 'collective') continue;
    const at = kernel.line.split('/').at(-1)!;
    const key = `${at} ${kernel.ops}`;
    const row = rows.get(key) ?? { at, kind: kernel.ops, devices: worldSize, count: 0, bytes: 0, exposedMs: 0 };
    const { count, bytes, exposedMs } = row;
    rows.set(key, {
      ...row,
      count: count + 1 / steps,
      bytes: bytes + kernel.bytes / steps,
      exposedMs: exposedMs + ns / 1e6 / steps,
    });
  }
  return { collectives: [...rows.values()].sort((a, b) => b.exposedMs - a.exposedMs), replicated: [] };
}
