import { expect, test } from 'vitest';
import type { TextEngine, TextRequest } from '../engine/text-engine.ts';
import { textGenerator } from './text-generator.ts';

const requests: TextRequest[] = [];
const engine: TextEngine = {
  vocabulary: 10,
  positions: 6,
  async *generate(request) {
    requests.push(request);
    for (let i = 0; i < request.maxNewTokens; i++) yield i;
  },
  whenIdle: async () => {},
};
const model = textGenerator(engine, 'tiny');
const answer = (body: object) => model.run(model.parse(body, 1), new AbortController().signal);

test('requests are answered whole or token by token, up to the last position', async () => {
  expect(await answer({ inputs: [1, 2], parameters: { max_new_tokens: 3, seed: 7 } })).toEqual({
    generated: [0, 1, 2],
  });
  expect(requests).toEqual([{ prompt: [1, 2], maxNewTokens: 3, temperature: 0, seed: 7 }]);
  const stream = answer({ inputs: [1, 2, 3, 4], stream: true }) as AsyncIterable<unknown>;
  expect(await Array.fromAsync(stream)).toEqual([{ token: 0 }, { token: 1 }]);
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
