// The time of one step of a server of a language model: tokens of several sequences, some of prompts and some of answers, on
// devices that share each layer (tensor parallel).
//
//   max(weights ÷ bandwidth + starts of operations, FLOPs ÷ multiply rate) + keys and values ÷ bandwidth + all-reduces
import { TrenioError } from '../../base/errors.ts';
import type { Machine } from '../../hardware/machine.ts';
import { collectiveTime } from '../collectives/index.ts';
import type { TransformerConfig } from '../workload.ts';
import { servingConstants } from './constants.ts';

export const weightFormats = ['bf16', 'f8', 'int8', 'int4'] as const;
/** The format of weights in memory. Activations, keys and values are in bf16. */
export type WeightFormat = (typeof weightFormats)[number];
const bytesOfWeight: Readonly<Record<WeightFormat, number>> = { bf16: 2, f8: 1, int8: 1, int4: 0.5625 };
const bytesOfElement = 2;

/** A model on the devices that answer a request together. */
export interface Replica {
  readonly model: TransformerConfig;
  readonly machine: Machine;
  /** The devices that share each layer, within one machine. */
  readonly tensor: number;
  readonly weights: WeightFormat;
}

/** The tokens of a step. */
export interface StepLoad {
  /** Tokens that are computed. */
  readonly tokens: number;
  /** Sequences. */
  readonly sequences: number;
  /** Sequences that get a token: those for which the head is computed. */
  readonly chosen: number;
  /** Positions whose keys and values are read, summed over the sequences. */
  readonly positions: number;
  /** Pairs of a computed token and a position that it attends to. */
  readonly pairs: number;
}

/** The seconds of steps of a replica. Computed once, called for each step of a simulation. */
export function stepTimer(replica: Replica): (load: StepLoad) => number {
  const { model, machine, tensor, weights } = replica;
  checkReplica(replica);
  const { device } = machine;
  const constants = servingConstants(device);
  const perLayer = layerWeights(model);
  const bandwidth = tensor * device.memoryBandwidth * constants.memoryShare;
  const rate = tensor * (device.peakFlops.bf16 ?? device.peakFlops.f32) * constants.multiplyShare;
  const group = {
    size: tensor,
    ranksPerNode: tensor,
    nodes: 1,
    groupsPerNode: Math.max(1, Math.floor(machine.devices / tensor)),
  };
  const reductions = new Map<number, number>();
  const reduction = (tokens: number): number => {
    // Times of nearly equal sizes differ little.
    const rounded = tokens <= 16 ? tokens : 2 ** (Math.ceil(Math.log2(tokens) * 4) / 4);
    const known = reductions.get(rounded);
    if (known !== undefined) return known;
    const bytes = Math.ceil(rounded) * model.hidden * bytesOfElement;
    const { seconds } = collectiveTime({ kind: 'all-reduce', bytes, group, machine });
    reductions.set(rounded, seconds);
    return seconds;
  };
  const weight = bytesOfWeight[weights];
  // Every device computes as many heads as the one with the most.
  const paddedHeads = Math.ceil(model.heads / tensor) * tensor;
  const { experts } = model;
  const headWeights = model.vocabulary * model.hidden;
  const cache = cacheBytesPerToken(replica);
  return ({ tokens, sequences, chosen, positions, pairs }) => {
    // Few tokens do not reach all experts.
    const share = experts === undefined ? 1 : 1 - (1 - experts.perToken / experts.count) ** tokens;
    const read = model.layers * (perLayer.shared + perLayer.experts * share) + (chosen > 0 ? headWeights : 0);
    const active = perLayer.experts * (experts === undefined ? 0 : experts.perToken / experts.count);
    const multiplied = tokens * model.layers * (perLayer.shared + active) + chosen * headWeights;
    const attention = 4 * pairs * model.layers * paddedHeads * model.headSize;
    const memory = (read * weight) / bandwidth;
    const arithmetic = (2 * multiplied) / rate + attention / (rate * constants.attentionShare);
    const keys = (positions * cache * tensor) / (bandwidth * constants.cacheShare);
    // Operations are started while earlier ones compute, but not while weights are read.
    const starts = model.layers * (constants.layerSeconds + constants.sequenceSeconds * sequences);
    const prompt = tokens > chosen ? constants.promptSeconds : 0;
    const exchanged = 2 * model.layers * reduction(tokens);
    return Math.max(memory + starts, arithmetic) + keys + exchanged + prompt + constants.stepSeconds;
  };
}

/** Weights of a layer: those that all tokens use, and those of all experts. */
function layerWeights({ hidden, heads, keyValueHeads, headSize, feedForward, gated, experts }: TransformerConfig): {
  readonly shared: number;
  readonly experts: number;
} {
  const attention = hidden * headSize * (2 * heads + 2 * keyValueHeads);
  const feed = (gated ? 3 : 2) * hidden * feedForward;
  if (experts === undefined) return { shared: attention + feed, experts: 0 };
  return { shared: attention + hidden * experts.count, experts: experts.count * feed };
}

/** Bytes of the weights on one device. */
export function weightBytesPerDevice({ model, tensor, weights }: Replica): number {
  const { shared, experts } = layerWeights(model);
  const tables = model.vocabulary * model.hidden * (model.tiedHead ? 1 : 2);
  return (model.layers * (shared + experts) * bytesOfWeight[weights] + tables * bytesOfElement) / tensor;
}

/** Bytes of a token's keys and values on one device: heads that do not divide are repeated. */
export const cacheBytesPerToken = ({ model, tensor }: Pick<Replica, 'model' | 'tensor'>): number =>
  2 * model.layers * Math.ceil(model.keyValueHeads / tensor) * model.headSize * bytesOfElement;

/** The share of the memory for weights, keys and values; the rest is for activations and the software. */
const usableShare = 0.9;

/** Tokens whose keys and values fit beside the weights; 0 or less if the weights alone do not. */
export const cacheTokens = (replica: Replica): number =>
  Math.floor(
    (replica.machine.device.memoryBytes * usableShare - weightBytesPerDevice(replica)) / cacheBytesPerToken(replica),
  );

/** The tensor parallel sizes that a machine allows: powers of two, and all devices. */
export function tensorSizes({ machine, model }: Pick<Replica, 'machine' | 'model'>): readonly number[] {
  const { devices } = machine;
  const sizes = [...new Set([...Array.from({ length: 8 }, (_, i) => 2 ** i), devices])];
  return sizes.filter(size => size <= devices && size <= model.heads).sort((a, b) => a - b);
}

/** @throws {INVALID_OPTION} */
function checkReplica({ model, machine, tensor }: Replica): void {
  const invalid = (option: string, got: string, expected: string): TrenioError =>
    new TrenioError('INVALID_OPTION', { what: 'a serving plan', option, got, expected });
  if (!model.causal || model.head.kind !== 'causal-lm')
    throw invalid('model', model.name, 'a model that generates text, such as llama3-8b');
  if (tensor < 1 || tensor > machine.devices)
    throw invalid('tp', `${tensor}`, `1 to ${machine.devices}, the devices of ${machine.name}`);
}
