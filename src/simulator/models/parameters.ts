// The number of parameters of a transformer, and of one device under a layout.

import { blocksOfStage, type Layout } from '../layout.ts';
import type { TransformerConfig } from '../workload.ts';

/** The numbers of parameters of a transformer, by part. */
export interface ParameterCounts {
  /** Per block, without experts. */
  readonly block: number;
  /** All experts of one block; 0 without experts. */
  readonly experts: number;
  /** Token, position and segment tables, or the patch projection, with their norm. */
  readonly embedding: number;
  /** The head, without parameters that it shares with the embedding. */
  readonly head: number;
  /** The number of all parameters. */
  readonly total: number;
  /** Without the embedding tables: the parameters of multiplies (N of 6·N·tokens). */
  readonly multiplied: number;
}

/**
 * Counts the parameters of a transformer.
 * @example
 * simulator.parametersOf(simulator.modelOf('gpt2')).total / 1e6 // 124.4398…
 */
export function parametersOf(config: TransformerConfig): ParameterCounts {
  const { hidden, feedForward, heads, keyValueHeads, headSize, layers, vocabulary } = config;
  const bias = config.biases ? 1 : 0;
  const norm = config.normalization === 'layer-norm' ? 2 * hidden : hidden;
  const query = heads * headSize;
  const keyValue = 2 * keyValueHeads * headSize;
  const attention = hidden * (query + keyValue) + query * hidden + bias * (query + keyValue + hidden);
  const widths = config.gated ? 3 : 2;
  const feed = widths * hidden * feedForward + bias * ((widths - 1) * feedForward + hidden);
  const experts = config.experts === undefined ? 0 : config.experts.count * feed;
  const router = config.experts === undefined ? 0 : hidden * config.experts.count;
  const block = attention + 2 * norm + (config.experts === undefined ? feed : router);
  const { patches } = config;
  const inputs =
    patches === undefined ? vocabulary * hidden : patches.channels * patches.patchSize ** 2 * hidden + 2 * hidden;
  const embedding =
    inputs + (config.positions + config.segments) * hidden + (config.causal || patches !== undefined ? 0 : norm);
  const head = headParameters(config, norm);
  return {
    block,
    experts,
    embedding,
    head,
    total: layers * (block + experts) + embedding + head,
    multiplied: layers * (block + experts) + (config.tiedHead && config.head.kind !== 'classifier' ? 0 : head),
  };
}

function headParameters(config: TransformerConfig, norm: number): number {
  const { hidden, vocabulary } = config;
  switch (config.head.kind) {
    case 'causal-lm':
      return norm + (config.tiedHead ? 0 : vocabulary * hidden);
    case 'masked-lm':
      // Transform, norm and a bias per word; the pooler and next-sentence prediction.
      return hidden * hidden + hidden + norm + vocabulary + (hidden * hidden + hidden) + 2 * (hidden + 1);
    case 'classifier':
      return (config.patches === undefined ? hidden * hidden + hidden : norm) + (hidden + 1) * config.head.classes;
  }
}

/** Per block, on one device. */
export function blockParameters(config: TransformerConfig, { tensor, expert }: Layout): number {
  const { block, experts } = parametersOf(config);
  return block / tensor + experts / (tensor * expert);
}

/** On a device of this stage. */
export function parametersOfStage(config: TransformerConfig, layout: Layout, stage: number): number {
  const { embedding, head } = parametersOf(config);
  const { tensor, pipeline } = layout;
  const blocks = blocksOfStage(config.layers, layout, stage) * blockParameters(config, layout);
  // With more than one stage, a head that shares the embedding's table has a separate copy.
  const copied = pipeline > 1 && config.tiedHead ? config.vocabulary * config.hidden : 0;
  const ends = (stage === 0 ? embedding : 0) + (stage === pipeline - 1 ? head + copied : 0);
  return blocks + ends / tensor;
}

/** Candidates for the stage with the most parameters: both ends, and the first stage between them. */
export const outstandingStages = ({ pipeline }: Layout): readonly number[] => [
  ...new Set([0, Math.min(1, pipeline - 1), pipeline - 1]),
];

/** On the fullest device. */
export const parametersPerDevice = (config: TransformerConfig, layout: Layout): number =>
  Math.max(...outstandingStages(layout).map(stage => parametersOfStage(config, layout, stage)));
