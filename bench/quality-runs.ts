// One training run of bench/training-quality.ts: a small GPT-2 that predicts characters, trained from the same initial
// weights on the same batches in the number formats of a variant, and evaluated on a fixed part of the held-out text.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  AdamW,
  autocast,
  clipGradNorm_,
  compile,
  type Device,
  device,
  GPT2LMHeadModel,
  GradScaler,
  getCosineScheduleWithWarmup,
  manualSeed,
  nextTokenLoss,
  noGrad,
  readReviews,
  reviewText,
  type Tensor,
  tensor,
} from 'trenio';
import { includedReviews } from '../examples/bert-polarity/included.ts';
import { literal } from '../src/hlo/literal.ts';
import { philoxWords } from '../src/numerics/philox.ts';

/** The settings of a variant. Everything else is the same for all variants. */
export interface Variant {
  readonly name: string;
  readonly what: string;
  /** The type of parameters and activations; f32 by default. */
  readonly dtype?: 'bf16';
  readonly masterWeights?: true;
  /** The type of AdamW's moments; f32 by default. */
  readonly stateType?: 'bf16';
  readonly rounding?: 'stochastic';
  /** The device's auto-cast of multiplies. */
  readonly autoCast?: 'bf16';
  /** PyTorch's recipe for f16: calls under `autocast`, and a scaled loss. */
  readonly amp?: true;
}

export const variants: readonly Variant[] = [
  { name: 'fp32', what: 'fp32' },
  { name: 'bf16-sr', what: 'bf16, stochastic rounding', dtype: 'bf16', rounding: 'stochastic' },
  { name: 'bf16', what: 'bf16, nearest even', dtype: 'bf16' },
  { name: 'bf16-master', what: 'bf16, nearest even, master weights', dtype: 'bf16', masterWeights: true },
  {
    name: 'bf16-sr-state',
    what: 'bf16, stochastic rounding, moments in bf16 too',
    dtype: 'bf16',
    rounding: 'stochastic',
    stateType: 'bf16',
  },
  { name: 'fp16-amp', what: 'autocast to fp16, GradScaler', amp: true },
  { name: 'matmult-bf16', what: 'fp32, auto-cast matmult to bf16', autoCast: 'bf16' },
];

export interface Settings {
  readonly data: string;
  readonly steps: number;
  readonly layers: number;
  readonly width: number;
  readonly heads: number;
  readonly batch: number;
  /** Characters per sequence. */
  readonly time: number;
  /** The peak learning rate; it decays to a tenth along a cosine. */
  readonly lr: number;
  readonly warmup: number;
  /** Steps between evaluations on the held-out text. */
  readonly every: number;
}

/** A corpus as character ids. */
export interface Corpus {
  readonly vocabulary: number;
  readonly training: Int32Array;
  readonly heldOut: Int32Array;
}

/** A mean loss at a step. */
export type Point = readonly [step: number, loss: number];
export interface Run {
  readonly variant: string;
  readonly seed: number;
  /** Mean over the steps since the previous point. */
  readonly training: readonly Point[];
  /** Held-out loss, computed in the formats of the variant. */
  readonly validation: readonly Point[];
  /** Final loss on all of the held-out text. */
  readonly final: number;
  /** The same weights evaluated in f32, so that rounding in the forward pass does not count. */
  readonly finalInF32: number;
  readonly skippedSteps?: number;
  readonly seconds: number;
}

/** A text file, or a CSV of reviews, whose last tenth is held out; '' selects the reviews in this repository. */
export async function readCorpus(file: string): Promise<Corpus> {
  const reviews = async (csv: string): Promise<string> => {
    const texts: string[] = [];
    for await (const review of readReviews(csv)) texts.push(reviewText(review));
    return texts.join('\n');
  };
  let [text, heldOut] = ['', ''];
  if (file === '') {
    const included = await includedReviews();
    [text, heldOut] = [await reviews(join(included, 'train.csv')), await reviews(join(included, 'validation.csv'))];
  } else {
    const whole = file.endsWith('.csv') ? await reviews(file) : await readFile(file, 'utf8');
    const cut = Math.floor(0.9 * whole.length);
    [text, heldOut] = [whole.slice(0, cut), whole.slice(cut)];
  }
  const numbers = new Map([...new Set(text + heldOut)].sort().map((character, i) => [character, i]));
  const idsOf = (of: string): Int32Array => Int32Array.from([...of], character => numbers.get(character)!);
  return { vocabulary: numbers.size, training: idsOf(text), heldOut: idsOf(heldOut) };
}

function windows(ids: Int32Array, starts: readonly number[], time: number): Tensor {
  return tensor(
    literal(
      'i32',
      [starts.length, time],
      starts.flatMap(start => [...ids.subarray(start, start + time)]),
    ),
  );
}
function trainingBatch({ training }: Corpus, { batch, time }: Settings, seed: number, step: number): Tensor {
  const words = philoxWords(BigInt(seed), BigInt(step), batch);
  const starts = Array.from(words, word => Math.floor((word / 2 ** 32) * (training.length - time)));
  return windows(training, starts, time);
}
/** The held-out text split into batches; the rest is dropped. */
function heldOutBatches({ heldOut }: Corpus, { batch, time }: Settings): Tensor[] {
  const count = Math.floor(heldOut.length / (batch * time));
  return Array.from({ length: count }, (_, i) =>
    windows(
      heldOut,
      Array.from({ length: batch }, (_, j) => (i * batch + j) * time),
      time,
    ),
  );
}

/** The model and optimizer, before the first step. */
export function prepared(variant: Variant, settings: Settings, vocabulary: number, seed: number) {
  const dev = device();
  dev.setRounding(variant.rounding === 'stochastic' ? { mode: 'stochastic', seed } : { mode: 'nearest-even' });
  dev.setAutoCast({ mode: variant.autoCast ? 'matmult' : 'none', type: variant.autoCast ?? 'bf16' });
  manualSeed(seed);
  const { layers, width, heads, time, steps, lr, warmup } = settings;
  const model = new GPT2LMHeadModel({
    vocab_size: vocabulary,
    n_positions: time,
    n_embd: width,
    n_layer: layers,
    n_head: heads,
    resid_pdrop: 0,
    embd_pdrop: 0,
    attn_pdrop: 0,
  }).to(dev);
  if (variant.dtype !== undefined) model.to(variant.dtype);
  const optimizer = new AdamW(model.parameters(), {
    lr,
    betas: [0.9, 0.99],
    weightDecay: 0.1,
    masterWeights: variant.masterWeights ?? false,
    stateType: variant.stateType ?? 'f32',
  });
  const schedule = getCosineScheduleWithWarmup(optimizer, {
    numWarmupSteps: warmup,
    numTrainingSteps: steps,
    minLrRate: 0.1,
  });
  const scaler = variant.amp ? new GradScaler({ growthInterval: 200 }) : undefined;
  const lossOf = (ids: Tensor): Tensor => {
    // a bf16 loss would have an error of up to 0.4 %
    const forward = (): Tensor => nextTokenLoss(model.forward(ids).float(), ids);
    return variant.amp ? autocast(forward, { dtype: 'f16' }) : forward();
  };
  const step = compile((ids: Tensor) => {
    const loss = lossOf(ids);
    (scaler?.scale(loss) ?? loss).backward();
    scaler?.unscale_(optimizer);
    clipGradNorm_(model.parameters(), 1);
    if (scaler === undefined) optimizer.step();
    else {
      scaler.step(optimizer);
      scaler.update();
    }
    optimizer.zeroGrad();
    return loss;
  });
  return { dev, model, optimizer, schedule, scaler, lossOf, step };
}

/** Trains. `tell` is called after every step. */
export async function train(
  variant: Variant,
  settings: Settings,
  corpus: Corpus,
  seed: number,
  tell: (step: number, loss: number) => void,
): Promise<Run> {
  const start = performance.now();
  const { dev, model, schedule, scaler, lossOf, step } = prepared(variant, settings, corpus.vocabulary, seed);
  const held = heldOutBatches(corpus, settings);
  const scorer = (): ((batches: readonly Tensor[]) => number) => {
    const score = compile((ids: Tensor) => noGrad(() => lossOf(ids)));
    return batches => mean(batches.map(ids => score(ids).item()));
  };
  const score = scorer();
  const validation: Point[] = [];
  const training: Point[] = [];
  let losses: number[] = [];
  for (let i = 1; i <= settings.steps; i++) {
    const loss = step(trainingBatch(corpus, settings, seed, i)).item();
    schedule.step();
    losses.push(loss);
    tell(i, loss);
    if (i % settings.every === 0 || i === settings.steps) {
      training.push([i, mean(losses)]);
      losses = [];
      validation.push([i, score(held.slice(0, scoredOnTheWay))]);
      await new Promise(resolve => setImmediate(resolve));
    }
  }
  const final = score(held);
  const skipped = scaler?.stateDict().skipped;
  plain(dev);
  model.to('f32');
  return {
    variant: variant.name,
    seed,
    training,
    validation,
    final,
    finalInF32: scorer()(held),
    ...(skipped === undefined ? {} : { skippedSteps: skipped }),
    seconds: (performance.now() - start) / 1000,
  };
}
/** Number of held-out batches evaluated during training; all of them at the end. */
const scoredOnTheWay = 24;

/** The device with default settings. */
function plain(dev: Device): void {
  dev.setRounding({ mode: 'nearest-even' });
  dev.setAutoCast({ mode: 'none', type: 'bf16' });
}
export const mean = (list: readonly number[]): number => list.reduce((sum, x) => sum + x, 0) / list.length;
