// A small Llama that learns to write product reviews, letter by letter, on any number of ranks. The model is written with the
// shapes of the whole; the layout says how the ranks divide it, and the losses are the same in each.
//
//   npx trenio run --layout dp_shard=2,tp=2 examples/llama-parallel/train.ts [--steps 20] [--sequence-parallel] [--report FILE]
//
// Every rank runs this script and gives the whole batch. compare.ts runs it in several layouts.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  AdamW,
  DecoderForCausalLM,
  device,
  initDeviceMesh,
  isMain,
  manualSeed,
  optimizerStep,
  parallelize,
  tensor,
} from 'trenio';
import { includedReviews } from '../bert-polarity/included.ts';
import { countOf } from '../count-of.ts';

const { values: options } = parseArgs({
  options: {
    steps: { type: 'string', default: '20' },
    'sequence-parallel': { type: 'boolean', default: false },
    report: { type: 'string' },
  },
});
const steps = countOf('--steps', options.steps);
const text = readFileSync(`${await includedReviews()}/train.csv`, 'utf8').slice(0, 400_000);
const letters = [...new Set(text)].sort();
const idOf = new Map(letters.map((letter, id) => [letter, id]));
const ids = Array.from(text, letter => idOf.get(letter)!);

const mesh = initDeviceMesh(); // the layout of `trenio run`
manualSeed(1);
const model = new DecoderForCausalLM({
  model_type: 'llama',
  vocab_size: letters.length,
  hidden_size: 128,
  intermediate_size: 256,
  num_hidden_layers: 2,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  max_position_embeddings: 64,
});
parallelize(model, mesh, { sequenceParallel: options['sequence-parallel'] });
const optimizer = new AdamW(model.parameters(), { lr: 3e-3, weightDecay: 0.01 });

const [window, batch] = [64, 8];
let seed = 1;
const random = (below: number): number => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
  return seed % below;
};
const losses: number[] = [];
let started = performance.now();
for (let step = 1; step <= steps; step++) {
  const starts = Array.from({ length: batch }, () => random(ids.length - window));
  const inputIds = tensor(
    starts.map(start => ids.slice(start, start + window)),
    { dtype: 'int32' },
  );
  const { loss } = model.forward({ inputIds, labels: inputIds });
  loss.backward();
  optimizerStep(optimizer, { maxGradNorm: 1 });
  losses.push(loss.item());
  if (isMain()) console.log(`step ${step}: loss ${losses.at(-1)!.toPrecision(8)}`);
  if (step === 1) started = performance.now(); // the first step compiles
}

/** How the run ended, for compare.ts. */
export interface Report {
  readonly lastLoss: number;
  /** The bytes that each rank sends in a step. */
  readonly sentBytes: number;
  /** The time of a step, without the first one. */
  readonly stepSeconds: number | undefined;
}
if (isMain() && options.report !== undefined) {
  const { communication } = device().history.findLast(({ kind }) => kind === 'step')!;
  const report: Report = {
    lastLoss: losses.at(-1)!,
    sentBytes: communication.reduce((sum, { bytes }) => sum + bytes, 0),
    stepSeconds: steps === 1 ? undefined : (performance.now() - started) / 1000 / (steps - 1),
  };
  writeFileSync(options.report, JSON.stringify(report));
}
