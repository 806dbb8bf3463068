// Bytes of a transformer's training step on one device, by kind, at the peak.
//
// Activations of a block follow Korthikanti et al. 2022 ("Reducing Activation Recomputation in Large Transformer Models",
// section 4), written out tensor by tensor so that gated layers, grouped heads and other formats are counted too.
import type { Device } from '../hardware/machine.ts';
import type { GpuSoftwareConstants } from './engines/constants.ts';
import { type Formats, formatsOf, optimizerFacts } from './formats.ts';
import { blocksOfStage, type Layout, shardsOf } from './layout.ts';
import { blockParameters, outstandingStages, parametersOfStage } from './models/parameters.ts';
import type { MemoryKind } from './run.ts';
import type { TransformerConfig, Workload } from './workload.ts';

/** The work that `selective` recomputes, in the software in use. */
type Selective = GpuSoftwareConstants['selective'];
type Bytes = Record<Exclude<MemoryKind, 'program and runtime'>, number>;

/** The memory of the fullest device: one of the first stage, the last stage, or the longest stage in between. */
export function transformerBytes(
  workload: Workload,
  config: TransformerConfig,
  device: Device,
  layout: Layout,
  selective: Selective,
): Bytes {
  let fullest: Bytes | undefined;
  let most = -1;
  for (const stage of outstandingStages(layout)) {
    const bytes = bytesOfStage(workload, config, device, layout, stage, selective);
    const all = Object.values(bytes).reduce((sum, own) => sum + own, 0);
    if (all > most) [fullest, most] = [bytes, all];
  }
  return fullest!;
}

function bytesOfStage(
  workload: Workload,
  config: TransformerConfig,
  device: Device,
  layout: Layout,
  stage: number,
  selective: Selective,
): Bytes {
  const formats = formatsOf(workload.precision, device);
  const { moments } = optimizerFacts[workload.run.optimizer];
  const { data, zero1, shard } = layout;
  const parameters = parametersOfStage(config, layout, stage);
  const block = blockParameters(config, layout);
  const state = shardsOf(layout);
  // Two blocks of sharded parameters are complete at a time: the one in use, and the one being gathered or reduced.
  const whole = Math.min(parameters, 2 * block);
  const weights =
    shard === 'weights' ? parameters * (formats.weight / state) + whole * formats.weight : parameters * formats.weight;
  const gradients =
    shard === undefined
      ? parameters * formats.gradient
      : parameters * (formats.gradient / state) + whole * formats.gradient;
  const activations = activationBytes(workload, config, layout, stage, formats, selective);
  // Gradients are created while activations are freed, so both are complete at the same time only if micro-batches were
  // accumulated before, or if copies all-reduce them in buffers that exist from the beginning.
  const first = layout.microBatches * layout.interleave <= passesInFlight(layout, stage);
  const buffers = device.kind === 'gpu' && data > 1 && !zero1;
  const early = Math.min(gradients, block * formats.gradient);
  const atEnd = gradients + activations.last;
  const meeting = first && !buffers && shard === undefined;
  const atTurn = early + activations.all;
  return {
    weights,
    gradients: meeting && atTurn >= atEnd ? early : gradients,
    'master weights': (parameters * formats.master) / state,
    'optimizer state': (parameters * moments * formats.moment) / state,
    activations: meeting && atTurn < atEnd ? activations.last : activations.all,
    temporaries: temporaryBytes(workload, config, layout, stage, formats.activation, selective),
  };
}

/** Passes of micro-batches through one of the stage's chunks whose backward pass is still to come, at most (schedule.ts). */
function passesInFlight({ pipeline, interleave, microBatches }: Layout, stage: number): number {
  const behind = pipeline - stage - 1;
  const warmUp = interleave === 1 ? behind : 2 * behind + (interleave - 1) * pipeline;
  return Math.min(microBatches * interleave, warmUp + 1);
}

/** Bytes that one block keeps for the backward pass of one micro-batch, on one device. */
function blockActivationBytes(
  workload: Workload,
  config: TransformerConfig,
  layout: Layout,
  bytes: number,
  selective: Selective,
): number {
  const { tensor: t, microBatch, recompute, recomputeEvery = 1 } = layout;
  if (recomputeEvery > 1) {
    const of = (own: Layout): number => blockActivationBytes(workload, config, own, bytes, selective);
    return (
      of({ ...layout, recomputeEvery: 1 }) / recomputeEvery +
      of({ ...layout, recompute: 'none', recomputeEvery: 1 }) * (1 - 1 / recomputeEvery)
    );
  }
  const tokens = microBatch * workload.run.sequence;
  const { hidden } = config;
  // Norms, dropout and residuals are copied on each tensor-parallel device, or split with sequence parallelism.
  const aside = layout.sequenceParallel ? t : 1;
  const stream = tokens * hidden;
  if (recompute === 'full') return (stream * bytes) / aside;
  const dropout = config.dropout ? 1 : 0;
  const width = (config.heads + 2 * config.keyValueHeads) * config.headSize;
  const share = config.experts?.perToken ?? 1;
  const inner = config.feedForward * share;
  if (recompute === 'selective' && selective === 'operations') {
    // The block's input, what attention returns, the last multiply's result, and of the others every second one.
    const results = (width + config.hidden + (config.gated ? 2 : 1) * inner) / 2;
    return (stream * bytes * 2) / aside + (tokens * bytes * (config.heads * config.headSize + results)) / t;
  }
  // Inputs of both norms and of both column-parallel multiplies, dropout masks of both residuals.
  const operand = workload.precision === 'fp8' ? 1 : bytes;
  const beside = stream * (2 * bytes + 2 * operand + 2 * dropout);
  // Queries, keys, values; the context that the projection reads; the feed-forward's inputs and outputs.
  const inside =
    tokens * ((width + config.heads * config.headSize + (config.gated ? 2 : 1) * inner) * bytes + inner * operand);
  const scores = microBatch * config.heads * workload.run.sequence * workload.run.sequence;
  const core = recompute === 'selective' || workload.attention === 'blocked' ? 0 : scores * (2 * bytes + dropout);
  return beside / aside + (inside + core) / t;
}

/**
 * The memory at the turn from forward to backward, when all activations exist; and when all but those of one block have been
 * freed.
 */
function activationBytes(
  workload: Workload,
  config: TransformerConfig,
  layout: Layout,
  stage: number,
  { activation: bytes }: Formats,
  selective: Selective,
): { readonly all: number; readonly last: number } {
  const { pipeline, interleave, tensor, microBatch } = layout;
  const block = blockActivationBytes(workload, config, layout, bytes, selective);
  const inFlight = passesInFlight(layout, stage) / interleave;
  const tokens = microBatch * workload.run.sequence;
  // Activations kept by the embedding's dropout and the last norm.
  const embedded = stage === 0 ? (tokens * config.hidden * (bytes + 1) * inFlight) / tensor : 0;
  const logits = stage === pipeline - 1 ? headBytes(workload, config, layout) : 0;
  return {
    all: blocksOfStage(config.layers, layout, stage) * block * inFlight + embedded + logits,
    last: block + embedded / inFlight,
  };
}

function headBytes(workload: Workload, config: TransformerConfig, { microBatch, tensor }: Layout): number {
  const rows =
    config.head.kind === 'masked-lm'
      ? config.head.predictionsPerSample(workload.run.sequence)
      : config.head.kind === 'causal-lm'
        ? workload.run.sequence
        : 1;
  const classes = config.head.kind === 'classifier' ? config.head.classes : config.vocabulary / tensor;
  return microBatch * rows * classes * 4; // logits in f32
}

/**
 * The temporary memory of a running block: with recomputation, everything it would otherwise keep; else its largest pair of
 * tensors.
 */
function temporaryBytes(
  workload: Workload,
  config: TransformerConfig,
  layout: Layout,
  stage: number,
  bytes: number,
  selective: Selective,
): number {
  const all = blockActivationBytes(workload, config, { ...layout, recompute: 'none' }, bytes, selective);
  const kept = blockActivationBytes(workload, config, { ...layout, recomputeEvery: 1 }, bytes, selective);
  const { microBatch, tensor } = layout;
  const scores =
    workload.attention === 'blocked' ? 0 : microBatch * (config.heads / tensor) * workload.run.sequence ** 2;
  const widest = Math.max(
    scores,
    (microBatch * workload.run.sequence * config.feedForward) / tensor,
    microBatch * workload.run.sequence * config.hidden,
  );
  // The gradient of the logits, on the stage with the head.
  const logits = stage === layout.pipeline - 1 ? headBytes(workload, config, layout) : 0;
  return Math.max(all - kept + 2 * widest * bytes, logits);
}
