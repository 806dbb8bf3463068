// Bytes on the fullest device, by kind, and what would make them fit.
//
// Activations of a block follow Korthikanti et al. 2022 ("Reducing Activation Recomputation in Large Transformer Models",
// section 4), written out tensor by tensor so that gated layers, grouped heads and other formats are counted too.
import { formatBytes } from '../base/units.ts';
import type { Machine } from '../hardware/machine.ts';
import { formatsOf, optimizerFacts } from './formats.ts';
import type { Job, TransformerConfig } from './job.ts';
import type { Layout } from './layout.ts';
import { parametersPerDevice } from './models/parameters.ts';
import type { MemoryEstimate, MemoryKind } from './prediction.ts';
import { processBytes } from './program/local-step.ts';

/** What the program and the runtime take on a device: Neuron's documents name some 96 MB of code a core; CUDA's context is larger. */
const runtimeBytes = { 'neuron-core': 0.1e9 + 0.4e9, gpu: 0.8e9, cpu: 0.2e9 } as const;

export function memoryOf(job: Job, machine: Machine, layout: Layout): MemoryEstimate {
  const byKind = bytesByKind(job, machine, layout);
  const total = sum(byKind);
  const capacity = machine.device.memoryBytes;
  const spare = capacity - total;
  return {
    byKind,
    total,
    capacity,
    fits: spare >= 0,
    spare,
    // Worked out when somebody asks: a search does not.
    get remedies() {
      return spare >= 0 ? [] : remediesOf(job, machine, layout);
    },
  };
}

type Bytes = Record<MemoryKind, number>;
const sum = (bytes: Bytes): number => Object.values(bytes).reduce((all, own) => all + own, 0);

function bytesByKind(job: Job, machine: Machine, layout: Layout): Bytes {
  const formats = formatsOf(job.precision, machine.device);
  const { moments } = optimizerFacts[job.optimizer];
  const shards = layout.zero1 ? layout.data : 1;
  const program = runtimeBytes[machine.device.kind];
  const { workload } = job;
  if (workload.kind === 'program') {
    const own = workload.memory;
    return {
      weights: own.weights ?? 0,
      gradients: own.gradients ?? 0,
      'master weights': (own['master weights'] ?? 0) / shards,
      'optimizer state': (own['optimizer state'] ?? 0) / shards,
      activations: own.activations ?? 0,
      temporaries: own.temporaries ?? 0,
      // What the compiler counts is of this machine's processors.
      'program and runtime':
        machine.device.kind === 'cpu'
          ? (own['program and runtime'] ?? 0) + processBytes(workload, machine.device.rates)
          : program,
    };
  }
  const parameters = parametersPerDevice(workload, layout);
  return {
    weights: parameters * formats.weight,
    gradients: parameters * formats.gradient,
    'master weights': (parameters * formats.master) / shards,
    'optimizer state': (parameters * moments * formats.moment) / shards,
    activations: activationBytes(job, workload, layout, formats.activation),
    temporaries: temporaryBytes(job, workload, layout, formats.activation),
    'program and runtime': program,
  };
}

/** Bytes that one block keeps for its backward pass, of one micro-batch, on one device. */
export function blockActivationBytes(job: Job, config: TransformerConfig, layout: Layout, bytes: number): number {
  const { tensor: t, microBatch, recompute } = layout;
  const tokens = microBatch * job.sequence;
  const { hidden } = config;
  // Norms, dropout and residuals are copied on each tensor-parallel device, or split with sequence parallelism.
  const aside = layout.sequenceParallel ? t : 1;
  const stream = tokens * hidden;
  if (recompute === 'full') return (stream * bytes) / aside;
  const dropout = config.dropout ? 1 : 0;
  const width = (config.heads + 2 * config.keyValueHeads) * config.headSize;
  const share = config.experts?.perToken ?? 1;
  const inner = config.feedForward * share;
  // Inputs of both norms and of both column-parallel multiplies, dropout masks of both residuals.
  const beside = stream * (4 * bytes + 2 * dropout);
  // Queries, keys, values; the context that the projection reads; the feed-forward's inputs and outputs.
  const inside =
    tokens * (width * bytes + config.heads * config.headSize * bytes + (config.gated ? 3 : 2) * inner * bytes);
  const scores = microBatch * config.heads * job.sequence * job.sequence;
  const core = recompute === 'selective' || job.attention === 'blocked' ? 0 : scores * (2 * bytes + dropout);
  return beside / aside + (inside + core) / t;
}

function activationBytes(job: Job, config: TransformerConfig, layout: Layout, bytes: number): number {
  const { pipeline, interleave, microBatches, tensor, microBatch } = layout;
  const block = blockActivationBytes(job, config, layout, bytes);
  // The first stage holds a micro-batch for each stage after it; interleaving adds a part of a round.
  const inFlight =
    Math.min(pipeline, microBatches) * (interleave > 1 ? 1 + (pipeline - 1) / (pipeline * interleave) : 1);
  const blocks = Math.ceil(config.layers / pipeline) * block * inFlight;
  const tokens = microBatch * job.sequence;
  const ends = pipeline === 1 ? headBytes(job, config, layout) + (tokens * config.hidden * (bytes + 1)) / tensor : 0;
  return blocks + ends;
}

function headBytes(job: Job, config: TransformerConfig, { microBatch, tensor }: Layout): number {
  const rows =
    config.head.kind === 'masked-lm'
      ? config.head.predictionsPerSample(job.sequence)
      : config.head.kind === 'causal-lm'
        ? job.sequence
        : 1;
  const classes = config.head.kind === 'classifier' ? config.head.classes : config.vocabulary / tensor;
  return microBatch * rows * classes * 4; // logits in f32
}

/** What a block needs while it runs: with recomputation all that it keeps otherwise, else its largest pair of tensors. */
function temporaryBytes(job: Job, config: TransformerConfig, layout: Layout, bytes: number): number {
  const all = blockActivationBytes(job, config, { ...layout, recompute: 'none' }, bytes);
  const kept = blockActivationBytes(job, config, layout, bytes);
  const { microBatch, tensor } = layout;
  const scores = job.attention === 'blocked' ? 0 : microBatch * (config.heads / tensor) * job.sequence ** 2;
  const widest = Math.max(
    scores,
    (microBatch * job.sequence * config.feedForward) / tensor,
    microBatch * job.sequence * config.hidden,
  );
  const logits = headBytes(job, config, layout);
  return all - kept + Math.max(2 * widest * bytes, logits);
}

function remediesOf(job: Job, machine: Machine, layout: Layout): string[] {
  const capacity = machine.device.memoryBytes;
  const changes: readonly (readonly [string, Layout, boolean])[] = [
    ['recompute activations selectively', { ...layout, recompute: 'selective' }, layout.recompute === 'none'],
    ['recompute all activations', { ...layout, recompute: 'full' }, layout.recompute !== 'full'],
    ['split the optimizer state (ZeRO-1)', { ...layout, zero1: true }, !layout.zero1 && layout.data > 1],
    ['use sequence parallelism', { ...layout, sequenceParallel: true }, !layout.sequenceParallel && layout.tensor > 1],
    [
      'micro-batches of 1',
      { ...layout, microBatch: 1, microBatches: layout.microBatches * layout.microBatch },
      layout.microBatch > 1,
    ],
  ];
  const useful = changes.filter(([, , possible]) => possible);
  const found: string[] = [];
  for (const [what, changed] of useful) {
    const left = capacity - sum(bytesByKind(job, machine, changed));
    if (left >= 0) found.push(`${what}: then it fits, with ${formatBytes(left)} to spare`);
  }
  if (found.length > 0) return found;
  const all: Layout = Object.assign({}, layout, ...useful.map(([, changed]) => differences(layout, changed)));
  const left = capacity - sum(bytesByKind(job, machine, all));
  if (left >= 0 && useful.length > 0)
    return [`${useful.map(([what]) => what).join(', ')}: all together fit, with ${formatBytes(left)} to spare`];
  const splits = [2, 4, 8, 16, 32, 64].find(factor => {
    const { workload } = job;
    if (workload.kind === 'program' || workload.layers < layout.pipeline * factor) return false;
    return capacity >= sum(bytesByKind(job, machine, { ...all, pipeline: layout.pipeline * factor }));
  });
  if (splits === undefined) return ['a device with more memory, or a smaller model'];
  const besides = useful.length === 0 ? '' : `, with all of: ${useful.map(([what]) => what).join(', ')}`;
  return [`${layout.pipeline * splits} pipeline stages${besides}`];
}

function differences(from: Layout, to: Layout): Partial<Layout> {
  return Object.fromEntries(Object.entries(to).filter(([key, value]) => from[key as keyof Layout] !== value));
}
