// Plays the step of a program in stages: each rank runs its parts in order, and waits before one for what others send.
//
//   rank 0  ▐F0 0▌▐send▌▐F0 1▌▐send▌        ▐B0 0▌…   ▐round 0▌
//   rank 1            ▐F1 0▌▐B1 0▌▐send▌▐F1 1▌…       ▐round 0▌
import { invariant } from '../../base/errors.ts';
import type { ProgramStages, StageSend } from '../workload.ts';
import type { Task, Timeline } from './timeline.ts';

/** `secondsOf`: the time of a part of a rank; `sendSeconds`: while a rank sends, it computes nothing. */
export function playStages(
  { ranks, sends }: ProgramStages,
  secondsOf: (rank: number, part: string) => number,
  sendSeconds: (send: StageSend) => number,
): Timeline {
  const tasks: Task[] = [];
  const clocks = ranks.map(() => 0);
  const next = ranks.map(() => 0);
  const arrivals = new Map<string, number>();
  const keyOf = (send: StageSend, microBatch: number | undefined): string => `${sends.indexOf(send)} ${microBatch}`;
  const task = (rank: number, name: string, phase: Task['phase'], seconds: number): void => {
    const start = clocks[rank]!;
    clocks[rank] = start + seconds;
    if (seconds > 0) tasks.push({ lane: rank, name, phase, start, end: start + seconds });
  };
  /** Runs the next part of a rank; false if what it needs has not been sent, or there is none. */
  const advance = (rank: number): boolean => {
    const { order, parts } = ranks[rank]!;
    const entry = order[next[rank]!];
    if (entry === undefined) return false;
    const { part, microBatch } = entry;
    const awaited = sends
      .filter(({ to, before }) => to === rank && before === part)
      .map(send => arrivals.get(keyOf(send, microBatch)));
    if (awaited.includes(undefined)) return false;
    clocks[rank] = Math.max(clocks[rank]!, ...(awaited as number[]));
    const name = microBatch === undefined ? part : `${part} ${microBatch}`;
    task(rank, name, parts[part]?.phase ?? 'overhead', secondsOf(rank, part));
    for (const send of sends) {
      if (send.from !== rank || send.after !== part) continue;
      task(rank, `send to rank ${send.to}`, 'pipeline send/recv', sendSeconds(send));
      arrivals.set(keyOf(send, microBatch), clocks[rank]!);
    }
    next[rank]!++;
    return true;
  };
  const everyRank = ranks.map((_, rank) => rank);
  while (everyRank.some(advance));
  invariant(
    everyRank.every(rank => next[rank] === ranks[rank]!.order.length),
    'ranks of a pipeline wait for each other forever',
  );
  return {
    seconds: Math.max(...clocks),
    lanes: everyRank.map(rank => ({ group: `rank ${rank} of the pipeline`, name: 'compute', kind: 'compute' })),
    tasks,
  };
}
