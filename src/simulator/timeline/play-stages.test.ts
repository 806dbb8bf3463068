// A played step against the same schedule on paper.
import { expect, test } from 'vitest';
import { runSchedule } from '../../transforms/pipeline/run-schedule.ts';
import { type ActionKind, actionsOf, scheduleNames, schedules } from '../../transforms/pipeline/schedules.ts';
import type { ProgramStages, StagePart, StageSend } from '../workload.ts';
import { playStages } from './play-stages.ts';

const times: Readonly<Record<ActionKind, number>> = { F: 1, B: 2, I: 1, W: 1 };
const ranks = 4;
const microBatches = 8;
const nothing: StagePart = { work: [], collectives: [], phase: 'forward' };

/** A chain of stages: activations go to the next, gradients to the one before. */
function stagesOf(name: (typeof scheduleNames)[number]): ProgramStages {
  const { stagesPerRank, rankOf, splitsBackward } = schedules[name];
  const stages = ranks * stagesPerRank;
  const back = splitsBackward ? 'I' : 'B';
  const sends = Array.from({ length: stages - 1 }, (_, s) => [
    [`F${s}`, `F${s + 1}`, s, s + 1] as const,
    [`${back}${s + 1}`, `${back}${s}`, s + 1, s] as const,
  ]).flatMap(pair =>
    pair.flatMap(([after, before, a, b]): readonly StageSend[] => {
      const [from, to] = [rankOf(a, ranks), rankOf(b, ranks)];
      return from === to ? [] : [{ after, before, from, to, bytes: 4, pairs: [[from, to]] }];
    }),
  );
  return {
    sends,
    ranks: actionsOf(name, { ranks, stages, microBatches }).map(list => ({
      order: list.map(({ kind, stage, microBatch }) => ({ part: `${kind}${stage}`, microBatch })),
      parts: Object.fromEntries(list.map(({ kind, stage }) => [`${kind}${stage}`, nothing])),
      memory: {},
    })),
  };
}

test.each(scheduleNames)('%s takes as long as on paper, and sends make it longer', name => {
  const stages = stagesOf(name);
  const seconds = (_: number, part: string): number => times[part[0] as ActionKind];
  const { time } = runSchedule(
    actionsOf(name, { ranks, stages: ranks * schedules[name].stagesPerRank, microBatches }),
    ranks * schedules[name].stagesPerRank,
  );
  const played = playStages(stages, seconds, () => 0);
  expect(played.seconds).toBe(time);
  expect(played.tasks.filter(({ lane }) => lane === 1).map(task => task.name)).toEqual(
    stages.ranks[1]!.order.map(({ part, microBatch }) => `${part} ${microBatch}`),
  );
  const sending = playStages(stages, seconds, () => 0.25);
  expect(sending.seconds).toBeGreaterThan(time);
  for (const lane of [0, 1, 2, 3]) {
    const own = sending.tasks.filter(task => task.lane === lane);
    for (const [i, task] of own.entries()) expect(task.start).toBeGreaterThanOrEqual(own[i - 1]?.end ?? 0);
  }
});
