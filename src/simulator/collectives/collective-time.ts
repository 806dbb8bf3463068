// The time of one collective: every algorithm that the communication software has and the topology allows, and the
// cheapest of them.
//
//   one instance     ring, paired ring, mesh, halving-doubling, torus, tree, direct                     (local.ts)
//   several          flat ring: one ring through all ranks of all instances
//                    hierarchical: reduce-scatter within each instance, all-reduce between the equal ranks of all
//                    instances over their network cards, all-gather within each instance
//
// A pure function that takes a few microseconds: a plan search calls it tens of thousands of times.
import { assertNever, TrenioError } from '../../base/errors.ts';
import type { Machine } from '../../hardware/machine.ts';
import type { Algorithm, CollectiveRequest, CollectiveTime, Group } from './collective.ts';
import { localCost } from './local.ts';
import { type Reach, reachOf } from './reach.ts';
import { type CommunicationStack, type LocalAlgorithm, stackOf } from './stack.ts';

/**
 * Seconds of one collective among ranks that all start at the same time. `stack` defaults to the software of the machine.
 * @throws {INVALID_OPTION} for invalid sizes, groups that do not add up or do not fit the machine, and groups of
 *   several instances if the machine has no network
 */
export function collectiveTime(
  request: CollectiveRequest,
  stack: CommunicationStack = stackOf(request.machine),
): CollectiveTime {
  check(request);
  const { kind, bytes, group, machine } = request;
  if (group.size === 1 || bytes === 0) return free;
  const reach = reachOf(machine, group, stack);
  switch (kind) {
    case 'all-reduce':
    case 'reduce-scatter':
    case 'all-gather':
      return group.nodes === 1
        ? withinInstance(kind, bytes, reach, stack)
        : acrossInstances(kind, bytes, reach, request, stack);
    case 'all-to-all':
      return allToAll(bytes, reach, request, stack);
    case 'permute':
      return permute(bytes, reach, request, stack);
    case 'broadcast':
      return broadcast(bytes, reach, request, stack);
    default:
      return assertNever(kind);
  }
}

type Reduction = 'all-reduce' | 'reduce-scatter' | 'all-gather';

const free: CollectiveTime = {
  seconds: 0,
  algorithm: 'none',
  intraSeconds: 0,
  interSeconds: 0,
  latencySeconds: 0,
};

const timeOf = (algorithm: Algorithm, latency: number, intra: number, inter: number): CollectiveTime => ({
  seconds: latency + intra + inter,
  algorithm,
  intraSeconds: intra,
  interSeconds: inter,
  latencySeconds: latency,
});

/** Concurrent phases take as long as the slower one, which gets all of the time. */
const together = (algorithm: Algorithm, latency: number, intra: number, inter: number): CollectiveTime =>
  intra >= inter ? timeOf(algorithm, latency, intra, 0) : timeOf(algorithm, latency, 0, inter);

interface Local {
  readonly algorithm: LocalAlgorithm;
  readonly latency: number;
  readonly transfer: number;
}

function bestLocal(kind: Reduction, bytes: number, reach: Reach, stack: CommunicationStack): Local {
  let best: Local | undefined;
  for (const algorithm of stack.local) {
    let latency = 0;
    let transfer = 0;
    if (kind !== 'all-gather') {
      const cost = localCost(algorithm, true, bytes, reach, stack);
      if (cost === undefined) continue;
      latency += cost.latency;
      transfer += cost.transfer;
    }
    if (kind !== 'reduce-scatter') {
      const cost = localCost(algorithm, false, bytes, reach, stack);
      if (cost === undefined) continue;
      latency += cost.latency;
      transfer += cost.transfer;
    }
    if (best === undefined || latency + transfer < best.latency + best.transfer)
      best = { algorithm, latency, transfer };
  }
  return best!;
}

function withinInstance(kind: Reduction, bytes: number, reach: Reach, stack: CommunicationStack): CollectiveTime {
  const best = bestLocal(kind, bytes, reach, stack);
  return timeOf(best.algorithm, stack.start + best.latency, best.transfer, 0);
}

function acrossInstances(
  kind: Reduction,
  bytes: number,
  reach: Reach,
  { group, machine }: CollectiveRequest,
  stack: CommunicationStack,
): CollectiveTime {
  let best: CollectiveTime | undefined;
  for (const algorithm of (kind === 'all-reduce' ? undefined : stack.networkOneWay) ?? stack.network) {
    const time =
      algorithm === 'flat ring'
        ? flatRing(kind, bytes, reach, group, machine, stack)
        : hierarchical(algorithm, kind, bytes, reach, group, machine, stack);
    if (best === undefined || time.seconds < best.seconds) best = time;
  }
  return best!;
}

/** One ring through everything: in every round each instance is entered and left once. */
function flatRing(
  kind: Reduction,
  bytes: number,
  reach: Reach,
  { size, nodes, groupsPerNode }: Group,
  machine: Machine,
  stack: CommunicationStack,
): CollectiveTime {
  let steps = 0;
  let touches = 0;
  let rounds = 0;
  if (kind !== 'all-gather') {
    rounds++;
    touches += 3;
    steps += stack.reduceStep;
  }
  if (kind !== 'reduce-scatter') {
    rounds++;
    touches += 2;
    steps += stack.gatherStep;
  }
  const hops = rounds * ((size - nodes) * reach.hop + (nodes - 1) * machine.network!.latency);
  const moved = (bytes * (size - 1)) / size;
  return together(
    'flat ring',
    stack.start + hops + (size - 1) * steps,
    Math.max((rounds * moved) / reach.chipRate, (touches * moved) / reach.memoryRate),
    (rounds * moved * groupsPerNode) / (cardRate(machine, reach, groupsPerNode) * stack.networkEfficiency),
  );
}

/** Every rank all-reduces its slice of its instance's sum with the equal ranks of the other instances. */
function hierarchical(
  algorithm: 'hierarchical ring' | 'hierarchical halving-doubling',
  kind: Reduction,
  bytes: number,
  reach: Reach,
  { nodes, groupsPerNode }: Group,
  machine: Machine,
  stack: CommunicationStack,
): CollectiveTime {
  const local = bestLocal(kind, bytes, reach, stack);
  const rounds = kind === 'all-reduce' ? 2 : 1;
  const network = machine.network!.latency;
  const sent = (rounds * bytes * groupsPerNode * (nodes - 1)) / nodes;
  const rate = cardRate(machine, reach, groupsPerNode) * stack.networkEfficiency;
  if (algorithm === 'hierarchical ring') {
    const steps = (kind === 'all-gather' ? 0 : stack.reduceStep) + (kind === 'reduce-scatter' ? 0 : stack.gatherStep);
    const latency = stack.start + local.latency + (nodes - 1) * (rounds * network + steps);
    return timeOf(algorithm, latency, local.transfer, sent / rate);
  }
  // A number of instances that is not a power of two needs a step before and one after.
  const steps = Math.ceil(Math.log2(nodes)) + ((nodes & (nodes - 1)) === 0 ? 0 : 1);
  const latency = stack.start + local.latency + rounds * steps * network;
  return timeOf(algorithm, latency, local.transfer, sent / (rate * stack.collectiveEfficiency));
}

function allToAll(
  bytes: number,
  reach: Reach,
  { group, machine }: CollectiveRequest,
  stack: CommunicationStack,
): CollectiveTime {
  const { size, ranksPerNode, nodes, groupsPerNode } = group;
  const { ranks, ranksPerChip, chips, chipRate, distance, memoryRate, hop } = reach;
  const offChip = chips === 1 ? 0 : (ranksPerChip * bytes * (ranks - ranksPerChip) * distance) / size;
  const intra = Math.max(offChip / chipRate, (2 * bytes * (size - 1)) / size / memoryRate);
  if (nodes === 1) return timeOf('direct', stack.start + hop, intra, 0);
  const out = (ranksPerNode * groupsPerNode * bytes * (size - ranksPerNode)) / size;
  // Messages to the other instances are issued sequentially.
  const latency = stack.start + machine.network!.latency + (nodes - 1) * hop;
  return together('direct', latency, intra, out / (cardRate(machine, reach, groupsPerNode) * stack.networkEfficiency));
}

const oneRank = { ranks: 1 };

function permute(
  bytes: number,
  reach: Reach,
  { group, machine }: CollectiveRequest,
  stack: CommunicationStack,
): CollectiveTime {
  const { ranks, ranksPerChip, chips, chipRate, links, memoryRate, hop } = reach;
  const link = chips > 1 && ranksPerChip < ranks ? bytes / (chipRate / links) : 0;
  const intra = ranks === 1 ? 0 : Math.max(link, (2 * bytes) / memoryRate);
  if (group.nodes === 1) return timeOf('direct', stack.start + hop, intra, 0);
  // One rank of each group sends to the next instance.
  const inter =
    (bytes * group.groupsPerNode) / (cardRate(machine, oneRank, group.groupsPerNode) * stack.networkEfficiency);
  return together('direct', stack.start + machine.network!.latency, intra, inter);
}

function broadcast(
  bytes: number,
  reach: Reach,
  { group, machine }: CollectiveRequest,
  stack: CommunicationStack,
): CollectiveTime {
  // In pieces that follow each other down a tree, so that depth costs hops only.
  const { ranks, chips, chipRate, memoryRate, hop } = reach;
  const latency = stack.start + Math.ceil(Math.log2(ranks)) * hop;
  const link = chips > 1 ? bytes / chipRate : 0;
  const intra = ranks === 1 ? 0 : Math.max(link, (2 * bytes) / memoryRate);
  if (group.nodes === 1) return timeOf('tree', latency, intra, 0);
  const inter =
    (bytes * group.groupsPerNode) / (cardRate(machine, reach, group.groupsPerNode) * stack.networkEfficiency);
  return together('tree', latency + Math.ceil(Math.log2(group.nodes)) * machine.network!.latency, intra, inter);
}

/**
 * Bytes/s that an instance sends at. Network cards are attached to chips: if only some chips have ranks that send, only their
 * cards are used.
 */
function cardRate(machine: Machine, { ranks }: { readonly ranks: number }, groupsPerNode: number): number {
  const bandwidth = machine.network!.bandwidth;
  if (machine.fabric.kind === 'none') return bandwidth;
  return bandwidth * Math.min(1, (ranks * groupsPerNode) / machine.chips);
}

function check({ bytes, group, machine }: CollectiveRequest): void {
  const { size, ranksPerNode, nodes, groupsPerNode } = group;
  if (!(bytes >= 0 && bytes < Infinity)) refuse('bytes', bytes, 'a number of bytes, 0 or more');
  if (!(Number.isInteger(ranksPerNode) && ranksPerNode >= 1 && ranksPerNode <= machine.devices)) {
    refuse('group.ranksPerNode', ranksPerNode, `1 to ${machine.devices}, the devices of ${machine.name}`);
  }
  if (!(Number.isInteger(nodes) && nodes >= 1)) refuse('group.nodes', nodes, 'an integer, 1 or more');
  // The last instance may be filled in part.
  if (!(Number.isInteger(size) && size <= ranksPerNode * nodes && size > ranksPerNode * (nodes - 1))) {
    refuse('group.size', size, `${ranksPerNode} ranks on each of ${nodes} instance${nodes === 1 ? '' : 's'}`);
  }
  if (!(groupsPerNode > 0 && groupsPerNode * ranksPerNode <= machine.devices)) {
    refuse('group.groupsPerNode', groupsPerNode, `at most ${machine.devices / ranksPerNode} on ${machine.name}`);
  }
  if (nodes > 1 && machine.network === undefined) {
    refuse('group.nodes', nodes, `1, as ${machine.name} has no network to others`);
  }
}

function refuse(option: string, got: number, expected: string): never {
  throw new TrenioError('INVALID_OPTION', { what: 'collectiveTime', option, got: String(got), expected });
}
