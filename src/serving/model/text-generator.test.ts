import { expect, test } from 'vitest';
import { FakeModel } from '../engine/fake-model.testing.ts';
import { PagedEngine } from '../engine/paged-engine.ts';
import { textGenerator } from './text-generator.ts';

const engine = (): PagedEngine => new PagedEngine(new FakeModel({ vocabulary: 10, positions: 6 }));
const model = textGenerator(engine(), 'tiny', []);
const never = new AbortController().signal;
const answer = (body: object) => model.run(model.parse(body, 1), never);

test('requests are answered whole or token by token, up to the last position', async () => {
  const body = { inputs: [1, 2], parameters: { max_new_tokens: 3, seed: 7 } };
  const { generated } = (await answer(body)) as { readonly generated: readonly number[] };
  expect(generated).toHaveLength(3);
  const stream = answer({ ...body, stream: true }) as AsyncIterable<unknown>;
  expect(await Array.fromAsync(stream)).toEqual(generated.map(token => ({ token })));
  expect(await answer({ inputs: [1, 2, 3, 4] })).toEqual({ generated: expect.objectContaining({ length: 2 }) });
  const ending = textGenerator(engine(), 'tiny', [generated[1]!]);
  expect(await ending.run(ending.parse(body, 1), never)).toEqual({ generated: generated.slice(0, 1) });
});

test('a request whose client has left ends', async () => {
  const left = new AbortController();
  const run = model.run(model.parse({ inputs: [1, 2], parameters: { max_new_tokens: 3 } }, 1), left.signal);
  left.abort();
  await expect(run).rejects.toThrow('its client has left');
  await model.whenIdle!();
});

test.each([
  [{ inputs: [] }, 'inputs'],
  [{ inputs: [10] }, '10 is not one of 10 tokens'],
  [{ inputs: [1, 1, 1, 1, 1, 1] }, '6 tokens, but the model has 6 positions'],
  [{ inputs: [1], parameters: { max_new_tokens: 0 } }, 'parameters.max_new_tokens'],
  [{ inputs: [1], more: 1 }, 'more'],
])('an invalid request: %j', (body, expected) => {
  expect(() => model.parse(body, 1)).toThrow(expected);
});
