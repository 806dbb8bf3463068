// Decides what each step computes: data in, data out, with a clock that is passed in. There are no phases: each sequence has
// tokens that are not computed yet, one of a stream, many of a prompt, and a step has room for a number of tokens.
//
//   room of a step   │ a token of each stream │ parts of prompts: running ones, then waiting ones │ drafts │
//
// - The order is by priority, which improves with age, then by tenant (waiting ones), then by arrival.
// - Streams leave a part of the room to prompts, and prompts leave the streams their token: neither waits for the other.
// - A sequence gets the blocks of its whole prompt when it is admitted. If a stream needs a block and none is free, the worst
//   running sequence gives all of its blocks back, and is computed again later.
// - A waiting sequence whose next block is being computed for another one waits for it, instead of computing it twice.
import { invariant } from '../../base/errors.ts';
import type { Sequence } from './sequence.ts';
import { SequenceBlocks } from './sequence-blocks.ts';
import { Tenants } from './tenants.ts';

export interface SchedulerOptions {
  readonly blocks: number;
  readonly blockSize: number;
  readonly mostSequences: number;
  /** Tokens of a step. */
  readonly mostTokens: number;
  /** A waiting or running sequence gains one level of priority in this time. */
  readonly agingMs?: number | undefined;
  /** Tokens that may follow the last one of a stream, at most `most`. */
  readonly propose?: ((sequence: Sequence, most: number) => readonly number[]) | undefined;
}

/** The tokens of a sequence that a step computes: `count` tokens from `from`, then the drafts. */
export interface PlannedPart {
  readonly sequence: Sequence;
  readonly from: number;
  readonly count: number;
  readonly drafts: readonly number[];
  /** Whether a token is chosen after the last of `count`. */
  readonly isLast: boolean;
}

export interface Plan {
  readonly parts: readonly PlannedPart[];
  readonly preempted: readonly Sequence[];
  readonly admitted: readonly Sequence[];
}

const DEFAULT_AGING_MS = 10_000;
/** The share of a step that streams leave to prompts: streams fill more only if they are more than the tokens of a step. */
const PROMPT_SHARE = 4;

export class Scheduler {
  readonly blocks: SequenceBlocks;
  readonly #options: SchedulerOptions;
  readonly #agingMs: number;
  readonly #waiting = new Set<Sequence>();
  readonly #running = new Set<Sequence>();
  readonly #tenants = new Tenants();
  #steps = 0;
  #waitingTokens = 0;
  /** Tokens of prompts in a step that has streams, too: more delay the streams. */
  promptRoom: number;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#agingMs = options.agingMs ?? DEFAULT_AGING_MS;
    this.blocks = new SequenceBlocks(options.blocks, options.blockSize);
    this.promptRoom = options.mostTokens;
  }

  get running(): ReadonlySet<Sequence> {
    return this.#running;
  }
  get waiting(): ReadonlySet<Sequence> {
    return this.#waiting;
  }
  /** The tokens of waiting sequences. */
  get waitingTokens(): number {
    return this.#waitingTokens;
  }

  add(sequence: Sequence): void {
    this.#tenants.add(sequence.tenant);
    this.#wait(sequence);
  }

  /** Ends a sequence in any state; its blocks are free for the next plan. */
  finish(sequence: Sequence): void {
    if (sequence.state === 'finished') return;
    this.#leave(sequence);
    this.blocks.release(sequence);
    sequence.state = 'finished';
    this.#tenants.remove(sequence.tenant);
  }

  /** The next step. Its parts must be passed to `advance` or their sequences to `finish` before the next plan. */
  plan(nowMs: number): Plan {
    const { mostTokens, mostSequences } = this.#options;
    this.#steps++;
    const plan = new PlanInWork();
    const order = [...this.#running].sort((a, b) => this.#compare(a, b, nowMs));
    const streams = order.filter(({ missing }) => missing === 1);
    const prompts = order.filter(({ missing }) => missing > 1);
    let left = mostTokens;
    const hasPrompts = prompts.length > 0 || (this.#waiting.size > 0 && this.#running.size < mostSequences);
    const streamRoom = mostTokens - (hasPrompts ? Math.ceil(mostTokens / PROMPT_SHARE) : 0);
    // Streams that do not fit take turns.
    if (streams.length > streamRoom) streams.sort((a, b) => a.lastStep - b.lastStep);
    for (const sequence of streams) {
      if (mostTokens - left >= streamRoom) break;
      if (!this.#running.has(sequence) || !this.#growByOne(sequence, plan, nowMs)) continue;
      this.#part(plan, sequence, 1);
      left--;
    }
    let room = plan.parts.length > 0 ? Math.min(left, Math.max(1, this.promptRoom)) : left;
    const before = room;
    const compute = (sequence: Sequence, isFollowed: boolean): void => {
      // A prompt that takes several steps leaves half of the room to those behind it.
      const most = isFollowed && sequence.missing > room ? Math.ceil(room / 2) : room;
      const count = Math.min(sequence.missing, most);
      if (count === 0) return;
      this.#part(plan, sequence, count);
      room -= count;
    };
    for (const [i, sequence] of prompts.entries())
      if (this.#running.has(sequence)) compute(sequence, i + 1 < prompts.length || this.#waiting.size > 0);
    if (plan.preempted.length === 0) {
      const candidates = new Set(this.#waiting);
      // To consider all of thousands that wait for one prefix would take longer than a step.
      for (let tries = 2 * mostSequences; tries > 0 && room > 0 && candidates.size > 0; tries--) {
        if (this.#running.size >= mostSequences) break;
        const sequence = this.#best(candidates, nowMs);
        candidates.delete(sequence);
        const found = this.blocks.found(sequence);
        if (this.#isComputedElsewhere(sequence, found.length)) continue;
        // Each stream may need a block soon.
        if (!this.blocks.admit(sequence, found, Math.min(this.#running.size, this.#options.blocks >> 3))) break;
        this.#admit(sequence, plan, nowMs);
        compute(sequence, candidates.size > 0);
      }
    }
    left -= before - room;
    this.#addDrafts(plan, left);
    return plan;
  }

  /** After a step: the tokens of a part are computed, `chosen` were chosen, and the drafts before the last of them were right. */
  advance({ sequence, from, count }: PlannedPart, chosen: readonly number[]): void {
    invariant(sequence.state === 'running' && sequence.computed === from, 'a part of a step is not of this sequence');
    sequence.computed = from + count + Math.max(0, chosen.length - 1);
    for (const id of chosen) sequence.tokens.push(id);
    this.blocks.publish(sequence, from);
    // Rejected drafts may have had a block.
    this.blocks.trim(sequence);
  }

  #part(plan: PlanInWork, sequence: Sequence, count: number): void {
    const { computed: from, missing } = sequence;
    plan.parts.push({ sequence, from, count, drafts: [], isLast: count === missing });
    sequence.lastStep = this.#steps;
    this.#tenants.charge(sequence.tenant, count);
  }

  /** Room for one more token. False if the sequence itself was preempted. */
  #growByOne(sequence: Sequence, plan: PlanInWork, nowMs: number): boolean {
    while (!this.blocks.extend(sequence, sequence.tokens.length)) {
      // Those that are part of the plan are not candidates.
      const candidates = [...this.#running].filter(other => other.lastStep !== this.#steps);
      const worst = candidates.reduce((a, b) => (this.#compare(a, b, nowMs) > 0 ? a : b));
      this.#leave(worst);
      this.blocks.release(worst);
      worst.preemptions++;
      plan.preempted.push(worst);
      this.#wait(worst);
      if (worst === sequence) return false;
    }
    return true;
  }

  #admit(sequence: Sequence, plan: PlanInWork, nowMs: number): void {
    this.#leave(sequence);
    this.#running.add(sequence);
    sequence.state = 'running';
    if (sequence.admittedMs === undefined) {
      sequence.admittedMs = nowMs;
      sequence.cachedTokens = sequence.computed;
    }
    plan.admitted.push(sequence);
  }

  #wait(sequence: Sequence): void {
    sequence.state = 'waiting';
    this.#waiting.add(sequence);
    this.#waitingTokens += sequence.tokens.length;
  }

  #leave(sequence: Sequence): void {
    if (this.#waiting.delete(sequence)) this.#waitingTokens -= sequence.tokens.length;
    this.#running.delete(sequence);
  }

  /** Whether a running sequence is about to compute the block after those that were found. */
  #isComputedElsewhere(sequence: Sequence, found: number): boolean {
    const { blockSize } = this.#options;
    const end = (found + 1) * blockSize;
    if (sequence.tokens.length <= end || sequence.isWhole) return false;
    const key = sequence.keyOf(found, blockSize);
    for (const other of this.#running)
      if (
        other.missing > 0 &&
        other.computed < end &&
        other.tokens.length >= end &&
        other.keyOf(found, blockSize) === key
      )
        return true;
    return false;
  }

  #addDrafts(plan: PlanInWork, room: number): void {
    const { propose, blockSize } = this.#options;
    if (propose === undefined) return;
    let left = room;
    for (const [i, part] of plan.parts.entries()) {
      const { sequence, isLast, count } = part;
      if (left <= 0) return;
      if (!isLast || count > 1) continue;
      const drafts = propose(sequence, Math.min(left, sequence.maxNewTokens - sequence.generated - 1));
      if (drafts.length === 0) continue;
      // Drafts never cost another sequence its blocks.
      this.blocks.extend(sequence, sequence.tokens.length + drafts.length);
      const kept = drafts.slice(0, sequence.blocks.length * blockSize - sequence.tokens.length);
      left -= kept.length;
      plan.parts[i] = { ...part, drafts: kept };
    }
  }

  #best(candidates: ReadonlySet<Sequence>, nowMs: number): Sequence {
    let best: Sequence | undefined;
    for (const sequence of candidates)
      if (best === undefined || this.#compareWaiting(sequence, best, nowMs) < 0) best = sequence;
    return best!;
  }

  #compareWaiting(a: Sequence, b: Sequence, nowMs: number): number {
    const shares = this.#tenants.tokensOf(a.tenant) - this.#tenants.tokensOf(b.tenant);
    return this.#level(a, nowMs) - this.#level(b, nowMs) || shares || a.arrivalMs - b.arrivalMs;
  }

  #compare(a: Sequence, b: Sequence, nowMs: number): number {
    return this.#level(a, nowMs) - this.#level(b, nowMs) || a.arrivalMs - b.arrivalMs;
  }

  #level({ priority, arrivalMs }: Sequence, nowMs: number): number {
    return priority - Math.floor((nowMs - arrivalMs) / this.#agingMs);
  }
}

class PlanInWork implements Plan {
  readonly parts: PlannedPart[] = [];
  readonly preempted: Sequence[] = [];
  readonly admitted: Sequence[] = [];
}
