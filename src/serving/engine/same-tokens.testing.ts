// Requests to engines of fake models, and what they are compared with: each request alone.
import fc from 'fast-check';
import { expect } from 'vitest';
import { campaignSeed } from '../../base/campaign.testing.ts';
import { FakeModel, type FakeOptions } from './fake-model.testing.ts';
import type { GenerationEvent, GenerationRequest } from './generation.ts';
import { PagedEngine, type PagedEngineOptions } from './paged-engine.ts';
import { defaultSampling, type SamplingParameters } from './sampling-parameters.ts';

let count = 0;
export type Asked = Omit<Partial<GenerationRequest>, 'sampling'> & { readonly sampling?: Partial<SamplingParameters> };
export const requestOf = ({ sampling, ...rest }: Asked = {}): GenerationRequest => ({
  id: `r${count++}`,
  prompt: [1, 2, 3],
  ...rest,
  sampling: { ...defaultSampling, ...sampling },
});
export interface Answer {
  readonly ids: number[];
  text: string;
  finish?: string | undefined;
  stopReason?: string | number | undefined;
}
export async function answersOf(events: AsyncIterable<GenerationEvent>): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for await (const { choice, tokens, text, finish, stopReason } of events) {
    answers[choice] ??= { ids: [], text: '' };
    const answer = answers[choice];
    answer.ids.push(...tokens.map(({ id }) => id));
    answer.text += text;
    if (finish !== undefined) Object.assign(answer, { finish, stopReason });
  }
  return answers;
}
export const decode = (ids: readonly number[]): string => ids.map(id => `<${id}>`).join('');
export const alone = (asked: Asked, model: FakeOptions = {}): Promise<readonly Answer[]> =>
  answersOf(new PagedEngine(new FakeModel(model), { speculation: false }).submit(requestOf(asked)));

/** A random load on random engines, with aborts, against each request alone. */
export function sameTokens(runs: number): Promise<void> {
  const request = fc.record({
    length: fc.integer({ min: 1, max: 40 }),
    start: fc.integer({ min: 0, max: 2 }),
    maxTokens: fc.integer({ min: 1, max: 30 }),
    n: fc.integer({ min: 1, max: 3 }),
    temperature: fc.constantFrom(0, 1),
    presencePenalty: fc.constantFrom(0, 1.5),
    minTokens: fc.integer({ min: 0, max: 3 }),
    badWords: fc.constantFrom([], [[1, 2], [3]]),
    allowedIds: fc.constantFrom(undefined, undefined, [1, 2, 3, 4, 5, 6]),
    seed: fc.bigInt({ min: 0n, max: 3n }),
    priority: fc.integer({ min: 0, max: 2 }),
    salt: fc.constantFrom('', 'a'),
    wait: fc.integer({ min: 0, max: 20 }),
    abort: fc.option(fc.integer({ min: 0, max: 10 }), { freq: 5 }),
  });
  const run = fc.record({
    model: fc.record({
      blocks: fc.integer({ min: 20, max: 80 }),
      blockSize: fc.constantFrom(4, 5),
      mostTokens: fc.integer({ min: 4, max: 64 }),
      mostSequences: fc.integer({ min: 1, max: 16 }),
      period: fc.constantFrom(0, 3, 7),
      vocabulary: fc.constantFrom(8, 50),
    }),
    engine: fc.record({
      prefixCache: fc.boolean(),
      speculation: fc.boolean(),
      agingMs: fc.constantFrom(1, 10_000),
      promptTokensBesideStreams: fc.constantFrom(undefined, 3),
    }),
    requests: fc.array(request, { minLength: 1, maxLength: 12 }),
  });
  return fc.assert(
    fc.asyncProperty(run, async ({ model, engine: options, requests }) => {
      const engine = new PagedEngine(new FakeModel(model), options as PagedEngineOptions);
      await Promise.all(
        requests.map(async ({ length, start, wait, abort, priority, salt, minTokens, ...rest }) => {
          const prompt = Array.from({ length }, (_, i) => (start + i) % 7);
          const sampling = { ...rest, endIds: [0], minTokens: Math.min(minTokens, rest.maxTokens) };
          for (let i = 0; i < wait; i++) await new Promise(setImmediate);
          const generation = engine.submit(requestOf({ prompt, sampling, priority, salt }));
          if (abort !== null) {
            for (let i = 0; i < abort; i++) await new Promise(setImmediate);
            generation.abort('test');
            await answersOf(generation).catch(() => {});
            return;
          }
          const answers = await answersOf(generation);
          const expected = await alone(
            { prompt, sampling },
            { ...model, blocks: 256, mostTokens: 64, mostSequences: 3 },
          );
          expect(answers).toEqual(expected);
        }),
      );
      await engine.whenIdle();
      expect([engine.runningSequences, engine.waitingSequences, engine.usedBlocks]).toEqual([0, 0, 0]);
    }),
    { numRuns: runs, seed: campaignSeed },
  );
}
