// The parts of a step: the time of each stage's passes, every collective, the optimizer, and which of it is
// exposed. The step time is the sum of the exposed pieces; the timeline places the same pieces in time.
import { invariant } from '../base/errors.ts';
import type { Machine, MultiplyType } from '../hardware/machine.ts';
import {
  type CollectiveKind,
  type CollectiveTime,
  collectiveTime,
  type Group,
  groupOfDevices,
} from './collectives/index.ts';
import { addSpent, nothing, type Spent, scaleSpent, spend } from './engines/spent.ts';
import { formatsOf, wantedMultiply } from './formats.ts';
import { blocksOfChunk, blocksOfStage, chunksOf, type Layout, shardsOf } from './layout.ts';
import { modelFlopsPerSample } from './models/flops.ts';
import { parametersPerDevice } from './models/parameters.ts';
import { accumulationTime, optimizerTime, type Passes, passesOf, programTime } from './passes.ts';
import { type Placement, placementOf } from './placement.ts';
import { mainMultiplyType } from './program/formats.ts';
import { constantsOf, type StepQuestion } from './question.ts';
import type { Phase } from './run.ts';
import { type Stack, stackOf } from './stack.ts';
import { bucketsOf, type ChunkTimes, exposedGradients, pipelineOf } from './step-schedule.ts';
import { playStages, type Timeline } from './timeline/index.ts';
import type { ProgramDivision, ProgramStages, RecordedProgram, StageSend, TransformerConfig } from './workload.ts';

export interface Exposed {
  readonly phase: Phase;
  readonly time: Spent;
}
export interface StepPieces {
  readonly exposed: readonly Exposed[];
  /** Chunk k of the model, which stage k mod `pipeline` holds. */
  readonly chunkTimes: (k: number) => ChunkTimes;
  readonly sendSeconds: number;
  readonly gradientCollectiveSeconds: number;
  /**
   * The number of buckets of each chunk's gradients. A bucket is sent as soon as the last backward pass has computed it. 0: all
   * are sent at the end.
   */
  readonly gradientBuckets: number;
  readonly optimizerSeconds: number;
  readonly gatherSeconds: number;
  readonly overheadSeconds: number;
  /** The step of a program in stages, without overhead. */
  readonly played?: Timeline | undefined;
  readonly modelFlops: number;
  readonly hardwareFlops: number;
  /** The peak of one device in the workload's multiply format. */
  readonly peakFlops: number;
  readonly assumptions: readonly string[];
}

export function stepPieces(question: StepQuestion): StepPieces {
  const { model } = question.workload;
  return model.kind === 'program' ? programPieces(question, model) : transformerPieces(question, model);
}

function transformerPieces(question: StepQuestion, config: TransformerConfig): StepPieces {
  const { workload, machine, nodes, layout } = question;
  const { device } = machine;
  const { microBatches, pipeline, interleave, data, recompute, recomputeEvery = 1 } = layout;
  const stack = stackOf(machine, nodes, constantsOf(question));
  const formats = formatsOf(workload.precision, device);
  const placement = placementOf(layout, machine);
  const passes = passesOf(question, config);
  const parameters = parametersPerDevice(config, layout);

  // One micro-batch on one stage.
  const collectives = blockCollectives(passes, layout, machine, placement, config, stack);
  // A blocked kernel keeps no scores and computes them again in any case.
  const core = workload.attention === 'blocked' ? undefined : passes.attentionCore;
  const selected = stack.selective === 'scores' ? core : passes.unsaved;
  const again = recompute === 'full' ? passes.forward : recompute === 'selective' ? selected : undefined;
  const repeated = again === undefined ? nothing : scaleSpent(again.time, 1 / recomputeEvery);
  const accumulation = microBatches === 1 ? nothing : accumulationTime(parameters, question);
  const start = spend('launch', stack.programStart);
  // Work done once per micro-batch and stage is spread over the chunks of the stage.
  const chunks = chunksOf(layout);
  const blocksOf = (k: number): number => blocksOfChunk(config.layers, chunks, k);
  const atEnds = (k: number, first: Spent, last: Spent): Spent =>
    addSpent(k === 0 ? first : nothing, k === chunks - 1 ? last : nothing);
  // Sharded gradients and weights are exchanged block by block.
  const messages = layout.shard === undefined ? 1 : 1 + blocksOfStage(config.layers, layout, 0);
  const repeat = (one: CollectiveTime): CollectiveTime => timesOf(one, messages);
  const gradientBytes = (parameters * formats.collective) / messages;
  const gradients = repeat(gradientCollective(gradientBytes, layout, placement, machine));
  const shards = shardsOf(layout);
  const gather =
    shards > 1
      ? repeat(collective('all-gather', (parameters * formats.weight) / messages, placement.shards, machine))
      : noTime;
  const computed = (k: number): ChunkTimes => {
    const own = blocksOf(k);
    return {
      forward:
        own * passes.forward.time.seconds +
        atEnds(k, passes.firstForward.time, passes.lastForward.time).seconds +
        start.seconds / interleave,
      backward:
        own * passes.backward.time.seconds +
        atEnds(k, passes.firstBackward.time, passes.lastBackward.time).seconds +
        accumulation.seconds / interleave,
      recompute: own * repeated.seconds,
      forwardCollectives: own * collectives.forward.seconds,
      backwardCollectives: own * collectives.backward.seconds,
    };
  };
  const sharding = shardCollectives(layout, stack, gather.seconds / interleave, gradients.seconds / interleave);
  const chunkTimes = (k: number): ChunkTimes => {
    const own = computed(k);
    const { forward, backward } = sharding(own, blocksOf(k));
    return {
      ...own,
      forwardCollectives: own.forwardCollectives + forward,
      backwardCollectives: own.backwardCollectives + backward,
    };
  };

  // Between stages: what passes from one to the next, and filling and draining the pipeline.
  const send =
    pipeline === 1
      ? 0
      : stack.exposedSend *
        (seconds('permute', passes.collectiveBytes / layout.tensor, placement.neighbors, machine) +
          passes.collectiveBytes * stack.sendByte +
          // Activations sent in slices are gathered again among the tensor-parallel devices.
          (layout.sequenceParallel || layout.tensor === 1
            ? 0
            : seconds('all-gather', passes.collectiveBytes, placement.tensor, machine)));
  const waits = pipelineOf(layout, chunkTimes, send);
  // The slowest stage determines the step.
  const { slowest } = waits;
  const atSlowest = (first: Spent, last: Spent): Spent =>
    addSpent(slowest === 0 ? first : nothing, slowest === pipeline - 1 ? last : nothing);
  const most = blocksOfStage(config.layers, layout, slowest);
  const forward = addSpent(
    scaleSpent(passes.forward.time, most),
    atSlowest(passes.firstForward.time, passes.lastForward.time),
  );
  const backward = addSpent(
    addSpent(scaleSpent(passes.backward.time, most), accumulation),
    atSlowest(passes.firstBackward.time, passes.lastBackward.time),
  );
  const blockTime = scaleSpent(addSpent(collectives.forward, collectives.backward), most);

  let sharded = 0;
  for (let k = slowest; k < chunks; k += pipeline) {
    const { forward: fetched, backward: reduced } = sharding(computed(k), blocksOf(k));
    sharded += microBatches * (fetched + reduced);
  }
  // Sharded gradients are reduced with each micro-batch, not again at the end.
  const late = layout.shard === undefined ? gradients : noTime;
  const buckets = bucketsOf(layout, stack);
  const optimizer = optimizerTime(parameters / shards, question);
  const samples = layout.microBatch * microBatches * data;
  const flopsOfMicroBatch =
    config.layers *
      (passes.forward.flops + passes.backward.flops + (again?.flops ?? 0) / recomputeEvery) *
      layout.tensor +
    (passes.firstForward.flops + passes.firstBackward.flops + passes.lastForward.flops + passes.lastBackward.flops) *
      layout.tensor;
  return assemble({
    parts: {
      forward: scaleSpent(forward, microBatches),
      backward: scaleSpent(backward, microBatches),
      recompute: scaleSpent(repeated, microBatches * most),
      'layer collectives': scaleSpent(blockTime, microBatches),
      'pipeline send/recv': spend(placement.neighbors.nodes > 1 ? 'network' : 'intra-node links', waits.sends),
      'pipeline bubble': spend('bubble', waits.bubble),
      'gradient collectives': spend(placement.data.nodes > 1 ? 'network' : 'intra-node links', sharded),
      launch: scaleSpent(start, microBatches),
    },
    gradients: late,
    gradientBuckets: buckets,
    exposedGradients: exposedGradients(late.seconds, buckets, layout, chunkTimes, send),
    gather: layout.shard === 'weights' ? noTime : gather,
    optimizer,
    chunkTimes,
    sendSeconds: send,
    nodes,
    stack,
    modelFlops: modelFlopsPerSample(config, workload.run.sequence) * samples,
    hardwareFlops: flopsOfMicroBatch * microBatches * data,
    peakFlops: device.peakFlops[formats.multiply] ?? device.peakFlops.f32,
    assumptions: [
      ...stack.assumptions,
      ...missingFormat(machine, wantedMultiply(workload.precision)),
      ...balancedRouting(config),
    ],
  });
}

function programPieces(question: StepQuestion, program: RecordedProgram): StepPieces {
  const { workload, machine, nodes, layout } = question;
  const constants = constantsOf(question);
  const { device } = machine;
  const stack = stackOf(machine, nodes, constants);
  const forward = programTime(program.forward, device, constants);
  const backward = programTime(program.backward, device, constants);
  const optimizer = programTime(program.optimizer, device, constants);
  const placement = placementOf(layout, machine);
  const { division } = program;
  const played = division?.stages && stageTimes(division.stages, question, stack);
  const gradients =
    division === undefined ? gradientCollective(program.gradientBytes, layout, placement, machine) : noTime;
  const own =
    division && divisionTimes(division.collectives, machine, stack, forward.time.seconds + backward.time.seconds);
  const start = spend('launch', stack.programStart);
  const { microBatches, data, zero1 } = layout;
  const flops = (forward.flops + backward.flops) * microBatches + optimizer.flops;
  const type = mainMultiplyType(program);
  const splits = zero1 && data > 1;
  const buckets = bucketsOf(layout, stack);
  const chunkTimes = (): ChunkTimes => ({
    forward: forward.time.seconds + start.seconds,
    backward: backward.time.seconds,
    recompute: 0,
    forwardCollectives: 0,
    backwardCollectives: own === undefined ? 0 : own.layers.seconds + own.gradients.seconds,
  });
  const weightBytes = program.memory.weights ?? program.parameters * formatsOf(workload.precision, device).weight;
  return assemble({
    parts: played?.parts ?? {
      forward: scaleSpent(forward.time, microBatches),
      backward: scaleSpent(backward.time, microBatches),
      launch: scaleSpent(start, microBatches),
      ...(own && { 'layer collectives': own.layers, 'gradient collectives': own.gradients }),
    },
    gradients,
    gradientBuckets: buckets,
    exposedGradients: exposedGradients(gradients.seconds, buckets, layout, chunkTimes, 0),
    gather: splits ? collective('all-gather', weightBytes, placement.data, machine) : noTime,
    optimizer: played?.optimizer ?? (splits ? scaleSpent(optimizer.time, 1 / data) : optimizer.time),
    played: played?.timeline,
    chunkTimes,
    sendSeconds: 0,
    nodes,
    stack,
    modelFlops: flops * data,
    hardwareFlops: flops * data,
    peakFlops: device.peakFlops[type] ?? device.peakFlops.f32,
    assumptions: [...stack.assumptions, ...missingFormat(machine, type)],
  });
}

/** The parts of the rank of a pipeline that has most to do, and the time that it waits for others. */
function stageTimes(
  stages: ProgramStages,
  question: StepQuestion,
  stack: Stack,
): { readonly timeline: Timeline; readonly parts: Parts['parts']; readonly optimizer: Spent } {
  const { machine } = question;
  const start = spend('launch', stack.programStart);
  const priced = stages.ranks.map(({ parts }) => {
    const times = Object.entries(parts).map(([name, { work, collectives, phase }]) => {
      const { time } = programTime(work, machine.device, constantsOf(question));
      const { layers, gradients } = divisionTimes(collectives, machine, stack, time.seconds);
      const exchange = addSpent(layers, gradients);
      return [name, { time, exchange, phase, seconds: time.seconds + exchange.seconds + start.seconds }] as const;
    });
    return new Map(times);
  });
  const sendTime = ({ bytes, pairs }: StageSend): Spent => {
    const time = collective('permute', bytes, groupOfDevices(pairs, machine.devices), machine);
    return scaleSpent(spentOn(time), stack.exposedSend);
  };
  const sends = new Map(stages.sends.map(send => [send, sendTime(send)]));
  const timeline = playStages(
    stages,
    (rank, part) => priced[rank]!.get(part)?.seconds ?? 0,
    send => sends.get(send)!.seconds,
  );
  const ranks = stages.ranks.map(({ order }, rank) => {
    const parts = { forward: nothing, backward: nothing, optimizer: nothing, launch: nothing };
    let [layers, gradients, sent] = [nothing, nothing, nothing];
    for (const { part } of order) {
      const own = priced[rank]!.get(part);
      if (own !== undefined) {
        parts[own.phase] = addSpent(parts[own.phase], own.time);
        parts.launch = addSpent(parts.launch, start);
        if (own.phase === 'optimizer') gradients = addSpent(gradients, own.exchange);
        else layers = addSpent(layers, own.exchange);
      }
      for (const [send, time] of sends) if (send.from === rank && send.after === part) sent = addSpent(sent, time);
    }
    const { optimizer, ...others } = parts;
    const all = {
      ...others,
      'layer collectives': layers,
      'gradient collectives': gradients,
      'pipeline send/recv': sent,
    };
    return { optimizer, all, busy: Object.values(all).reduce((sum, { seconds }) => sum + seconds, optimizer.seconds) };
  });
  const { optimizer, all, busy } = ranks.reduce((most, rank) => (rank.busy > most.busy ? rank : most));
  const bubble = spend('bubble', Math.max(0, timeline.seconds - busy));
  return { timeline, optimizer, parts: { ...all, 'pipeline bubble': bubble } };
}

/**
 * The exposed times of the collectives of a program in parts. Where software overlaps gradients, it also gathers parameters
 * early: then only what takes longer than the passes is exposed.
 */
function divisionTimes(
  collectives: ProgramDivision['collectives'],
  machine: Machine,
  { overlapsGradients }: Stack,
  passesSeconds: number,
): { readonly layers: Spent; readonly gradients: Spent } {
  const spent = { layers: nothing, parameters: nothing, optimizer: nothing };
  for (const { kind, bytes, groups, times, waits } of collectives) {
    const time = collective(kind, bytes, groupOfDevices(groups, machine.devices), machine);
    spent[waits] = addSpent(spent[waits], scaleSpent(spentOn(time), times));
  }
  const beside = spent.parameters.seconds + spent.optimizer.seconds;
  const exposed = overlapsGradients && beside > 0 ? Math.max(0, 1 - passesSeconds / beside) : 1;
  return {
    layers: addSpent(spent.layers, scaleSpent(spent.parameters, exposed)),
    gradients: scaleSpent(spent.optimizer, exposed),
  };
}

/**
 * With a real router, the busiest expert gets more tokens: time, memory and all-to-all are computed for an even distribution.
 */
function balancedRouting({ experts }: TransformerConfig): readonly string[] {
  if (experts === undefined) return [];
  const { count, perToken } = experts;
  return [
    `Mixture of experts: routing is assumed to be balanced, each of the ${count} experts with ${perToken} of ${count} of the tokens, none dropped.`,
  ];
}

/** The formats that run in f32 because the device does not support them. */
function missingFormat({ device }: Machine, type: MultiplyType): readonly string[] {
  return device.peakFlops[type] === undefined ? [`${device.name} has no ${type}: multiplies run in f32 there.`] : [];
}

const noTime: CollectiveTime = { seconds: 0, algorithm: 'none', intraSeconds: 0, interSeconds: 0, latencySeconds: 0 };
const collective = (kind: CollectiveKind, bytes: number, group: Group, machine: Machine): CollectiveTime =>
  group.size === 1 ? noTime : collectiveTime({ kind, bytes, group, machine });
const seconds = (kind: CollectiveKind, bytes: number, group: Group, machine: Machine): number =>
  collective(kind, bytes, group, machine).seconds;

const timesOf = (one: CollectiveTime, times: number): CollectiveTime => ({
  algorithm: one.algorithm,
  seconds: one.seconds * times,
  intraSeconds: one.intraSeconds * times,
  interSeconds: one.interSeconds * times,
  latencySeconds: one.latencySeconds * times,
});

/** Latencies count with the links that they are for. */
function spentOn({ seconds: all, interSeconds }: CollectiveTime): Spent {
  return addSpent(spend('network', interSeconds), spend('intra-node links', all - interSeconds));
}

/** Collectives of one block: two per pass, each an all-reduce, or an all-gather and a reduce-scatter of the sequence. */
function blockCollectives(
  passes: Passes,
  layout: Layout,
  machine: Machine,
  placement: Placement,
  config: TransformerConfig,
  { exposedLayer }: Stack,
): { readonly forward: Spent; readonly backward: Spent } {
  const { tensor, sequenceParallel, recompute, expert } = layout;
  let forward = nothing;
  let backward = nothing;
  if (tensor > 1) {
    const size = passes.collectiveBytes;
    const gather = collective('all-gather', size, placement.tensor, machine);
    const both = sequenceParallel
      ? addSpent(spentOn(gather), spentOn(collective('reduce-scatter', size, placement.tensor, machine)))
      : spentOn(collective('all-reduce', size, placement.tensor, machine));
    forward = scaleSpent(both, 2);
    // The backward pass gathers each multiply's input again, because only a slice was stored.
    backward = addSpent(forward, sequenceParallel ? scaleSpent(spentOn(gather), 2) : nothing);
    if (recompute === 'full') backward = addSpent(backward, forward);
    [forward, backward] = [scaleSpent(forward, exposedLayer), scaleSpent(backward, exposedLayer)];
  }
  if (config.experts !== undefined && expert > 1) {
    const routed = passes.collectiveBytes * config.experts.perToken;
    const once = spentOn(collective('all-to-all', routed, placement.expert, machine));
    forward = addSpent(forward, scaleSpent(once, 2));
    backward = addSpent(backward, scaleSpent(once, 2));
  }
  return { forward, backward };
}

/** With hybrid sharding, each shard is then all-reduced among the groups, in the last micro-batch only. */
function gradientCollective(bytes: number, layout: Layout, placement: Placement, machine: Machine): CollectiveTime {
  if (!layout.zero1) return collective('all-reduce', bytes, placement.data, machine);
  const within = collective('reduce-scatter', bytes, placement.shards, machine);
  const whole = collective('all-reduce', bytes / placement.shards.size, placement.replicas, machine);
  const among = timesOf(whole, layout.shard === undefined ? 1 : 1 / layout.microBatches);
  return {
    algorithm: within.algorithm,
    seconds: within.seconds + among.seconds,
    intraSeconds: within.intraSeconds + among.intraSeconds,
    interSeconds: within.interSeconds + among.interSeconds,
    latencySeconds: within.latencySeconds + among.latencySeconds,
  };
}

/**
 * Seconds per micro-batch that the collectives of sharded gradients and weights add to each pass of a chunk: `gather` of its
 * weights before they are used, `reduce` of its gradients afterwards. If they overlap, the first block's are exposed, and the
 * others slow down the computation, with which they share multiprocessors, memory and power.
 */
function shardCollectives(
  { shard }: Layout,
  { overlapsGradients, overlapCost }: Stack,
  gather: number,
  reduce: number,
): (own: ChunkTimes, blocks: number) => { readonly forward: number; readonly backward: number } {
  const exposed = (seconds: number, beside: number, blocks: number): number =>
    overlapsGradients ? seconds / Math.max(1, blocks) + Math.max(seconds * overlapCost, seconds - beside) : seconds;
  const fetched = shard === 'weights' ? gather : 0;
  return (own, blocks) =>
    shard === undefined
      ? { forward: 0, backward: 0 }
      : {
          forward: exposed(fetched, own.forward, blocks),
          backward: exposed(fetched + reduce, own.backward + own.recompute, blocks),
        };
}

interface Parts {
  readonly parts: Readonly<Partial<Record<Phase | 'launch', Spent>>>;
  readonly gradients: CollectiveTime;
  readonly gather: CollectiveTime;
  readonly gradientBuckets: number;
  readonly exposedGradients: number;
  readonly optimizer: Spent;
  readonly played?: Timeline | undefined;
  readonly chunkTimes: (k: number) => ChunkTimes;
  readonly sendSeconds: number;
  readonly nodes: number;
  readonly stack: Stack;
  readonly modelFlops: number;
  readonly hardwareFlops: number;
  readonly peakFlops: number;
  readonly assumptions: readonly string[];
}

function assemble(step: Parts): StepPieces {
  const { parts, gradients, gather, stack, nodes } = step;
  const gradientTime = addSpent(
    gradients.seconds === 0 ? nothing : scaleSpent(spentOn(gradients), step.exposedGradients / gradients.seconds),
    spentOn(gather),
  );
  const { launch = nothing, ...phases } = parts;
  const exposed: Exposed[] = Object.entries(phases).map(([phase, time]) => ({ phase: phase as Phase, time }));
  const busy = exposed.reduce((sum, { time }) => sum + time.seconds, 0) + launch.seconds + step.optimizer.seconds;
  const late = nodes === 1 ? 0 : busy * stack.nodeDeviation * Math.sqrt(2 * Math.log(nodes));
  invariant(busy >= 0 && Number.isFinite(busy), `a step of ${busy} seconds`);
  const overhead = addSpent(launch, addSpent(spend('host', stack.hostStep), spend('stragglers', late)));
  return {
    exposed: [
      ...exposed,
      { phase: 'gradient collectives', time: gradientTime },
      { phase: 'optimizer', time: step.optimizer },
      { phase: 'overhead', time: overhead },
    ],
    chunkTimes: step.chunkTimes,
    sendSeconds: step.sendSeconds,
    gradientCollectiveSeconds: gradients.seconds,
    gradientBuckets: step.gradientBuckets,
    optimizerSeconds: step.optimizer.seconds,
    gatherSeconds: gather.seconds,
    overheadSeconds: stack.hostStep + late,
    played: step.played,
    modelFlops: step.modelFlops,
    hardwareFlops: step.hardwareFlops,
    peakFlops: step.peakFlops,
    assumptions: step.assumptions,
  };
}
