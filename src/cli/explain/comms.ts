// `trenio explain comms`: the collectives of a step, from a program or from a profile.
import { resolve } from 'node:path';
import { communicationRows, communicationTable, replicationText } from '../../tensor/step/explain-communication.ts';
import { communicationOf } from '../../transforms/partition/communication.ts';
import { inParts, partitionPasses } from '../../transforms/partition/index.ts';
import type { CliContext, CommandInput } from '../command/command.ts';
import { readProgram } from '../hlo/programs.ts';
import { isProgram } from '../plan/script.ts';
import { communicationOfProfile, type WhatIsSent } from '../profile/communication.ts';
import { readProfile } from '../profile/read-profile.ts';
import type { commsOptions } from './comms-options.ts';

export async function explainComms(
  { options: { json }, positionals: [path] }: CommandInput<typeof commsOptions>,
  { stdout, cwd }: CliContext,
): Promise<number> {
  const answer = isProgram(path!)
    ? await ofProgram(cwd, path!)
    : communicationOfProfile(readProfile(resolve(cwd, path!)));
  if (json) stdout.write(`${JSON.stringify(answer)}\n`);
  else if (answer.collectives.length === 0) stdout.write('Nothing is sent between ranks.\n');
  else stdout.write(`${[communicationTable(answer.collectives), ...answer.replicated].join('\n')}\n`);
  return 0;
}

/** A program without meshes has its collectives already. */
async function ofProgram(cwd: string, file: string): Promise<WhatIsSent> {
  const module = await readProgram(cwd, file);
  const hasShardings = (partitionPasses[0]!.run(module).meshes?.length ?? 0) > 0;
  if (!hasShardings) return { collectives: communicationRows(communicationOf(module)), replicated: [] };
  const { module: local, replicated } = inParts(module);
  return {
    collectives: communicationRows(communicationOf(local)),
    replicated: [...new Set(replicated.map(replicationText))],
  };
}
