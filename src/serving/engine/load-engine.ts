// A language model from its folder, with an engine around it: the sizes of its steps and of its pool of keys and values.
import { availableBytes } from '../../base/available-memory.ts';
import { TrenioError } from '../../base/errors.ts';
import type { CausalLM } from '../../models/auto/index.ts';
import type { DType } from '../../tensor/index.ts';
import { blockBytesOf, DecoderStep } from './decoder-step.ts';
import { PagedEngine, type PagedEngineOptions } from './paged-engine.ts';

/** Sizes of an engine; by default they fit the model and the memory. */
export interface EngineSizes {
  /** The maximum number of tokens of a sequence. */
  readonly positions?: number | undefined;
  /** The maximum number of sequences of a step. */
  readonly sequences?: number | undefined;
  /** The maximum number of tokens of a step. */
  readonly tokens?: number | undefined;
  /** Positions of a block: a multiple of 16. */
  readonly blockSize?: number | undefined;
  /** Bytes of keys and values. */
  readonly cacheBytes?: number | undefined;
  /** The type of keys and values; by default that of the model. */
  readonly cacheType?: DType | undefined;
}

const defaults = { sequences: 16, tokens: 512, blockSize: 16 } as const;
/** The share of the free memory for keys and values, if sequences can fill it. */
const cacheShare = 0.3;

/**
 * The engine of a model, whose weights are put into panels for it, with its programs compiled.
 * @throws {INVALID_OPTION}
 * @throws {OUT_OF_MEMORY} if the cache has no room for a sequence
 */
export async function engineOf(
  model: Pick<CausalLM, 'generative' | 'panelWeights'>,
  sizes: EngineSizes = {},
  options: PagedEngineOptions & { readonly onProgram?: (done: number, all: number) => void } = {},
): Promise<PagedEngine> {
  model.panelWeights();
  const generative = model.generative();
  const { sequences = defaults.sequences, tokens = defaults.tokens, blockSize = defaults.blockSize } = sizes;
  const dtype = sizes.cacheType ?? generative.dtype;
  if (blockSize % 16 !== 0 || blockSize <= 0) throw invalid('blockSize', blockSize, 'a multiple of 16');
  const most = Number.isFinite(generative.maxPositions) ? generative.maxPositions : 1 << 20;
  if ((sizes.positions ?? 1) > most) throw invalid('positions', sizes.positions!, `at most ${most}, as the model has`);
  const perBlock = blockBytesOf(model, blockSize, dtype);
  const blocksOf = (positions: number): number => Math.ceil(positions / blockSize);
  const bytes = sizes.cacheBytes ?? Math.floor(availableBytes() * cacheShare);
  const blocks = Math.min(Math.floor(bytes / perBlock), sequences * blocksOf(sizes.positions ?? most));
  const positions = sizes.positions ?? Math.min(most, blocks * blockSize);
  if (blocks < Math.max(1, blocksOf(positions)))
    throw new TrenioError('OUT_OF_MEMORY', {
      what: `keys and values of a sequence of ${positions} tokens`,
      bytes: Math.max(1, blocksOf(positions)) * perBlock,
      available: bytes,
    });
  const step = new DecoderStep(model, {
    blocks,
    blockSize,
    mostSequences: sequences,
    mostTokens: Math.max(tokens, sequences),
    positions,
    dtype,
  });
  await step.prepare(options.onProgram);
  return new PagedEngine(step, options);
}

const invalid = (option: string, got: number, expected: string): TrenioError =>
  new TrenioError('INVALID_OPTION', { what: 'engine', option, got: String(got), expected });
