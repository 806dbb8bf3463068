// Keeps Slurm's reservations in sync with the blocks of a cluster: created when a block is bought, moved when it is extended,
// removed after its end; its nodes are drained half an hour earlier. Reservations and drained nodes of an administrator are left
// alone, whatever their names.
import { isTrenioError } from '../../base/errors.ts';
import type { ClusterFolder } from '../cluster-folder.ts';
import type { SlurmClient } from '../slurm/slurm-client.ts';
import { type BlockPhase, type ClusterBlock, phaseAt } from './cluster-block.ts';

/** Slurm stores times in seconds. */
const SAME_MS = 1000;
/** The prefix of the reason for a node state that this class has set. */
const REASON = 'capacity block';

export class ReservationKeeper {
  readonly #slurm: SlurmClient;
  readonly #folder: ClusterFolder;
  readonly #log: (line: string) => void;
  /** The last known phase of each block, so that each change is made once. */
  readonly #phases = new Map<string, BlockPhase>();
  readonly #refused = new Set<string>();

  constructor(slurm: SlurmClient, folder: ClusterFolder, log: (line: string) => void) {
    this.#slurm = slurm;
    this.#folder = folder;
    this.#log = log;
  }

  async update(blocks: readonly ClusterBlock[], nowMs: number): Promise<void> {
    const existing = new Map((await this.#slurm.reservations()).map(one => [one.name, one]));
    const open = blocks.filter(block => phaseAt(block, nowMs) !== 'expired');
    // Slurm 22.05 stores no comment or owner with a reservation, so the ones that are removed are listed in a file.
    const known = this.#folder.reservations();
    const own = new Set([...known, ...blocks.map(({ id }) => id)]);
    for (const name of existing.keys())
      if (own.has(name) && !open.some(({ id }) => id === name)) await this.#remove(name);
    // Written before they are created: one that is created is always listed.
    const wanted = [...new Set([...open.map(({ id }) => id), ...known.filter(name => existing.has(name))])].sort();
    if (wanted.join() !== known.join()) this.#folder.writeReservations(wanted);
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
    const words = [
      `ReservationName=${id}`,
      `StartTime=${startMs <= nowMs ? 'now' : slurmTime(startMs)}`,
      `EndTime=${slurmTime(endMs)}`,
      `Nodes=${nodes.join(',')}`,
      'Users=-daemon',
      `Flags=${flags}`,
    ];
    if (await this.#ask(id, 'create', 'reservation', ...words))
      this.#log(`reservation ${id}: ${nodes.length} nodes until ${new Date(endMs).toISOString()}`);
  }

  async #move({ id, endMs }: ClusterBlock): Promise<void> {
    if (await this.#ask(id, 'update', `ReservationName=${id}`, `EndTime=${slurmTime(endMs)}`))
      this.#log(`reservation ${id} ends at ${new Date(endMs).toISOString()} now`);
  }

  /** Slurm rejects it while it is ending the last jobs. */
  async #remove(id: string): Promise<void> {
    if (await this.#ask(id, 'delete', `reservation=${id}`)) this.#log(`reservation ${id} has ended`);
  }

  /** False if Slurm rejects the command: it is repeated at each poll, but logged only once. */
  async #ask(id: string, ...words: readonly string[]): Promise<boolean> {
    try {
      await this.#slurm.run('scontrol', ...words);
      this.#refused.delete(id);
      return true;
    } catch (error) {
      if (!isTrenioError(error, 'SLURM_FAILED')) throw error;
      if (!this.#refused.has(id)) this.#log(error.message);
      this.#refused.add(id);
      return false;
    }
  }

  async #setNodes(block: ClusterBlock, phase: BlockPhase): Promise<void> {
    const before = this.#phases.get(block.id);
    if (before === phase) return;
    const { id, nodes, ownsNodes, startMs, endMs } = block;
    const setTo = async (state: string, why: string): Promise<void> => {
      const names = await this.#notDrainedByOthers(nodes);
      if (names.length === 0) return;
      await this.#slurm.run('scontrol', 'update', `nodename=${names}`, `state=${state}`, `reason=${REASON} ${why}`);
    };
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
    // Set at the end: a change that did not reach Slurm is made again.
    this.#phases.set(block.id, phase);
  }

  /** A list of nodes. Those that an administrator has drained keep the reason, and are not resumed with the block. */
  async #notDrainedByOthers(nodes: readonly string[]): Promise<string> {
    const own = new Set(nodes);
    const free = (await this.#slurm.nodes()).filter(
      ({ name, states, reason }) => own.has(name) && !(states.includes('drain') && !reason?.startsWith(REASON)),
    );
    return free.map(({ name }) => name).join(',');
  }

  /** Resumes nodes that were drained for a block. */
  async #resume(nodes: readonly string[]): Promise<void> {
    const own = new Set(nodes);
    const drained = (await this.#slurm.nodes()).filter(
      ({ name, states, reason }) => own.has(name) && states.includes('drain') && reason?.startsWith(REASON),
    );
    if (drained.length === 0) return;
    await this.#slurm.resume(drained.map(({ name }) => name));
  }
}

/** Slurm's time format, in the time zone of this machine: `2026-11-20T23:43:39`. */
function slurmTime(ms: number): string {
  const time = new Date(ms);
  const two = (n: number): string => String(n).padStart(2, '0');
  const date = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${date}T${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}
