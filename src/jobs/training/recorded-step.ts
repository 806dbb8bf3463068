// The training step that a job has recorded as work, with the layout of its ranks. Its files are data of the job: if anything is
// wrong with them, there is no prediction.
import { z } from 'zod';
import { TrenioError } from '../../base/errors.ts';
import { parseLayout } from '../../base/layout-text.ts';
import type { Module } from '../../hlo/program.ts';
import { meshSizesFor } from '../../hlo/sharding/device-mesh.ts';
import { parseModule } from '../../hlo/text/parser.ts';
import { verify } from '../../hlo/verifier.ts';
import type { RecordedStages } from '../../runtime/profiling/program-record.ts';
import { type AssumedProgram, recordedProgram, recordedStages } from '../../simulator/program/index.ts';
import { runSchedule } from '../../transforms/pipeline/run-schedule.ts';
import { stagesOfStored } from '../../transforms/pipeline/staged-program.ts';
import type { StepRecord } from './job-measurement.ts';

/** Ranks, stages, micro-batches; each has a few list entries. */
const count = z.number().int().min(0).max(10_000);
const number = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const type = z.object({ kind: z.literal('tensor'), elementType: z.string(), shape: z.array(number) });
const transfer = z.object({
  ...{ channel: number, from: count, to: count },
  values: z.array(z.object({ id: number, type, argument: number.optional() })),
});
const input = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('argument'), index: number }),
  z.object({ kind: z.literal('value'), of: z.enum(['micro-batch', 'step']), id: number }),
  z.object({ kind: z.literal('collected'), id: number, microBatch: count }),
  z.object({ kind: z.literal('first device') }),
]);
const output = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('value'), of: z.enum(['micro-batch', 'step']), id: number }),
  z.object({ kind: z.literal('result'), index: number }),
]);
const program = z.object({ module: z.string(), inputs: z.array(input), outputs: z.array(output) });
const part = z.object({ program: program.optional(), receives: z.array(transfer), sends: z.array(transfer) });
const settings = z.object({ schedule: z.string(), stages: count, microBatches: count, rankOfStage: z.array(count) });
const rank = z.object({
  ...{
    settings: settings.optional(),
    before: part,
    tasks: z.array(z.tuple([z.string(), part])),
    beforeRounds: part,
    rounds: z.array(part),
  },
  accumulators: z.array(z.object({ id: number, type, by: z.enum(['add', 'maximum', 'minimum']) })),
  results: z.array(z.union([count, z.literal('all')])),
});
const action = z.object({ kind: z.enum(['F', 'B', 'I', 'W']), stage: count, microBatch: count });
const recordSchema = z.object({
  modules: z.record(z.string(), z.string()),
  stages: z.object({
    ...{ actions: z.array(z.array(action)), ranks: z.array(rank).min(1) },
    ...{ ranksAt: z.array(z.array(count)), homes: z.array(count.nullable()) },
  }),
});

const unreadable = (what: string): TrenioError =>
  new TrenioError('LAYOUT_IMPOSSIBLE', {
    problem: `the ${what} that the job left cannot be read`,
    instead: 'run it again',
  });

/** @throws {LAYOUT_IMPOSSIBLE} for stages that cannot be read; and the errors of reading a program */
export function workOf(
  { program: text, stages }: StepRecord & { readonly program: string },
  name: string,
  ranks: number,
  layout = `data=${ranks}`,
): AssumedProgram {
  const module = verified(text);
  const sizes = parseLayout(layout);
  const copies = sizes === undefined ? ranks : (meshSizesFor(sizes, ranks).data ?? 1);
  if (ranks === 1 || copies === ranks) return recordedProgram(module, { name });
  const division = { layout, devices: ranks, copies };
  if (stages === undefined) return recordedProgram(module, { name, division });
  const { modules, stages: stored } = recordOf(stages);
  const read = new Map(Object.entries(modules).map(([key, one]) => [key, verified(one)]));
  try {
    const staged = stagesOfStored(stored, key => read.get(key)!);
    // Ranks that wait for each other would never end.
    runSchedule(staged.actions, stored.ranks[0]?.settings?.stages ?? 0);
    return recordedStages(module, staged, { name, division });
  } catch (error) {
    // References from one part to another are not checked before.
    if (error instanceof TypeError) throw unreadable('stages');
    throw error;
  }
}
function verified(text: string): Module {
  const module = parseModule(text);
  verify(module);
  return module;
}
function recordOf(text: string): RecordedStages {
  try {
    return recordSchema.parse(JSON.parse(text)) as RecordedStages;
  } catch {
    throw unreadable('stages');
  }
}
