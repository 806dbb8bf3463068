import { expect, test } from 'vitest';
import { FakeModel } from './fake-model.testing.ts';
import type { Generation } from './generation.ts';
import { PagedEngine, type StepRecord } from './paged-engine.ts';
import { type Answer, type Asked, alone, answersOf, decode, requestOf, sameTokens } from './same-tokens.testing.ts';
import type { SamplingParameters } from './sampling-parameters.ts';
import type { Chosen, StepPart } from './step-model.ts';

test('tokens, text and why it ended', async () => {
  const [{ ids }] = (await alone({ sampling: { maxTokens: 8 } })) as [Answer];
  const all = decode(ids);
  const ended = async (sampling: Partial<SamplingParameters>): Promise<Answer> =>
    (await alone({ decode, sampling: { maxTokens: 8, ...sampling } }))[0]!;
  expect(await ended({})).toEqual({ ids, text: all, finish: 'length', stopReason: undefined });
  const upTo = (n: number): number[] => ids.slice(0, n);
  expect(await ended({ endIds: [ids[3]!] })).toMatchObject({
    ids: upTo(4),
    text: decode(upTo(3)),
    finish: 'stop',
    stopReason: undefined,
  });
  expect(await ended({ stopIds: [ids[3]!] })).toMatchObject({ ids: upTo(4), finish: 'stop', stopReason: ids[3] });
  const stop = all.slice(all.indexOf('>') - 1, all.indexOf('>') + 3);
  expect(await ended({ stop: [stop] })).toMatchObject({
    ids: upTo(2),
    text: all.slice(0, all.indexOf(stop)),
    stopReason: stop,
  });
  const late = await ended({ stop: ['>'], minTokens: 3, includeStop: true });
  expect(late).toMatchObject({ ids: upTo(4), text: decode(upTo(4)) });
});

test('the sequences of a request share the blocks of its prompt', async () => {
  const model = new FakeModel();
  const engine = new PagedEngine(model);
  const prompt = Array.from({ length: 41 }, (_, i) => i);
  const answers = await answersOf(engine.submit(requestOf({ prompt, sampling: { n: 4, maxTokens: 5 } })));
  expect(new Set(answers.map(({ ids }) => ids.join())).size).toBe(4);
  expect(model.computed).toBe(41 + 3 * 1 + 4 * 4);
  expect(engine.usedBlocks).toBe(0);
});

test('aborted requests end with the current step, in any way of aborting', async () => {
  let clock = 0;
  const engine = new PagedEngine(new FakeModel(), { now: () => clock++ });
  const long = (asked: Asked = {}): Generation => engine.submit(requestOf({ ...asked, sampling: { maxTokens: 400 } }));
  const canceled = long({ id: 'c' });
  const late = long({ deadlineMs: 20 });
  const left = long();
  for await (const _ of left) break;
  expect([engine.cancel('c'), engine.cancel('c'), engine.cancel('none')]).toEqual([true, false, false]);
  await expect(answersOf(canceled)).rejects.toMatchObject({
    code: 'GENERATION_STOPPED',
    data: { reason: 'by its client' },
  });
  await expect(answersOf(late)).rejects.toMatchObject({ data: { reason: 'its time is over' } });
  await engine.whenIdle();
  expect([engine.runningSequences, engine.waitingSequences, engine.usedBlocks]).toEqual([0, 0, 0]);
  expect(engine.metrics.finished.abort).toBe(3);
  const unread = new PagedEngine(new FakeModel({ positions: 5000, blocks: 1250, period: 1 }), { speculation: false });
  const slow = unread.submit(requestOf({ sampling: { n: 16, maxTokens: 400 } }));
  await unread.whenIdle();
  await expect(answersOf(slow)).rejects.toMatchObject({ data: { reason: 'its reader is too slow' } });
});

test('a request whose step fails ends alone', async () => {
  const model = { poison: 49, vocabulary: 49 };
  const engine = new PagedEngine(new FakeModel(model));
  // Ids of prompts are checked against the vocabulary, so the model is the one that knows less.
  Object.assign(engine, { vocabulary: 50 });
  const good = Array.from({ length: 7 }, (_, i) => ({ prompt: [i, i + 1], sampling: { maxTokens: 12 } }));
  const answers = good.map(asked => answersOf(engine.submit(requestOf(asked))));
  const bad = answersOf(engine.submit(requestOf({ prompt: [3, 49, 3] })));
  await expect(bad).rejects.toMatchObject({ code: 'GENERATION_FAILED', data: { problem: 'poisoned' } });
  for (const [i, answer] of answers.entries()) expect(await answer).toEqual(await alone(good[i]!, model));
  expect(engine.metrics.failedSteps).toBe(1);
  const textless = engine.submit(
    requestOf({
      decode: ids => {
        if (ids.length > 1) throw new Error('no text');
        return '';
      },
      prompt: [1],
    }),
  );
  await expect(answersOf(textless)).rejects.toThrow('no text');
});

test('requests that do not fit are refused', async () => {
  const engine = new PagedEngine(new FakeModel({ blocks: 25 }), { name: 'm', mostWaiting: 3 });
  const submit = (asked: Asked): Generation => engine.submit(requestOf(asked));
  expect(() => submit({ prompt: [] })).toThrow('prompt is empty');
  expect(() => submit({ prompt: [50] })).toThrow('at least one id from 0 to 49');
  expect(() => submit({ sampling: { maxTokens: 98 } })).toThrow(
    'the maximum context length is 100 tokens, but 101 are requested',
  );
  const three = submit({ sampling: { n: 3 } });
  expect(() => submit({})).toThrow('the endpoint m is overloaded: 3 sequences are waiting');
  const end = engine.drain(1000);
  expect(() => submit({})).toThrow('it is stopping');
  expect((await answersOf(three)).length).toBe(3);
  await end;
});

test('drafts save steps of a text that repeats itself, and are counted', async () => {
  const options = { period: 5 };
  const asked = { prompt: [1, 2, 3, 4, 5, 1, 2, 3, 4, 5], sampling: { maxTokens: 200 } };
  const plain = new FakeModel(options);
  const expected = await answersOf(new PagedEngine(plain, { speculation: false }).submit(requestOf(asked)));
  const model = new FakeModel(options);
  const records: StepRecord[] = [];
  // Whether drafts pay depends on the time of steps: here all take the same.
  let nowMs = 0;
  const engine = new PagedEngine(model, { onStep: record => records.push(record), now: () => nowMs++ });
  expect(await answersOf(engine.submit(requestOf(asked)))).toEqual(expected);
  expect(model.steps).toBeLessThan(0.6 * plain.steps);
  const { drafts, draftTokens, acceptedTokens, acceptedByPosition, generatedTokens, promptTokens } = engine.metrics;
  expect([generatedTokens, promptTokens]).toEqual([200, 10]);
  expect(drafts).toBeLessThan(draftTokens);
  expect(acceptedByPosition.reduce((a, b) => a + b)).toBe(acceptedTokens);
  expect(records.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(acceptedTokens);
});

test('the host does little in each step', async () => {
  const hosts: number[] = [];
  const model = new (class extends FakeModel {
    override async run(parts: readonly StepPart[]): Promise<readonly (readonly Chosen[])[]> {
      return parts.map(({ ids, from, choices }) => choices.map((_, i) => ({ id: (from + i + ids[0]!) % 50 })));
    }
  })({ mostSequences: 64, mostTokens: 512, positions: 4096, blocks: 16_384 });
  const engine = new PagedEngine(model, { onStep: ({ hostMs }) => hosts.push(hostMs) });
  const sampling = { maxTokens: 100, repetitionPenalty: 1.1, frequencyPenalty: 0.1, stop: ['<1><1>', '<2><2>'] };
  const prompt = Array.from({ length: 200 }, (_, i) => i % 50);
  await Promise.all(
    Array.from({ length: 64 }, (_, i) =>
      answersOf(engine.submit(requestOf({ prompt: [i % 50, ...prompt], decode, sampling }))),
    ),
  );
  const middle = hosts.sort((a, b) => a - b)[hosts.length >> 1]!;
  expect(middle).toBeLessThan(10);
});

test('the tokens of a request are those alone, whatever else runs', () => sameTokens(40));
