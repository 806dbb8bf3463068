// Keeps Slurm's reservations in sync with the blocks of a cluster: created when a block is bought, moved when it is extended,
// removed after its end; its nodes are drained half an hour earlier.
import type { SlurmClient } from '../slurm/slurm-client.ts';
import { type BlockPhase, type ClusterBlock, phaseAt } from './cluster-block.ts';

/** Slurm stores times in seconds. */
const SAME_MS = 1000;
const PREFIX = 'cr-';
/** The prefix of the reason for a node state that this class has set. */
const REASON = 'capacity block';

export class ReservationKeeper {
  readonly #slurm: SlurmClient;
  readonly #log: (line: string) => void;
  /** The last known phase of each block, so that each change is made once. */
  readonly #phases = new Map<string, BlockPhase>();
  readonly #refused = new Set<string>();

  constructor(slurm: SlurmClient, log: (line: string) => void) {
    this.#slurm = slurm;
    this.#log = log;
  }

  async update(blocks: readonly ClusterBlock[], nowMs: number): Promise<void> {
    const existing = new Map((await this.#slurm.reservations()).map(one => [one.name, one]));
    const open = blocks.filter(block => phaseAt(block, nowMs) !== 'expired');
    for (const name of existing.keys())
      if (name.startsWith(PREFIX) && !open.some(({ id }) => id === name)) await this.#remove(name);
    for (const block of open) {
      const now = existing.get(block.id);
      if (now === undefined) await this.#create(block, nowMs);
      else if (Math.abs(now.endMs - block.endMs) > SAME_MS) await this.#move(block);
    }
    for (const block of blocks) await this.#setNodes(block, phaseAt(block, nowMs));
  }

  async #create(block: ClusterBlock, nowMs: number): Promise<void> {
    const { id, startMs, endMs, nodes, ownsNodes } = block;
    // Slurm requires a list of users: everyone except one who never has jobs. Jobs of the block's own queue need not name it.
    const flags = ownsNodes ? 'IGNORE_JOBS,MAGNETIC' : 'IGNORE_JOBS';
    try {
      await this.#slurm.run(
        'scontrol',
        'create',
        'reservation',
        `ReservationName=${id}`,
        `StartTime=${startMs <= nowMs ? 'now' : slurmTime(startMs)}`,
        `EndTime=${slurmTime(endMs)}`,
        `Nodes=${nodes.join(',')}`,
        'Users=-daemon',
        `Flags=${flags}`,
      );
      this.#refused.delete(id);
      this.#log(`reservation ${id}: ${nodes.length} nodes until ${new Date(endMs).toISOString()}`);
    } catch (error) {
      // Retried at each poll, but logged only once.
      if (!this.#refused.has(id)) this.#log((error as Error).message);
      this.#refused.add(id);
    }
  }

  async #move({ id, endMs }: ClusterBlock): Promise<void> {
    await this.#slurm.run('scontrol', 'update', `ReservationName=${id}`, `EndTime=${slurmTime(endMs)}`);
    this.#log(`reservation ${id} ends at ${new Date(endMs).toISOString()} now`);
  }

  async #remove(id: string): Promise<void> {
    try {
      await this.#slurm.run('scontrol', 'delete', `reservation=${id}`);
      this.#log(`reservation ${id} has ended`);
    } catch (error) {
      // Slurm is still ending its last jobs.
      if (!this.#refused.has(id)) this.#log((error as Error).message);
      this.#refused.add(id);
    }
  }

  async #setNodes(block: ClusterBlock, phase: BlockPhase): Promise<void> {
    const before = this.#phases.get(block.id);
    if (before === phase) return;
    this.#phases.set(block.id, phase);
    const { id, nodes, ownsNodes, startMs, endMs } = block;
    const setTo = (state: string, why: string): Promise<string> =>
      this.#slurm.run('scontrol', 'update', `nodename=${nodes.join(',')}`, `state=${state}`, `reason=${REASON} ${why}`);
    switch (phase) {
      case 'scheduled':
        if (ownsNodes) await setTo('down', `${id} starts at ${new Date(startMs).toISOString()}`);
        break;
      case 'active':
        await this.#resume(nodes);
        break;
      case 'draining':
        await setTo('drain', `${id} ends at ${new Date(endMs).toISOString()}`);
        break;
      case 'expired':
        if (ownsNodes) await setTo('down', `${id} ended at ${new Date(endMs).toISOString()}`);
        else await this.#resume(nodes);
        break;
    }
  }

  /** Resumes nodes that were drained for a block. */
  async #resume(nodes: readonly string[]): Promise<void> {
    const own = new Set(nodes);
    const drained = (await this.#slurm.nodes()).filter(
      ({ name, states, reason }) => own.has(name) && states.includes('drain') && reason?.startsWith(REASON),
    );
    if (drained.length === 0) return;
    const names = drained.map(({ name }) => name).join(',');
    await this.#slurm.run('scontrol', 'update', `nodename=${names}`, 'state=resume');
  }
}

/** Slurm's time format, in the time zone of this machine: `2026-11-20T23:43:39`. */
function slurmTime(ms: number): string {
  const time = new Date(ms);
  const two = (n: number): string => String(n).padStart(2, '0');
  const date = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${date}T${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}
