import { expect, it } from 'vitest';
import { chromeTrace } from './chrome-trace.ts';
import { simulateStep } from './simulate-step.ts';
import { idleChunk } from './step.ts';

it('writes processes, threads and complete events in microseconds', () => {
  const timeline = simulateStep({
    stages: 11,
    interleave: 1,
    microBatches: 2,
    chunks: Array.from({ length: 11 }, () => ({
      ...idleChunk,
      forward: 1e-3,
      backward: 2e-3,
      gradientBuckets: [5e-4],
    })),
    sendActivations: 1e-5,
    sendGradients: 1e-5,
    overlapSends: true,
    overlapGradients: true,
    overlapGather: false,
    optimizer: new Array<number>(11).fill(1e-4),
    waitForAll: true,
    overhead: 1e-3,
  });
  const trace = JSON.parse(chromeTrace(timeline)) as {
    readonly traceEvents: readonly {
      readonly ph: string;
      readonly name: string;
      readonly pid: number;
      readonly tid: number;
      readonly ts?: number;
      readonly dur?: number;
      readonly cat?: string;
      readonly args?: { readonly name?: string };
    }[];
  };
  const { traceEvents } = trace;
  const processes = traceEvents.filter(e => e.name === 'process_name').map(e => e.args?.name);
  expect(processes).toEqual(['host', ...Array.from({ length: 11 }, (_, s) => `stage ${s}`)]);
  const threads = traceEvents.filter(e => e.name === 'thread_name');
  expect(threads).toHaveLength(timeline.lanes.length);
  // Every event belongs to a thread that has a name, in the process of that thread.
  const named = new Set(threads.map(e => `${e.pid}.${e.tid}`));
  const complete = traceEvents.filter(e => e.ph === 'X');
  expect(complete).toHaveLength(timeline.tasks.length);
  for (const event of complete) expect(named).toContain(`${event.pid}.${event.tid}`);
  const first = complete.find(e => e.name === 'forward 1' && e.ts === 1000);
  expect(first).toMatchObject({ dur: 1000, cat: 'forward', pid: processes.indexOf('stage 0') + 1 });
});
