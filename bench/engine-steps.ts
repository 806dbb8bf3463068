// Steps of the engine that serves language models: several sequences in a step compared with one, deep sequences with short
// ones, blocks of keys and values with the one cache of `generate`; and what one sequence reads, compared with the bandwidth
// of memory. Random weights, greedy; measured in turn.
//
//   node bench/engine-steps.ts --model 500m --dtype bf16 --rounds 7
//   node bench/engine-steps.ts --dtype q8_0
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DecoderForCausalLM, type DType, manualSeed, tensor } from 'trenio';
import { DecoderStep } from '../src/serving/engine/decoder-step.ts';
import type { Choice } from '../src/serving/engine/step-model.ts';
import { bandwidth } from './bandwidth.ts';
import { bar } from './bars.ts';
import { decoderConfigs, weightsOf } from './decoder-models.ts';
import { median } from './peak.ts';
import { writeRandomGguf } from './random-gguf.ts';

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: '500m' },
    dtype: { type: 'string', default: 'bf16' },
    tokens: { type: 'string', default: '16' },
    rounds: { type: 'string', default: '7' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(`node bench/engine-steps.ts [--model 135m|500m] [--dtype bf16|f32|q8_0|q4_0] [--tokens 16] [--rounds 7]`);
  process.exit(0);
}
const config = decoderConfigs[values.model]!;
/** Types of GGUF files by the names of --dtype; their models compute in f32. */
const quantized = ({ q8_0: 'Q8_0', q4_0: 'Q4_0' } as const)[values.dtype];
const dtype = quantized === undefined ? (values.dtype as DType) : 'f32';
const [count, rounds] = [Number(values.tokens), Number(values.rounds)];
manualSeed(0);
using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-bench-'));
const file = join(folder.path, 'model.gguf');
const bytes =
  quantized === undefined ? weightsOf(config) * (dtype === 'bf16' ? 2 : 4) : writeRandomGguf(file, config, quantized);
const make = async (): Promise<DecoderForCausalLM> =>
  quantized === undefined
    ? new DecoderForCausalLM(config).to(dtype).eval()
    : (await DecoderForCausalLM.fromPretrained(file)).eval();
const [contiguous, served] = [await make(), await make()];
served.panelWeights();
const [blockSize, deepest] = [16, 2048 + 2 * count];
const perSequence = Math.ceil(deepest / blockSize);
const sizes = {
  blocks: 16 * perSequence,
  blockSize,
  mostSequences: 16,
  mostTokens: 512,
  positions: perSequence * blockSize,
};
const step = new DecoderStep(served, { ...sizes, dtype });
const adapted = await make();
adapted.panelWeights();
const withAdapters = new DecoderStep(adapted, { ...sizes, dtype, adapters: { count: 8, rank: 16 } });
const greedy: Choice = { temperature: 0, topK: 0, topP: 1, minP: 0, typicalP: 1, seed: 0n, choice: 0 };
const blocks = Array.from({ length: 16 }, (_, s) => Array.from({ length: perSequence }, (_, i) => s * perSequence + i));

/** Milliseconds of a step of this number of sequences, each with this number of tokens before it. */
async function decode(sequences: number, depth: number, of = step): Promise<number> {
  let ids = Array.from({ length: sequences }, (_, s) => 5 + s);
  const start = performance.now();
  for (let i = 0; i < count; i++) {
    const parts = ids.map((id, s) => ({
      ids: [id],
      from: depth + i,
      blocks: blocks[s]!,
      choices: [greedy],
      adapter: s,
    }));
    ids = (await of.run(parts)).map(([chosen]) => chosen!.id);
  }
  return (performance.now() - start) / count;
}
async function generate(): Promise<number> {
  const prompt = tensor([Array.from({ length: 16 }, (_, i) => 3 + i)], { dtype: 'int32' });
  let first = 0;
  for await (const _ of contiguous.generateStream(prompt, { maxNewTokens: count + 1, doSample: false }))
    first ||= performance.now();
  return (performance.now() - first) / count;
}
async function prefill(): Promise<number> {
  const ids = Array.from({ length: 512 }, (_, i) => 3 + ((i * 7919) % 1000));
  const start = performance.now();
  await step.run([{ ids, from: 0, blocks: blocks[0]!, choices: [greedy] }]);
  return performance.now() - start;
}

const measures = {
  generate,
  one: () => decode(1, 16),
  two: () => decode(2, 16),
  four: () => decode(4, 16),
  eight: () => decode(8, 16),
  adapters: () => decode(8, 16, withAdapters),
  deep: () => decode(1, 2048),
  prefill,
};
type Name = keyof typeof measures;
const names = Object.keys(measures) as Name[];
for (const name of names) await measures[name]();
const ms = Object.fromEntries(names.map(name => [name, [] as number[]])) as Record<Name, number[]>;
const rates: number[] = [];
for (let round = 0; round < rounds; round++) {
  for (const name of names) ms[name].push(await measures[name]());
  rates.push(bandwidth());
}
const ratio = (a: Name, b: Name): number => median(ms[a].map((x, i) => x / ms[b][i]!));
const share = median(ms.one.map((x, i) => bytes / 1e6 / x / rates[i]!));
console.log(`${values.model}, ${values.dtype}, medians of ${rounds}; memory ${median(rates).toFixed(1)} GB/s`);
for (const name of names) console.log(`  ${name.padEnd(8)} ${median(ms[name]).toFixed(2)} ms`);
const what = `engine, ${values.model}, ${values.dtype}`;
const stated = (name: string, unit: string, measured: number, kind: 'at least' | 'at most', limit: number): void =>
  bar({ what: `${what}, ${name}`, unit, measured, kind, limit });
stated('one sequence', '% of bandwidth', 100 * share, 'at least', quantized === undefined ? 85 : 75);
stated('one sequence', '× the time of generate', ratio('one', 'generate'), 'at most', 1.03);
stated('a step of 4', '× a step of 1', ratio('four', 'one'), 'at most', 1.3);
stated('a step of 8', '× a step of 1', ratio('eight', 'one'), 'at most', 1.8);
stated('8 adapters of rank 16', '× the speed of none', ratio('eight', 'adapters'), 'at least', 0.85);
stated('2,048 tokens deep', '× the speed of 16', ratio('one', 'deep'), 'at least', 0.85);
process.exit(0);
