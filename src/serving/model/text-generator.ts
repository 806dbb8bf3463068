// An engine as the model of an endpoint: token ids in, generated ids out.
//
//   {"inputs": [1, 2, 3], "parameters": {"max_new_tokens": 20, "temperature": 0.8, "seed": 1}}  →  {"generated": [4, 5, …]}
//   with "stream": true, one by one                                                             →  {"token": 4} {"token": 5} …
import * as z from 'zod';
import { TrenioError } from '../../base/errors.ts';
import type { TextEngine } from '../engine/text-engine.ts';
import type { ServedModel } from './served-model.ts';

const MOST_NEW_TOKENS = 1024;

const requestSchema = z.strictObject({
  inputs: z.array(z.int().min(0)).min(1),
  parameters: z
    .strictObject({
      max_new_tokens: z.int().min(1).max(MOST_NEW_TOKENS).default(20),
      /** 0: the most probable token. */
      temperature: z.number().min(0).max(100).default(0),
      seed: z.int().min(0).default(0),
    })
    .prefault({}),
  stream: z.boolean().default(false),
});
type GenerateRequest = z.output<typeof requestSchema>;

/** @param model the name in the description */
export function textGenerator(engine: TextEngine, model: string): ServedModel<GenerateRequest> {
  const { vocabulary, positions } = engine;
  return {
    description: { model, vocabulary, positions },
    unit: 'requests',
    parse: body => parse(body, engine),
    run: ({ inputs, parameters, stream }, signal) => {
      const { max_new_tokens, temperature, seed } = parameters;
      const maxNewTokens = Math.min(max_new_tokens, positions - inputs.length);
      const tokens = engine.generate({ prompt: inputs, maxNewTokens, temperature, seed }, signal);
      return stream ? named(tokens) : collected(tokens);
    },
    whenIdle: () => engine.whenIdle(),
  };
}

async function* named(tokens: AsyncIterable<number>): AsyncGenerator<{ readonly token: number }> {
  for await (const token of tokens) yield { token };
}

async function collected(tokens: AsyncIterable<number>): Promise<{ readonly generated: readonly number[] }> {
  return { generated: await Array.fromAsync(tokens) };
}

/** @throws {REQUEST_INVALID} */
function parse(body: unknown, { vocabulary, positions }: TextEngine): GenerateRequest {
  const parsed = requestSchema.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new TrenioError('REQUEST_INVALID', { field: issue!.path.join('.'), problem: issue!.message });
  }
  const { inputs } = parsed.data;
  const unknown = inputs.find(id => id >= vocabulary);
  if (unknown !== undefined)
    throw new TrenioError('REQUEST_INVALID', {
      field: 'inputs',
      problem: `${unknown} is not one of ${vocabulary} tokens`,
    });
  if (inputs.length >= positions)
    throw new TrenioError('REQUEST_INVALID', {
      field: 'inputs',
      problem: `${inputs.length} tokens, but the model has ${positions} positions, and one is needed for the answer`,
    });
  return parsed.data;
}
