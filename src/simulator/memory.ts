// Bytes on the fullest device, by kind, and advice to make them fit.
import { formatBytes } from '../base/units.ts';
import { type Layout, shardsOf } from './layout.ts';
import type { MemoryEstimate } from './prediction.ts';
import { processBytes } from './program/process-memory.ts';
import { constantsOf, type StepQuestion } from './question.ts';
import type { MemoryKind } from './run.ts';
import { selectiveIn } from './stack.ts';
import { transformerBytes } from './transformer-memory.ts';

/**
 * The memory of the program and the runtime on a device: Neuron's documentation gives about 96 MB of code per core; CUDA's
 * context is larger.
 */
const runtimeBytes = { 'neuron-core': 0.1e9 + 0.4e9, gpu: 0.8e9, cpu: 0.2e9 } as const;

/** The settings that memory depends on. */
export type MemoryQuestion = Pick<StepQuestion, 'workload' | 'machine' | 'layout' | 'software' | 'constants'>;

/**
 * The memory of one device by kind, in bytes.
 * @example
 * const model = simulator.modelOf('gpt2');
 * const run = { kind: 'training', sequence: 1024, optimizer: 'adamw' } as const;
 * const workload = { model, run, precision: 'bf16-mixed', attention: 'blocked' } as const;
 * const machine = hardware.machineOf('p5.48xlarge');
 * const question = { workload, machine, nodes: 1, space: { globalBatch: 64 } };
 * const { prediction } = simulator.chooseLayout(question, simulator.predict);
 * simulator.memoryOf({ ...question, layout: prediction.layout }).fits // true
 */
export function memoryOf(question: MemoryQuestion): MemoryEstimate {
  const { machine } = question;
  const byKind = bytesByKind(question);
  const total = sum(byKind);
  const capacity = machine.device.memoryBytes;
  const spare = capacity - total;
  return {
    byKind,
    total,
    capacity,
    fits: spare >= 0,
    spare,
    // Computed lazily: a search does not need it.
    get remedies() {
      return spare >= 0 ? [] : remediesOf(question);
    },
  };
}

type Bytes = Record<MemoryKind, number>;
const sum = (bytes: Bytes): number => Object.values(bytes).reduce((all, own) => all + own, 0);

function bytesByKind(question: MemoryQuestion): Bytes {
  const { workload, machine, layout } = question;
  const shards = shardsOf(layout);
  const program = runtimeBytes[machine.device.kind];
  const { model } = workload;
  if (model.kind === 'program') {
    const own = model.memory;
    return {
      weights: own.weights ?? 0,
      gradients: own.gradients ?? 0,
      'master weights': (own['master weights'] ?? 0) / shards,
      'optimizer state': (own['optimizer state'] ?? 0) / shards,
      activations: own.activations ?? 0,
      temporaries: own.temporaries ?? 0,
      // The compiler's figures are for the processors of this machine.
      'program and runtime':
        machine.device.kind === 'cpu'
          ? (own['program and runtime'] ?? 0) + processBytes(model, machine.device)
          : program,
    };
  }
  return {
    ...transformerBytes(workload, model, machine.device, layout, selectiveIn(machine, constantsOf(question))),
    'program and runtime': program,
  };
}

function remediesOf(question: MemoryQuestion): string[] {
  const { workload, machine, layout } = question;
  const capacity = machine.device.memoryBytes;
  if (layout.mesh !== undefined) return ['a layout of more parts: a larger dp_shard or tp'];
  const changes: readonly (readonly [string, Layout, boolean])[] = [
    ['recompute activations selectively', { ...layout, recompute: 'selective' }, layout.recompute === 'none'],
    ['recompute all activations', { ...layout, recompute: 'full' }, layout.recompute !== 'full'],
    ['split the optimizer state (ZeRO-1)', { ...layout, zero1: true }, !layout.zero1 && layout.data > 1],
    [
      'split the gradients as well (ZeRO-2)',
      { ...layout, zero1: true, shard: 'gradients' },
      layout.shard === undefined && layout.data > 1,
    ],
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
    const left = capacity - sum(bytesByKind({ ...question, layout: changed }));
    if (left >= 0) found.push(`${what}: then it fits, with ${formatBytes(left)} to spare`);
  }
  if (found.length > 0) return found;
  const all: Layout = Object.assign({}, layout, ...useful.map(([, changed]) => differences(layout, changed)));
  const left = capacity - sum(bytesByKind({ ...question, layout: all }));
  if (left >= 0 && useful.length > 0)
    return [`${useful.map(([what]) => what).join(', ')}: all together fit, with ${formatBytes(left)} to spare`];
  const splits = [2, 4, 8, 16, 32, 64].find(factor => {
    const { model } = workload;
    if (model.kind === 'program' || model.layers < layout.pipeline * factor) return false;
    return capacity >= sum(bytesByKind({ ...question, layout: { ...all, pipeline: layout.pipeline * factor } }));
  });
  if (splits === undefined) return ['a device with more memory, or a smaller model'];
  const besides = useful.length === 0 ? '' : `, with all of: ${useful.map(([what]) => what).join(', ')}`;
  return [`${layout.pipeline * splits} pipeline stages${besides}`];
}

function differences(from: Layout, to: Layout): Partial<Layout> {
  return Object.fromEntries(Object.entries(to).filter(([key, value]) => from[key as keyof Layout] !== value));
}
