// Which stage computes what. A value of the forward pass belongs to the last stage whose border it depends on; one of the
// backward pass to the first stage whose gradient it depends on. Values that depend on no state (masks, positions, the divided
// batch) are computed wherever they are needed.
import { type SourceLocation, TrenioError } from '../../base/errors.ts';
import { type PipelineSettings, type StageBorder, stageBorderOf } from '../../hlo/ops/stage-border.ts';
import type { Op, Value } from '../../hlo/program.ts';
import type { OneMicroBatch } from './micro-batches.ts';
import type { ActionKind } from './schedules.ts';
import { readsOf } from './stage-program.ts';

/** The work of a stage for a micro-batch in one action. */
export interface Task {
  readonly kind: ActionKind;
  readonly stage: number;
}
export const taskKey = ({ kind, stage }: Task): string => `${kind}${stage}`;
/** The order in which a micro-batch passes through tasks. */
export const orderOf = ({ kind, stage }: Task, stages: number): number =>
  kind === 'F' ? stage : 2 * (2 * stages - stage) + (kind === 'W' ? 1 : 0);

type Where =
  | { readonly kind: 'anywhere' }
  /** Computed from parameters only: wherever it is needed, too, from copies of them. */
  | { readonly kind: 'weights' }
  /** After a meeting of micro-batches. */
  | { readonly kind: 'late'; readonly location: SourceLocation | undefined }
  | { readonly kind: 'stage'; readonly forward: number; readonly backward: number | undefined };
const anywhere: Where = { kind: 'anywhere' };
const weights: Where = { kind: 'weights' };

export class Tasks {
  readonly settings: PipelineSettings;
  readonly #where = new Map<Value, Where>();
  /** Values of the backward pass of a stage that earlier stages wait for. */
  readonly #awaited = new Set<Value>();
  /** Values that do not depend on the batch. */
  readonly #constant = new Set<Value>();
  /** Copies of values of the forward pass that the backward pass uses instead of these. */
  readonly #repeated = new Set<Value>();
  #splitsBackward = false;

  constructor(
    { func, meetings, device }: OneMicroBatch,
    homes: readonly (number | undefined)[],
    settings: PipelineSettings,
  ) {
    this.settings = settings;
    this.#where.set(device, anywhere);
    func.body.args.forEach((arg, i) => {
      this.#where.set(arg, homes[i] === undefined ? anywhere : weights);
      if (homes[i] !== undefined) this.#constant.add(arg);
    });
    const met = new Map([...meetings].map(([to, meeting]) => [to, meeting]));
    for (const op of func.body.ops) {
      const reads = readsOf(op);
      for (const value of reads) {
        const meeting = met.get(value);
        if (meeting === undefined || this.#where.has(value)) continue;
        const from = this.#where.get(meeting.from) ?? anywhere;
        this.#where.set(value, from.kind === 'anywhere' ? anywhere : { kind: 'late', location: meeting.location });
      }
      const isConstant = reads.every(value => value === device || this.#constant.has(value));
      const where = this.#of(reads, stageBorderOf(op), isConstant);
      const isRepeated = op.name === 'optimization_barrier' || reads.some(value => this.#repeated.has(value));
      for (const result of op.results) {
        this.#where.set(result, where);
        if (isConstant) this.#constant.add(result);
        if (isRepeated && where.kind === 'stage' && where.backward === undefined) this.#repeated.add(result);
      }
    }
    for (const [to, { from, location }] of meetings)
      if (!this.#where.has(to)) {
        const isFree = (this.#where.get(from) ?? anywhere).kind === 'anywhere';
        this.#where.set(to, isFree ? anywhere : { kind: 'late', location });
      }
  }

  #of(reads: readonly Value[], border: StageBorder | undefined, isConstant: boolean): Where {
    let [forward, backward, isAnywhere] = [0, undefined as number | undefined, true];
    for (const value of reads) {
      const where = this.#where.get(value) ?? anywhere;
      if (where.kind === 'late') return where;
      if (where.kind === 'anywhere') continue;
      isAnywhere = false;
      if (where.kind === 'weights') continue;
      forward = Math.max(forward, where.forward);
      if (where.backward !== undefined) backward = Math.min(backward ?? where.backward, where.backward);
    }
    if (border?.isBackward === true)
      return { kind: 'stage', forward, backward: Math.min(backward ?? border.stage, border.stage) };
    if (isAnywhere) return anywhere;
    if (isConstant && border === undefined && reads.every(value => this.#where.get(value)?.kind !== 'stage'))
      return weights;
    return { kind: 'stage', forward: Math.max(forward, border?.stage ?? 0), backward };
  }

  isAnywhere(value: Value): boolean {
    return (this.#where.get(value) ?? anywhere).kind === 'anywhere';
  }
  /** Whether a value is computed by each task that needs it. */
  isCopied(value: Value): boolean {
    const { kind } = this.#where.get(value) ?? anywhere;
    return kind === 'anywhere' || kind === 'weights';
  }
  /** Whether it differs from micro-batch to micro-batch, and belongs to a stage. */
  isOfStage(value: Value): boolean {
    return this.#where.get(value)?.kind === 'stage';
  }
  /** @throws {UNSUPPORTED} for a value that depends on several micro-batches */
  of(value: Value): Task {
    const where = this.#where.get(value) ?? anywhere;
    if (where.kind === 'late') throw needsWholeBatch(where.location);
    const last = this.settings.stages - 1;
    if (where.kind === 'anywhere' || where.kind === 'weights') return { kind: 'F', stage: 0 };
    if (where.backward === undefined) return { kind: 'F', stage: Math.min(where.forward, last) };
    const stage = Math.max(0, where.backward - 1);
    return { kind: !this.#splitsBackward ? 'B' : this.#awaited.has(value) ? 'I' : 'W', stage };
  }

  /**
   * Ops that `checkpoint` copied, and that only the backward pass of the same stage needs, belong to it: their values need not be
   * kept. `needed`: the ops of all tasks, in order.
   */
  delayRepeated(needed: readonly Op[]): void {
    const users = new Map<Value, Set<string>>();
    for (const op of needed.toReversed()) {
      const [result] = op.results as readonly [Value, ...Value[]];
      const { kind, stage } = this.of(result);
      const used = new Set(op.results.flatMap(value => [...(users.get(value) ?? [])]));
      if (kind === 'F' && this.#repeated.has(result) && used.size === 1 && used.has(`B${stage}`))
        for (const value of op.results) this.#where.set(value, { kind: 'stage', forward: stage, backward: stage + 1 });
      const key = taskKey(this.of(result));
      for (const value of readsOf(op)) users.set(value, (users.get(value) ?? new Set()).add(key));
    }
  }
  /** From now on, gradients that earlier stages wait for are separate tasks. */
  splitBackward(needed: ReadonlySet<Op>): void {
    const pending: Value[] = [];
    for (const op of needed) {
      const to = this.of(op.results[0]!);
      if (to.kind !== 'B') continue;
      for (const value of readsOf(op)) {
        if (this.isCopied(value)) continue;
        const from = this.of(value);
        if (from.kind === 'B' && from.stage !== to.stage) pending.push(value);
      }
    }
    for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
      if (this.#awaited.has(value)) continue;
      for (const result of value.op?.results ?? []) this.#awaited.add(result);
      if (value.op === undefined) continue;
      const { stage } = this.of(value);
      for (const read of readsOf(value.op)) {
        if (this.isCopied(read)) continue;
        const from = this.of(read);
        if (from.kind === 'B' && from.stage === stage) pending.push(read);
      }
    }
    this.#splitsBackward = true;
  }
}

export const needsWholeBatch = (location: SourceLocation | undefined): TrenioError =>
  new TrenioError(
    'UNSUPPORTED',
    {
      what: 'a model that needs a value of the whole batch before its backward pass',
      where: 'a pipeline with micro-batches',
      instead: 'compute it from each example by itself, or use one micro-batch',
    },
    { location },
  );
