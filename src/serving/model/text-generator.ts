// An engine as the model of an endpoint: token ids in, generated ids out.
//
//   {"inputs": [1, 2, 3], "parameters": {"max_new_tokens": 20, "temperature": 0.8, "seed": 1}}  →  {"generated": [4, 5, …]}
//   with "stream": true, one by one                                                             →  {"token": 4} {"token": 5} …
import * as z from 'zod';
import { TrenioError } from '../../base/errors.ts';
import type { GenerationEvent } from '../engine/generation.ts';
import type { PagedEngine } from '../engine/paged-engine.ts';
import { samplingParameters } from '../engine/sampling-parameters.ts';
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

/** An engine, or what stands in for it in tests. */
type Engine = Pick<PagedEngine, 'vocabulary' | 'positions' | 'submit' | 'whenIdle'>;

/** @param model the name in the description; `endIds`: a sequence ends with one of them */
export function textGenerator(engine: Engine, model: string, endIds: readonly number[]): ServedModel<GenerateRequest> {
  const { vocabulary, positions } = engine;
  let requests = 0;
  return {
    description: { model, vocabulary, positions },
    unit: 'requests',
    parse: body => parse(body, engine),
    run: ({ inputs, parameters, stream }, signal) => {
      const { max_new_tokens, temperature, seed } = parameters;
      const maxNewTokens = Math.min(max_new_tokens, positions - inputs.length);
      const given = { temperature, maxTokens: maxNewTokens, seed: BigInt(seed), endIds };
      const sampling = samplingParameters(given, vocabulary);
      const generation = engine.submit({ id: `invocation ${requests++}`, prompt: inputs, sampling });
      signal.addEventListener('abort', () => generation.abort('its client has left'), { once: true });
      const tokens = tokensOf(generation, endIds);
      return stream ? named(tokens) : collected(tokens);
    },
    whenIdle: () => engine.whenIdle(),
  };
}

/** The generated ids, without the one that ends the sequence. */
async function* tokensOf(events: AsyncIterable<GenerationEvent>, endIds: readonly number[]): AsyncGenerator<number> {
  for await (const { tokens } of events) for (const { id } of tokens) if (!endIds.includes(id)) yield id;
}

async function* named(tokens: AsyncIterable<number>): AsyncGenerator<{ readonly token: number }> {
  for await (const token of tokens) yield { token };
}

async function collected(tokens: AsyncIterable<number>): Promise<{ readonly generated: readonly number[] }> {
  return { generated: await Array.fromAsync(tokens) };
}

/** @throws {REQUEST_INVALID} */
function parse(body: unknown, { vocabulary, positions }: Engine): GenerateRequest {
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
