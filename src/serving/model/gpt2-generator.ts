// A GPT-2 checkpoint as the model of an endpoint: token ids in, generated ids out. Every length requires a compilation, so
// sequences are padded to a few lengths; the padding comes last, and causal attention does not see it. Without a cache of keys
// and values: each token costs a run over the whole sequence.
//
//   {"inputs": [1, 2, 3], "parameters": {"max_new_tokens": 20, "temperature": 0.8, "seed": 1}}  →  {"generated": [4, 5, …]}
//   with "stream": true, one by one                                                             →  {"token": 4} {"token": 5} …
import * as z from 'zod';
import { TrenioError } from '../../base/errors.ts';
import { toNumbers } from '../../hlo/literal.ts';
import { GPT2LMHeadModel } from '../../models/gpt2.ts';
import { functional as F } from '../../nn/index.ts';
import { philoxWords } from '../../numerics/philox.ts';
import { compile, device, noGrad, type Tensor, tensor } from '../../tensor/index.ts';
import { lengthBuckets } from './bert-classifier.ts';
import type { LoadOptions } from './load-options.ts';
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

/**
 * Loads a folder with config.json and model.safetensors, and compiles it for its shortest sequences.
 * @throws the errors of reading its files
 */
export async function loadGpt2Generator(
  folder: string,
  _options: LoadOptions = {},
): Promise<ServedModel<GenerateRequest>> {
  const model = await GPT2LMHeadModel.fromPretrained(folder);
  const {
    vocab_size: vocabulary,
    n_positions: positions,
    eos_token_id: end,
  } = model.config as {
    readonly vocab_size: number;
    readonly n_positions: number;
    readonly eos_token_id?: unknown;
  };
  model.eval().to(device());
  const buckets = lengthBuckets(positions);
  // Ids [T], and a one where the last token is [T] → logits of the next token [V].
  const next = compile((ids: Tensor, last: Tensor): Tensor => {
    const states = model.transformer.forward(ids.reshape(1, -1)); // [1, T, H]
    const hidden = states.mul(last.reshape(1, -1, 1)).sum(1); // [1, H]
    return F.linear(hidden, model.transformer.wte.weight).reshape(vocabulary);
  });
  const logitsAfter = async (tokens: readonly number[]): Promise<readonly number[]> => {
    const length = buckets.find(bucket => bucket >= tokens.length)!;
    const ids = new Int32Array(length);
    ids.set(tokens);
    const last = new Float32Array(length);
    last[tokens.length - 1] = 1;
    const upload = (data: Int32Array | Float32Array): Tensor => tensor(data, { device: device() });
    const logits = noGrad(() => next(upload(ids), upload(last)));
    await logits.ready();
    return toNumbers(logits.literal());
  };
  await logitsAfter([0]);
  // One sequence at a time: concurrent ones would only share the cores.
  let previous: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const result = previous.then(run);
    previous = result.catch(() => {});
    return result;
  };
  async function* generate({ inputs, parameters }: GenerateRequest, signal: AbortSignal): AsyncGenerator<number> {
    const tokens = [...inputs];
    for (let i = 0; i < parameters.max_new_tokens && tokens.length < positions; i++) {
      signal.throwIfAborted();
      const logits = await inTurn(() => logitsAfter(tokens));
      const token = sample(logits, parameters.temperature, parameters.seed, i);
      if (token === end) return;
      tokens.push(token);
      yield token;
    }
  }
  return {
    description: { model: 'gpt2', vocabulary, positions },
    unit: 'requests',
    parse: body => parse(body, vocabulary, positions),
    run: (request, signal) => {
      const tokens = generate(request, signal);
      return request.stream ? named(tokens) : collected(tokens);
    },
    whenIdle: () => previous.then(() => {}),
  };
}

async function* named(tokens: AsyncGenerator<number>): AsyncGenerator<{ readonly token: number }> {
  for await (const token of tokens) yield { token };
}

async function collected(tokens: AsyncGenerator<number>): Promise<{ readonly generated: readonly number[] }> {
  return { generated: await Array.fromAsync(tokens) };
}

/** @throws {REQUEST_INVALID} */
function parse(body: unknown, vocabulary: number, positions: number): GenerateRequest {
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

/** The same token for the same seed, on any machine. */
function sample(logits: readonly number[], temperature: number, seed: number, step: number): number {
  const most = logits.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  if (temperature === 0) return logits.indexOf(most);
  const weights = logits.map(logit => Math.exp((logit - most) / temperature));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let left = uniform(seed, step) * total;
  const index = weights.findIndex(weight => {
    left -= weight;
    return left < 0;
  });
  return index < 0 ? logits.indexOf(most) : index;
}

const uniform = (seed: number, step: number): number => philoxWords(BigInt(seed), BigInt(step), 1)[0]! / 2 ** 32;
