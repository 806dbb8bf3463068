// A language model from its folder, with an engine around it: the sizes of its steps and of its pool of keys and values.
import { join } from 'node:path';
import { availableBytes } from '../../base/available-memory.ts';
import { TrenioError } from '../../base/errors.ts';
import { fileExists } from '../../base/read-file.ts';
import { formatBytes } from '../../base/units.ts';
import { QuantizedLinear } from '../../models/adapters/quantized-linear.ts';
import { readDecoder } from '../../models/auto/index.ts';
import { readConfigObject } from '../../models/config-file.ts';
import type { DecoderForCausalLM } from '../../models/decoder/decoder.ts';
import type { GenerationConfig } from '../../models/generation/generate-options.ts';
import type { Quantization } from '../../models/quantized/quantize.ts';
import { type DType, device } from '../../tensor/index.ts';
import { blockBytesOf, DecoderStep } from './decoder-step.ts';
import { PagedEngine, type PagedEngineOptions } from './paged-engine.ts';

/** Sizes of an engine; by default they fit the model and the memory. */
export interface EngineSizes {
  /** The maximum number of tokens of a sequence; more than usual changes the rotations of models that stretch them. */
  readonly positions?: number | undefined;
  /** The maximum number of sequences of a step. */
  readonly sequences?: number | undefined;
  /** The maximum number of tokens of a step. */
  readonly tokens?: number | undefined;
  /** Positions of a block: a multiple of 16. */
  readonly blockSize?: number | undefined;
  /** Bytes of keys and values. */
  readonly cacheBytes?: number | undefined;
  /** Adapters of requests: how many can be loaded, and their maximum rank. Steps always compute the updates of all. */
  readonly adapters?: { readonly count: number; readonly rank: number } | undefined;
  /** The type of keys and values; by default that of the model. */
  readonly cacheType?: DType | undefined;
}

const defaults = { sequences: 16, tokens: 512, blockSize: 16 } as const;
/** The share of the free memory for keys and values, if sequences can fill it. */
const cacheShare = 0.3;
/** Where every step copies the whole pool: without a C compiler. */
const copying = { sequences: 4, tokens: 16, cacheBytes: 16 << 20 } as const;

/** The formats whose products have the same bits for any number of rows. */
export const servedQuantizations = ['q8_0', 'q4_0'] as const satisfies readonly Quantization[];
export type ServedQuantization = (typeof servedQuantizations)[number];

export interface LoadEngineOptions extends PagedEngineOptions {
  /** The type of the weights. Default: that of the checkpoint, f32 if it is neither. */
  readonly dtype?: 'float32' | 'bfloat16' | undefined;
  /** The format that weights are rounded to; those that are quantized in the file keep theirs. */
  readonly quantization?: ServedQuantization | undefined;
  readonly sizes?: EngineSizes;
}

/** The engine of the language model of a directory or a GGUF file, and its generation_config.json. */
export async function loadEngine(
  folder: string,
  { dtype, quantization, sizes, ...options }: LoadEngineOptions,
): Promise<{ readonly engine: PagedEngine; readonly generationConfig: GenerationConfig }> {
  const { log } = options;
  const model = await readDecoder(folder, {
    ...(log && { onWarning: log }),
    ...(quantization && { quantize: quantization }),
  });
  model.eval().to(device());
  // Quantized weights are multiplied by rows of f32.
  const isQuantized = [...model.modules()].some(module => module instanceof QuantizedLinear);
  if (isQuantized && dtype === 'bfloat16')
    throw new TrenioError('INVALID_OPTION', {
      ...{ what: 'engine', option: 'dtype', got: dtype },
      expected: 'float32 with quantized weights, whose rows it is',
    });
  if (!isQuantized && (dtype ?? (await dtypeOf(folder))) === 'bfloat16') model.to('bfloat16');
  return {
    engine: await engineOf(model, sizes, { ...options, quantization }),
    generationConfig: model.generationConfig,
  };
}

/** The type that the weights of a folder have, as its configuration says: `dtype`, or `torch_dtype` in older files. */
async function dtypeOf(folder: string): Promise<unknown> {
  const file = join(folder, 'config.json');
  if (!(await fileExists(file))) return undefined;
  const { dtype, torch_dtype } = (await readConfigObject(file)) as { dtype?: unknown; torch_dtype?: unknown };
  return dtype ?? torch_dtype;
}

/**
 * The engine of a model, whose weights are put into panels for it, with its programs compiled.
 * @throws {INVALID_OPTION} also if the memory has no room for a sequence
 */
export async function engineOf(
  model: Pick<DecoderForCausalLM, 'generative' | 'panelWeights' | 'config'>,
  sizes: EngineSizes = {},
  { quantization, ...options }: PagedEngineOptions & Pick<LoadEngineOptions, 'quantization'> = {},
): Promise<PagedEngine> {
  const unpromised = model.panelWeights(quantization);
  if (unpromised.length > 0)
    options.log?.(`engine: the same bits beside other requests are not promised for ${unpromised.join(' and ')}`);
  const generative = model.generative();
  const usual = generative.device.backend.copiesState === true ? copying : defaults;
  const { sequences = usual.sequences, tokens = usual.tokens, blockSize = defaults.blockSize } = sizes;
  const dtype = sizes.cacheType ?? generative.dtype;
  if (blockSize % 16 !== 0 || blockSize <= 0) throw invalid('blockSize', blockSize, 'a multiple of 16');
  const { maxPositions, rotationsChangeAfter = maxPositions } = generative;
  if ((sizes.positions ?? 1) > maxPositions)
    throw invalid('positions', sizes.positions!, `at most ${maxPositions}, as the model has`);
  // Rotations for longer sequences would change those of short ones.
  const most = sizes.positions ?? Math.min(rotationsChangeAfter, model.config.max_position_embeddings);
  const perBlock = blockBytesOf(model, blockSize, dtype);
  const blocksOf = (positions: number): number => Math.ceil(positions / blockSize);
  const free = Math.floor(availableBytes() * cacheShare);
  const bytes = sizes.cacheBytes ?? Math.min(free, usual === copying ? copying.cacheBytes : free);
  const blocks = Math.min(Math.floor(bytes / perBlock), sequences * blocksOf(most));
  const positions = sizes.positions ?? Math.min(most, blocks * blockSize);
  const needed = Math.max(1, blocksOf(positions)) * perBlock;
  if (blocks * perBlock < needed)
    throw invalid('cacheBytes', formatBytes(bytes), `${formatBytes(needed)}, for a sequence of ${positions} tokens`);
  const step = new DecoderStep(model, {
    blocks,
    blockSize,
    mostSequences: sequences,
    mostTokens: Math.max(tokens, sequences),
    positions,
    dtype,
    adapters: sizes.adapters,
  });
  await step.prepare();
  return new PagedEngine(step, options);
}

const invalid = (option: keyof EngineSizes, got: number | string, expected: string): TrenioError =>
  new TrenioError('INVALID_OPTION', { what: 'engine', option, got: String(got), expected });
