// `trenio ls` as neuron-ls sees a machine: the CPUs and the memory of each NUMA node are a device, its CPUs are NeuronCores.
import { join } from 'node:path';
import { parseCpuList } from '../../base/cpu-list.ts';
import { version } from '../../base/version.ts';
import { formatCpuList } from '../../distributed/launch/core-shares.ts';
import { listBelow, type Machine, readBelow } from '../../runtime/execution/cores.ts';
import type { RunningProcess } from '../../runtime/profiling/running-processes.ts';

export interface NumaNode {
  readonly node: number;
  readonly cpus: readonly number[];
  readonly memoryBytes: number;
  /** The distances to all nodes, in their order; that of a node to itself is 10. */
  readonly distances: readonly number[];
}

/** A machine that does not report its nodes counts as one. */
export function numaNodes(machine: Pick<Machine, 'allowed' | 'memoryBytes'>, root = '/'): readonly NumaNode[] {
  const directory = 'sys/devices/system/node';
  const read = readBelow(root);
  const nodes = listBelow(root, directory)
    .flatMap(name => /^node(\d+)$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)
    .map((node): NumaNode => {
      const text = (file: string): string => read(join(directory, `node${node}`, file)) ?? '';
      return {
        node,
        cpus: parseCpuList(text('cpulist')) ?? [],
        memoryBytes: 1024 * Number(/MemTotal:\s*(\d+)/.exec(text('meminfo'))?.[1] ?? 0),
        distances: text('distance').trim().split(/\s+/).map(Number),
      };
    });
  if (nodes.length > 0) return nodes;
  return [{ node: 0, cpus: machine.allowed, memoryBytes: machine.memoryBytes, distances: [10] }];
}

/** The list that `neuron-ls -j` prints. */
export function neuronDevices(nodes: readonly NumaNode[], processes: readonly RunningProcess[]): readonly object[] {
  return nodes.map(({ node, cpus, memoryBytes }) => ({
    neuron_device: node,
    bdf: '',
    cpu_affinity: formatCpuList(cpus),
    numa_node: `${node}`,
    connected_to: nodes.filter(other => other.node !== node).map(other => other.node),
    nc_count: cpus.length,
    logical_neuroncore_config: 1,
    memory_size: memoryBytes,
    neuroncore_ids: cpus,
    neuron_processes: processes
      .filter(process => process.cpus.some(cpu => cpus.includes(cpu)))
      .map(({ pid, command }) => ({ pid, command: command.join(' '), neuron_runtime_version: version })),
  }));
}

/** The nodes, and how far each is from the others. */
export function describeTopology(nodes: readonly NumaNode[]): string {
  const label = (node: number): string => `node ${node}`;
  const width = Math.max(...nodes.map(({ node }) => label(node).length)) + 2;
  const rows = nodes.map(
    ({ node, distances }) =>
      label(node).padEnd(width) + nodes.map((_, i) => `${distances[i] ?? '?'}`.padStart(width)).join(''),
  );
  const head = ' '.repeat(width) + nodes.map(({ node }) => label(node).padStart(width)).join('');
  const cpus = nodes.map(({ node, cpus: own }) => `${label(node).padEnd(width)} CPUs ${formatCpuList(own)}`);
  return [...cpus, '', 'relative distance of memory (10 is local)', head, ...rows].join('\n');
}
