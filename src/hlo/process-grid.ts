// The processes of a program, run in turn: each runs until it waits; a collective is computed when
// the last of its processes reaches it. If no process can continue, this is a deadlock: the error lists what each process waits
// for.
import { formatLocation, TrenioError } from '../base/errors.ts';
import type { Literal } from './literal.ts';
import type { GridShape } from './process-groups.ts';
import type { Op } from './program.ts';
import type { Answer, RuntimeValue, Steps, Wait } from './steps.ts';
import { formatType } from './types.ts';

/** Other processes, each in a separate interpreter. */
export interface Peers {
  /** The one process of this interpreter. */
  readonly process: number;
  /** Sends literals to the other processes of a group and returns those of all. */
  allGather(members: readonly number[], mine: readonly Literal[]): readonly (readonly Literal[])[];
}

const shownWaits = 8;

export class ProcessGrid {
  readonly shape: GridShape;
  readonly #peers: Peers | undefined;
  readonly #infeed: string[];
  readonly #channels = new Map<string, (readonly Literal[])[]>();

  /** `infeed`: functions whose results are fed to the processes, in this order. */
  constructor(shape: GridShape, infeed: readonly string[] = [], peers?: Peers) {
    this.shape = shape;
    this.#infeed = [...infeed];
    this.#peers = peers;
  }

  nextInfeed(): string | undefined {
    return this.#infeed.shift();
  }
  send(channel: string, values: readonly Literal[]): void {
    const queue = this.#channels.get(channel);
    if (queue === undefined) this.#channels.set(channel, [values]);
    else queue.push(values);
  }

  /** Runs processes 0, 1 … until they end; returns their results. Throws DEADLOCK and the errors of processes. */
  run(processes: readonly Steps[]): readonly (readonly RuntimeValue[])[] {
    const results = new Map<number, readonly RuntimeValue[]>();
    const waits = new Map<number, Wait>();
    let answers = new Map<number, Answer | undefined>(processes.map((_, p) => [p, undefined]));
    while (answers.size > 0) {
      for (const [p, answer] of answers) {
        // The first resumption starts the generator, which takes no answer yet.
        const step = processes[p]!.next(answer ?? []);
        if (step.done === true) results.set(p, step.value);
        else waits.set(p, this.#checked(step.value, processes.length));
      }
      answers = this.#answers(waits);
      for (const p of answers.keys()) waits.delete(p);
    }
    if (waits.size > 0) throw deadlock(waits);
    for (const [channel, values] of this.#channels) if (values.length > 0) throw unreceived(channel);
    return processes.map((_, p) => results.get(p)!);
  }

  #checked(wait: Wait, running: number): Wait {
    if (wait.kind === 'receive' || this.#peers !== undefined) return wait;
    const missing = wait.members.find(member => member >= running);
    if (missing === undefined) return wait;
    const group = wait.members.join(', ');
    throw new TrenioError('COLLECTIVE_MISMATCH', { op: wait.op.name, missing, group }, { location: wait.op.location });
  }

  /** The processes that can continue, each with the values it waited for. */
  #answers(waits: ReadonlyMap<number, Wait>): Map<number, Answer> {
    const answers = new Map<number, Answer>();
    for (const [p, wait] of waits) {
      if (answers.has(p)) continue;
      if (wait.kind === 'receive') {
        const values = this.#channels.get(wait.channel)?.shift();
        if (values !== undefined) answers.set(p, [values]);
      } else if (this.#peers !== undefined) {
        answers.set(p, this.#peers.allGather(wait.members, wait.operands));
      } else {
        const all = wait.members.map(member => waits.get(member));
        if (!all.every(other => other !== undefined && meets(wait, other))) continue;
        const answer = all.map(other => (other as typeof wait).operands);
        requireSameTypes(wait.op, wait.members, answer);
        for (const member of wait.members) answers.set(member, answer);
      }
    }
    return answers;
  }
}

function meets(wait: Wait, other: Wait): boolean {
  if (wait.kind !== 'rendezvous' || other.kind !== 'rendezvous') return false;
  return (
    wait.op.name === other.op.name &&
    wait.channel === other.channel &&
    wait.members.length === other.members.length &&
    wait.members.every((member, i) => member === other.members[i])
  );
}

function requireSameTypes(op: Op, members: readonly number[], answer: Answer): void {
  const show = (values: readonly Literal[]): string => `(${values.map(v => formatType(v.type)).join(', ')})`;
  const first = show(answer[0]!);
  const at = answer.findIndex(values => show(values) !== first);
  if (at === -1) return;
  const detail = `process ${members[at]} has ${show(answer[at]!)}, process ${members[0]} has ${first}`;
  throw new TrenioError(
    'INVALID_OP',
    { op: op.name, constraint: `trenio_${op.name}_members`, detail },
    { location: op.location },
  );
}

function deadlock(waits: ReadonlyMap<number, Wait>): TrenioError {
  const describe = ([process, wait]: [number, Wait]): string => {
    const { op } = wait;
    const at = op.location === undefined ? '' : ` (${formatLocation(op.location)})`;
    if (wait.kind === 'receive')
      return `process ${process} waits at ${op.name}${at} for data in channel ${wait.channel}`;
    const late = wait.members.filter(member => {
      const other = waits.get(member);
      return other === undefined || !meets(wait, other);
    });
    return `process ${process} waits at ${op.name}${at} for process ${late.join(', ')}`;
  };
  const lines = [...waits].slice(0, shownWaits).map(describe);
  if (waits.size > shownWaits) lines.push(`and ${waits.size - shownWaits} more`);
  return new TrenioError('DEADLOCK', { waits: lines.join('; ') });
}

const unreceived = (channel: string): TrenioError =>
  new TrenioError('DEADLOCK', { waits: `data sent to channel ${channel} is never received` });
