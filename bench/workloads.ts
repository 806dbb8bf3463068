// The models that are compared with peers, each as a function that runs a training step or a forward pass:
// compiled once with `compile(fn)`, with the batch on the device, and the result read. Sizes are the same as for the peers in
// bench/peers. B batch, S sequence.
import {
  AdamW,
  BertForSequenceClassification,
  ContrastiveModel,
  compile,
  DecoderForCausalLM,
  device,
  GPT2LMHeadModel,
  type Module as Layer,
  nextTokenLoss,
  nn,
  noGrad,
  Seq2SeqForConditionalGeneration,
  type Tensor,
  tensor,
  VisionForImageClassification,
} from 'trenio';
import { costOfModule, type Module } from '../src/hlo/index.ts';
import { literal } from '../src/hlo/literal.ts';

export const bertSizes = {
  base: {
    batch: 8,
    sequence: 128,
    config: {
      vocab_size: 30522,
      hidden_size: 768,
      num_hidden_layers: 12,
      num_attention_heads: 12,
      intermediate_size: 3072,
      max_position_embeddings: 512,
    },
  },
  small: {
    batch: 32,
    sequence: 64,
    config: {
      vocab_size: 30522,
      hidden_size: 256,
      num_hidden_layers: 4,
      num_attention_heads: 4,
      intermediate_size: 1024,
      max_position_embeddings: 512,
    },
  },
} as const;
export type BertSize = keyof typeof bertSizes;

interface TokenBatch {
  readonly batch: number;
  readonly sequence: number;
  readonly config: { readonly vocab_size: number };
}
/** Token ids [B, S], spread over the vocabulary. */
function tokens({ batch, sequence, config }: TokenBatch): Tensor {
  const ids = Array.from({ length: batch * sequence }, (_, i) => (i * 7919) % config.vocab_size);
  return tensor(literal('i32', [batch, sequence], ids));
}
const ones = (shape: readonly [number, number]): Tensor =>
  tensor(literal('i32', shape, new Array<number>(shape[0] * shape[1]).fill(1)));
const classes = (batch: number, count: number): Tensor =>
  tensor(
    literal(
      'i32',
      [batch],
      Array.from({ length: batch }, (_, i) => i % count),
    ),
  );

/** One AdamW step on `lossOf` of the inputs, as one compiled call; waits for the result. */
function trainingStep(
  model: Layer,
  inputs: readonly Tensor[],
  lossOf: (...inputs: Tensor[]) => Tensor,
  optimizer = new AdamW(model.parameters(), { lr: 1e-5 }),
): () => number {
  const run = compile((...batch: Tensor[]) => {
    const loss = lossOf(...batch);
    loss.backward();
    optimizer.step();
    optimizer.zeroGrad();
    return loss;
  });
  return () => run(...inputs).item();
}

/**
 * A step of BERT with a classifier of two classes, dropout on. In bf16, parameters are bf16 without master weights, and
 * the device rounds stochastically from then on.
 */
export function bertStep(size: { readonly config: object } & TokenBatch, dtype: 'f32' | 'bf16' = 'f32'): () => number {
  return bertTraining(size, dtype).step;
}
/** The same, with what it trains. */
export function bertTraining(size: { readonly config: object } & TokenBatch, dtype: 'f32' | 'bf16' = 'f32') {
  const { batch, sequence, config } = size;
  const model = new BertForSequenceClassification(config).to(device()).to(dtype).train();
  if (dtype === 'bf16') device().setRounding({ mode: 'stochastic' });
  const optimizer = new AdamW(model.parameters(), { lr: 1e-5 });
  const step = trainingStep(
    model,
    [tokens(size), ones([batch, sequence]), classes(batch, 2)],
    (inputIds, attentionMask, labels) =>
      nn.functional.crossEntropy(model.forward({ inputIds: inputIds, attentionMask: attentionMask }), labels),
    optimizer,
  );
  return { step, model, optimizer };
}

/** The forward pass of the same model, without dropout; returns the sum of the logits. */
export function bertInference(size: { readonly config: object } & TokenBatch): () => number {
  const { batch, sequence, config } = size;
  const model = new BertForSequenceClassification(config).to(device()).eval();
  const run = compile((inputIds: Tensor, attentionMask: Tensor) =>
    noGrad(() => model.forward({ inputIds, attentionMask }).sum()),
  );
  const [ids, mask] = [tokens(size), ones([batch, sequence])];
  return () => run(ids, mask).item();
}

export const gpt2Size = { batch: 4, sequence: 64, config: { vocab_size: 50257 } } as const;

/** A step of GPT-2 (124 M parameters), dropout on. */
export function gpt2Step(size: { readonly config: object } & TokenBatch, dtype: 'f32' | 'bf16' = 'f32'): () => number {
  const model = new GPT2LMHeadModel(size.config).to(device()).to(dtype).train();
  if (dtype === 'bf16') device().setRounding({ mode: 'stochastic' });
  return trainingStep(model, [tokens(size)], ids => nextTokenLoss(model.forward(ids), ids));
}

export const llamaSize = {
  batch: 4,
  sequence: 256,
  config: {
    vocab_size: 32_000,
    hidden_size: 768,
    intermediate_size: 2048,
    num_hidden_layers: 12,
    num_attention_heads: 12,
    num_key_value_heads: 4,
    tie_word_embeddings: true,
  },
} as const;

/** A step of a Llama-shaped decoder of 100 M parameters. */
export function llamaStep(size: { readonly config: object } & TokenBatch): () => number {
  const model = new DecoderForCausalLM({ model_type: 'llama', ...size.config }).to(device()).train();
  return trainingStep(model, [tokens(size)], ids => nextTokenLoss(model.forward(ids), ids));
}

export const vitSize = { batch: 8, config: { num_labels: 1000 } } as const;

/** Values between -1 and 1. */
const waves = (shape: readonly number[]): Tensor =>
  tensor(
    Float32Array.from({ length: shape.reduce((product, d) => product * d, 1) }, (_, i) => Math.sin(i)),
    { shape },
  );

/** A step of ViT-B/16 on images of 224 × 224. */
export function vitStep({ batch, config }: { readonly batch: number; readonly config: object }): () => number {
  const model = new VisionForImageClassification({ model_type: 'vit', ...config }).to(device()).train();
  return trainingStep(model, [waves([batch, 3, 224, 224]), classes(batch, 1000)], (images, labels) =>
    nn.functional.crossEntropy(model.forward(images), labels),
  );
}

export const whisperSize = {
  batch: 2,
  sequence: 64,
  config: {
    vocab_size: 51_865,
    d_model: 384,
    encoder_layers: 4,
    decoder_layers: 4,
    encoder_attention_heads: 6,
    decoder_attention_heads: 6,
    encoder_ffn_dim: 1536,
    decoder_ffn_dim: 1536,
  },
} as const;

/** A step of Whisper-tiny on 30 seconds of audio. */
export function whisperStep(size: { readonly config: object } & TokenBatch): () => number {
  const model = new Seq2SeqForConditionalGeneration({ model_type: 'whisper', ...size.config }).to(device()).train();
  return trainingStep(model, [waves([size.batch, 80, 3000]), tokens(size)], (inputFeatures, labels) =>
    nn.functional.crossEntropy(model.forward({ inputFeatures, labels }).logits.flatten(0, 1), labels.flatten()),
  );
}

export const clipSize = { batch: 8, sequence: 77, config: { vocab_size: 49_408 } } as const;

/** A step of CLIP ViT-B/32 on pairs of images and texts. */
export function clipStep(size: TokenBatch): () => number {
  const model = new ContrastiveModel({ model_type: 'clip' }).to(device()).train();
  return trainingStep(model, [tokens(size), waves([size.batch, 3, 224, 224])], (inputIds, pixelValues) =>
    model.loss(model.forward({ inputIds, pixelValues })),
  );
}

/** A step of a classifier of linear layers of these widths with ReLU between them. */
export function mlpStep(sizes: readonly number[], batch: number, dtype: 'f32' | 'bf16' = 'f32'): () => number {
  const layers = sizes.slice(1).flatMap((outputs, i) => {
    const layer = new nn.Linear(sizes[i]!, outputs);
    return i === sizes.length - 2 ? [layer] : [layer, new nn.ReLU()];
  });
  const model = new nn.Sequential(...layers).to(device()).to(dtype);
  if (dtype === 'bf16') device().setRounding({ mode: 'stochastic' });
  const width = sizes[0]!;
  const x = tensor(
    Float32Array.from({ length: batch * width }, (_, i) => Math.sin(i)),
    { shape: [batch, width] },
  ).to(dtype);
  return trainingStep(model, [x, classes(batch, sizes.at(-1)!)], (input, labels) =>
    nn.functional.crossEntropy(model.forward(input), labels),
  );
}

/** The result of `build` and the FLOPs of the multiplies and convolutions of the largest program that its first call compiles. */
export function withMultiplyFlops(build: () => () => number): { step: () => number; flops: () => number } {
  const { backend } = device();
  const compileModule = backend.compile.bind(backend);
  const programs: Module[] = [];
  const step = build();
  return {
    step: () => {
      backend.compile = module => {
        programs.push(module);
        return compileModule(module);
      };
      try {
        return step();
      } finally {
        backend.compile = compileModule;
      }
    },
    flops: () =>
      Math.max(
        ...programs.map(module => {
          const { byOp } = costOfModule(module);
          return (byOp.get('dot_general')?.flops ?? 0) + (byOp.get('convolution')?.flops ?? 0);
        }),
      ),
  };
}
