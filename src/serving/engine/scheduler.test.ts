// The scheduler in a simulation: each step takes 10 ms and 1 ms for each token; chosen tokens are counted up.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type PlannedPart, Scheduler, type SchedulerOptions } from './scheduler.ts';
import { Sequence, type SequenceOptions } from './sequence.ts';

const usual = { blocks: 64, blockSize: 4, mostSequences: 8, mostTokens: 32 };

class Simulation {
  readonly scheduler: Scheduler;
  nowMs = 0;
  /** When each token was chosen. */
  readonly times = new Map<Sequence, number[]>();
  constructor(options: Partial<SchedulerOptions> = {}) {
    this.scheduler = new Scheduler({ ...usual, ...options });
  }
  add(options: Partial<SequenceOptions> & { readonly length?: number } = {}): Sequence {
    const { length = 4 } = options;
    const first = this.times.size * 1000;
    const prompt = Array.from({ length }, (_, i) => first + i);
    const sequence = new Sequence({ prompt, maxNewTokens: 4, ...options }, this.nowMs);
    this.scheduler.add(sequence);
    this.times.set(sequence, []);
    return sequence;
  }
  step(): readonly PlannedPart[] {
    const { parts } = this.scheduler.plan(this.nowMs);
    this.nowMs += 10 + parts.reduce((sum, { count, drafts }) => sum + count + drafts.length, 0);
    for (const part of parts) {
      const { sequence, isLast, drafts } = part;
      this.scheduler.advance(part, isLast ? [...drafts, sequence.tokens.length] : []);
      if (isLast) this.times.get(sequence)!.push(this.nowMs);
      if (sequence.generated >= sequence.maxNewTokens) this.scheduler.finish(sequence);
    }
    return parts;
  }
  run(most = 10_000): void {
    for (let i = 0; i < most && this.scheduler.running.size + this.scheduler.waiting.size > 0; i++) this.step();
  }
}
const counts = (parts: readonly PlannedPart[]): readonly number[] => parts.map(({ count }) => count);

test('a prompt is computed in parts, next to streams', () => {
  const simulation = new Simulation();
  simulation.add();
  expect(counts(simulation.step())).toEqual([4]);
  const long = simulation.add({ length: 70 });
  expect(counts(simulation.step())).toEqual([1, 31]);
  expect(counts(simulation.step())).toEqual([1, 31]);
  expect(long.computed).toBe(62);
  expect(counts(simulation.step())).toEqual([1, 8]);
  expect(long.generated).toBe(1);
});

test('streams are not delayed by a long prompt, and more streams than a step has room for leave some to a prompt', () => {
  const simulation = new Simulation({ blocks: 4096, mostTokens: 64 });
  simulation.scheduler.promptRoom = 10;
  const streams = Array.from({ length: 4 }, () => simulation.add({ maxNewTokens: 100 }));
  simulation.step();
  simulation.step();
  const long = simulation.add({ length: 2000, maxNewTokens: 1 });
  simulation.run();
  const gaps = streams.flatMap(stream =>
    simulation.times
      .get(stream)!
      .slice(1)
      .map((at, i) => at - simulation.times.get(stream)![i]!),
  );
  expect(Math.max(...gaps.slice(2))).toBeLessThanOrEqual(24);
  expect(long.state).toBe('finished');

  const crowded = new Simulation({ mostSequences: 40, mostTokens: 8, blocks: 4096 });
  for (let i = 0; i < 30; i++) crowded.add({ maxNewTokens: 200 });
  for (let i = 0; i < 80; i++) crowded.step();
  const prompt = crowded.add({ length: 20 });
  for (let i = 0; i < 15; i++) crowded.step();
  expect(prompt.generated).toBeGreaterThan(0);
});

test('lower priorities are first, and age improves them', () => {
  const simulation = new Simulation({ mostSequences: 1, agingMs: 300 });
  const late = simulation.add({ priority: 1 });
  for (let i = 0; i < 40; i++) {
    simulation.add({ priority: 0 });
    simulation.step();
  }
  expect(late.state).toBe('finished');
  expect(simulation.times.get(late)![0]).toBeGreaterThan(300);
});

test('tenants get equal shares', () => {
  const simulation = new Simulation({ mostSequences: 1 });
  for (let i = 0; i < 10; i++) simulation.add({ tenant: 'many' });
  simulation.step();
  const few = simulation.add({ tenant: 'few' });
  for (let i = 0; i < 8; i++) simulation.step();
  expect(few.state).toBe('finished');
});

test('a beginning that another sequence computes is awaited, and found', () => {
  const simulation = new Simulation();
  const prompt = Array.from({ length: 22 }, (_, i) => i);
  const [a, b, other] = [{ prompt }, { prompt }, { prompt, salt: 'x' }].map(options => simulation.add(options)) as [
    Sequence,
    Sequence,
    Sequence,
  ];
  expect(simulation.step().map(({ sequence }) => sequence)).toEqual([a, other]);
  simulation.step();
  expect(b).toMatchObject({ cachedTokens: 20, computed: 22 });
  expect(b.blocks.slice(0, 5)).toEqual(a.blocks.slice(0, 5));
  expect(other.cachedTokens).toBe(0);
  simulation.run();
  const again = simulation.add({ prompt });
  simulation.step();
  expect(again.cachedTokens).toBe(20);
});

test('without blocks, the worst sequence starts again later', () => {
  const simulation = new Simulation({ blocks: 6, mostSequences: 3 });
  const [good, bad] = [simulation.add({ maxNewTokens: 16 }), simulation.add({ maxNewTokens: 16, priority: 1 })];
  simulation.run();
  expect(good.preemptions).toBe(0);
  expect(bad).toMatchObject({ preemptions: 1, generated: 16 });
  expect(simulation.scheduler.blocks.pool.free).toBe(6);
});

test('blocks are conserved, used by one sequence unless full and equal, and every sequence ends', () => {
  const request = fc.record({
    length: fc.integer({ min: 1, max: 40 }),
    alphabet: fc.integer({ min: 1, max: 3 }),
    maxNewTokens: fc.integer({ min: 1, max: 20 }),
    priority: fc.integer({ min: 0, max: 3 }),
    tenant: fc.constantFrom('a', 'b'),
    step: fc.integer({ min: 0, max: 60 }),
    abortedAfter: fc.integer({ min: 0, max: 200 }),
  });
  const run = fc.record({
    blocks: fc.integer({ min: 15, max: 60 }),
    mostTokens: fc.integer({ min: 4, max: 40 }),
    mostSequences: fc.integer({ min: 1, max: 12 }),
    drafts: fc.integer({ min: 0, max: 3 }),
    requests: fc.array(request, { maxLength: 25 }),
  });
  fc.assert(
    fc.property(run, ({ drafts, requests, ...options }) => {
      const propose = ({ tokens }: Sequence, most: number): readonly number[] =>
        Array.from({ length: Math.min(drafts, most) }, (_, i) => tokens.length + i);
      const simulation = new Simulation({ ...options, propose, agingMs: 500 });
      const { scheduler } = simulation;
      const aborts = new Map<Sequence, number>();
      for (let step = 0; step < 3000; step++) {
        for (const { length, alphabet, abortedAfter, step: at, ...rest } of requests)
          if (at === step) {
            const prompt = Array.from({ length }, (_, i) => i % alphabet);
            aborts.set(simulation.add({ ...rest, prompt }), step + abortedAfter);
          }
        for (const [sequence, at] of aborts) if (at === step && step % 3 === 0) scheduler.finish(sequence);
        const parts = simulation.step();
        expect(parts.reduce((sum, part) => sum + part.count + part.drafts.length, 0)).toBeLessThanOrEqual(
          options.mostTokens,
        );
        expect(scheduler.running.size).toBeLessThanOrEqual(options.mostSequences);
        checkBlocks(scheduler, options.blocks);
        if (step > 60 && scheduler.running.size + scheduler.waiting.size === 0) break;
      }
      expect([...simulation.times.keys()].filter(({ state }) => state !== 'finished')).toEqual([]);
      expect(scheduler.blocks.pool.free).toBe(options.blocks);
      expect(scheduler.waitingTokens).toBe(0);
    }),
    { numRuns: 150 },
  );
});

function checkBlocks({ running, waiting, blocks }: Scheduler, size: number): void {
  const contents = new Map<number, string>();
  for (const sequence of running)
    for (const [i, block] of sequence.blocks.entries()) {
      const tokens = sequence.tokens.slice(0, Math.min((i + 1) * 4, sequence.computed)).join();
      const isFull = (i + 1) * 4 <= sequence.computed;
      if (contents.has(block)) expect({ isFull, tokens }).toEqual({ isFull: true, tokens: contents.get(block) });
      contents.set(block, isFull ? tokens : 'own');
    }
  for (const { blocks: none } of waiting) expect(none).toEqual([]);
  expect(contents.size + blocks.pool.free).toBe(size);
}
