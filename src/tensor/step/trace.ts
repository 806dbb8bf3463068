// The recording of tensor calls on one device, step after step. The end of a step clears the lists here, but
// values keep the ops that define them: values of earlier steps can be recomputed as long as their inputs exist.
//
// A trace keeps as few references as possible. Values refer to the ops that define them, so the graph is kept alive by the
// tensors that the user still has, and unreachable parts are garbage-collected: a loop that only reads does not need to mark
// steps. The live-outs of a step, held here, are:
//   - assigned state, with the memory that its new value may take over
//   - leaves that were given gradients
//   - tensors on which backward() or keep() was called, results of outermost module calls
//   - results that no other call has used yet
//   - scalars made while gradients are recorded, such as parts of a loss
// Which tensors are outputs never depends on the garbage collector: otherwise the program would change from step to step.

import type { RecomputedPart } from '../../autodiff/index.ts';
import { Builder } from '../../hlo/builder.ts';
import type { Op, TensorValue, Value } from '../../hlo/program.ts';
import type { TensorType } from '../../hlo/types.ts';
import type { Backend } from '../../runtime/backends/backend.ts';
import type { DeviceBuffer } from '../../runtime/execution/executable.ts';
import type { GradientHook, GradientNode } from '../gradients/gradient-node.ts';
import { levelsOf } from '../gradients/gradient-sums.ts';
import type { Executions } from '../random/random.ts';
import { isShared, type PartialGradient, share, type TensorImpl, typeChanges, type UsedAs } from '../tensor-impl.ts';
import type { HostInput } from './host-input.ts';
import type { IndexCheck } from './index-checks.ts';
import { type Phase, Sections } from './sections.ts';

/** The binding of an argument of the program. */
export interface ArgumentSource {
  readonly buffer: DeviceBuffer;
  readonly impl: TensorImpl | undefined;
  readonly host: HostInput | undefined;
}

/** A program that was run for a read, in the step that is being recorded. */
export interface EarlierRead {
  /** Its ops, in an order that is the same each time. */
  readonly ops: ReadonlySet<Op>;
  readonly at: ReadPlace;
}
/** The information about the reads at a line. */
export interface ReadPlace {
  /** How often the rest of a step has recomputed the results of a read. */
  repeats: number;
  /** The values that the rest of the step uses. */
  used: readonly { readonly op: number; readonly result: number }[];
}

/** A dependency of a compiled function besides its arguments, and its value when the function was traced. */
export interface Guard {
  readonly read: () => unknown;
  readonly was: unknown;
}
/** All dependencies of a compiled function, to be checked at each call. */
export interface Guards {
  readonly reads: Guard[];
  /** The types of the tensors whose memory it uses: models have hundreds. */
  readonly types: { readonly impl: TensorImpl; readonly type: TensorType }[];
  /** The count of type changes at which these types were found unchanged. */
  typesHeldAt: number;
}
export function hold(guards: Guards): boolean {
  const { reads, types } = guards;
  if (guards.typesHeldAt !== typeChanges.count) {
    if (!types.every(({ impl, type }) => impl.type === type)) return false;
    guards.typesHeldAt = typeChanges.count;
  }
  return reads.every(({ read, was }) => Object.is(read(), was));
}

/** More unread results than any sensible step has. Beyond this limit, the oldest are dropped. */
const maxUnusedResults = 16_384;
const maxForwardResults = 64;
/** The limit for each line: a long loop must not replace the scalars of other lines. */
const maxScalars = 64;
const maxStepEnds = 64;

export class Trace {
  readonly backend: Backend;
  readonly builder = new Builder();
  closed = false;
  /** State that was assigned, with the memory of its old value. */
  readonly assigned = new Map<TensorImpl, DeviceBuffer | undefined>();
  readonly graded = new Set<TensorImpl>();
  readonly kept = new Set<TensorImpl>();
  readonly forwardResults = new Set<TensorImpl>();
  readonly unusedResults = new Set<TensorImpl>();
  readonly scalars = new Set<TensorImpl>();
  readonly #scalarsOf = new Map<unknown, TensorImpl[]>();
  /** Tensors on which backward() was called. */
  readonly losses = new Set<TensorImpl>();
  /** Leaves whose gradient was changed, with the previous one. */
  readonly gradients = new Map<TensorImpl, readonly PartialGradient[]>();
  /** Gradients that were cleared after something was added to them, with their previous memory. */
  readonly abandoned = new Map<TensorImpl, DeviceBuffer | undefined>();
  /** Collected while a function is traced for `compile`. */
  guards: Guards | undefined;
  /** Counts the uses of randomness in this pass, so that each samples different numbers: see `random.ts`. */
  readonly uses: { -readonly [K in keyof Executions]: number } = { training: 0, evaluation: 0 };
  /** Calls of `backward()` that were recorded here. */
  backwards = 0;
  /** An optimizer stepped here. */
  isUpdated = false;
  /** Parameters were assigned by the script itself: its next differentiable use of one begins another step. */
  isUpdatedByHand = false;
  /** Modules called under `noGrad` since something was run, and where. */
  readonly evaluated = new Map<object, unknown>();
  sections = new Sections();
  /** Values with ids up to this one were recorded before the current program. */
  begin = -1;
  /** The last ids of the latest steps, after that of an earlier one. */
  readonly stepEnds: number[] = [-1];
  /** Values of earlier steps, and whether steps compute them again: see `held-values.ts`. */
  readonly repeated = new WeakMap<Value, boolean>();
  /** How often each line has recorded something since then. */
  readonly #ordinals = new Map<unknown, number>();
  /** How many numbers each line has recorded since then: see `changing-numbers.ts`. */
  readonly numberCounts = new Map<unknown, number>();
  /** Ids of the ops of optimizers, from and to, in pairs. */
  readonly #updates: number[] = [];
  /** Ops recorded from now on belong to this phase. */
  phase: Phase | undefined;
  /** The ops that `checkpoint` recorded: recomputed by `backward()` instead of being stored. */
  readonly recomputed: RecomputedPart[] = [];
  /** Values that gradients do not flow through, though they were computed from others: detached, or under noGrad. */
  readonly stopped = new WeakSet<Value>();
  /** Results of computations with a custom gradient. */
  readonly nodes = new WeakMap<Value, GradientNode>();
  /** The checks of lookups: results of programs that have these ops. */
  readonly checks = new WeakMap<Op, readonly IndexCheck[]>();
  onCheck: ((check: IndexCheck) => void) | undefined;
  /** Hooks on the gradients of values that are not leaves. */
  readonly hooks = new WeakMap<Value, GradientHook[]>();
  /** The programs of reads in this step, the last few: see `read-results.ts`. */
  readonly reads: EarlierRead[] = [];
  /** The arguments that stand for values that reads in this step have computed. Weak: a loop that only reads has no steps. */
  computed = new WeakMap<Value, Value>();
  /** Whether there are any. */
  hasComputed = false;
  /** The memory of those that may belong to no tensor. */
  readonly #keptForStep: DeviceBuffer[] = [];
  /** Arguments of functions that are being differentiated: what depends on them requires a gradient. */
  readonly active = new Set<Value>();
  /** Arguments of functions that are being recorded for one example: their elements are not to be read. */
  readonly placeholders = new Set<Value>();
  readonly #argumentOf = new WeakMap<TensorImpl, Value>();
  readonly #sourceOf = new WeakMap<Value, ArgumentSource>();
  readonly #leafOf = new WeakMap<Value, TensorImpl>();
  /** Values that the backward pass computes again. */
  readonly usedAgain = new WeakSet<Value>();
  readonly #usedAs = new WeakMap<Value, Value>();
  readonly #hostValues = new Map<HostInput, Value>();
  #arguments = 0;

  constructor(backend: Backend) {
    this.backend = backend;
  }

  sourceOf(value: Value): ArgumentSource | undefined {
    return this.#sourceOf.get(value);
  }
  /** The leaf whose value this is, if it is one. */
  leafOf(value: Value): TensorImpl | undefined {
    return this.#leafOf.get(value);
  }
  markLeaf(value: Value, impl: TensorImpl): void {
    this.#leafOf.set(value, impl);
  }

  /** The argument for the memory of `impl`. */
  argument(impl: TensorImpl, buffer: DeviceBuffer): Value {
    const known = this.#argumentOf.get(impl);
    if (known !== undefined && this.#sourceOf.get(known)?.buffer === buffer) return known;
    const value = this.builder.argument(impl.type, this.#arguments++);
    this.guards?.types.push({ impl, type: impl.type });
    this.#argumentOf.set(impl, value);
    this.#sourceOf.set(value, { buffer, impl, host: undefined });
    this.#leafOf.set(value, impl);
    return value;
  }
  /** An argument whose numbers are provided by the host at each execution; with `once`, all uses in this trace share it. */
  hostArgument(input: HostInput, once = false): Value {
    const known = once ? this.#hostValues.get(input) : undefined;
    if (known !== undefined) return known;
    const value = this.builder.argument(input.type, this.#arguments++);
    const buffer = this.backend.upload(input.type, input.next());
    this.#sourceOf.set(value, { buffer, impl: undefined, host: input });
    if (once) this.#hostValues.set(input, value);
    return value;
  }
  /** A read has computed this value: programs of this step take it as an input. `owner`: the tensor that has the memory. */
  setComputed(value: TensorValue, buffer: DeviceBuffer, owner?: TensorImpl): void {
    const argument = this.builder.argument(value.type, this.#arguments++);
    this.#sourceOf.set(argument, { buffer, impl: undefined, host: undefined });
    this.computed.set(value, argument);
    this.hasComputed = true;
    if (owner === undefined) this.#keptForStep.push(buffer);
    else share(buffer);
  }
  /** A value in another division over the ranks. */
  usedAs(value: Value, { sharding, isRepeated }: UsedAs): Value {
    const known = this.#usedAs.get(value);
    if (known !== undefined && known.id > this.begin) return known;
    const used = this.builder.emit1('sdy.reshard', [value], { sharding });
    if (isRepeated) this.usedAgain.add(used);
    this.#usedAs.set(value, used);
    return used;
  }
  /** The next use of this host input takes new numbers. */
  renewHostArgument(input: HostInput): void {
    this.#hostValues.delete(input);
  }

  /** The program recorded here is only valid as long as `read` returns its current value. */
  dependOn(read: () => unknown): void {
    this.guards?.reads.push({ read, was: read() });
  }
  /** To be called before the gradient of a leaf is set, added to or forgotten. */
  touchGradient(leaf: TensorImpl): void {
    if (this.gradients.has(leaf)) return;
    this.gradients.set(leaf, leaf.partials);
    this.dependOn(() => levelsOf(leaf));
  }
  /** Must be called before a gradient is read as a whole: the program depends on its summands. */
  readGradient(leaf: TensorImpl): void {
    if (this.guards !== undefined && !this.gradients.has(leaf)) this.dependOn(() => levelsOf(leaf));
  }

  /** How often this line has recorded something before, in the program that is being recorded. */
  ordinal(location: unknown): number {
    const count = this.#ordinals.get(location) ?? 0;
    this.#ordinals.set(location, count + 1);
    return count;
  }
  /** Ops recorded after the value `from` belong to an optimizer's update. */
  updated(from: number): void {
    if (this.builder.lastId > from) this.#updates.push(from, this.builder.lastId);
  }
  isUpdateOp(op: Op): boolean {
    const id = op.results[0]?.id ?? 0;
    for (let i = 0; i < this.#updates.length; i += 2)
      if (id > this.#updates[i]! && id <= this.#updates[i + 1]!) return true;
    return false;
  }
  /** An argument's elements are in other memory from now on. */
  replaceSource(argument: Value, buffer: DeviceBuffer): void {
    this.#sourceOf.set(argument, { ...this.#sourceOf.get(argument)!, buffer });
  }

  /** Nothing is recorded any more. Tensors that still point here must not hold on to the step's other tensors. */
  close(): void {
    this.closed = true;
    this.recomputed.length = 0;
    this.forgetAll();
  }
  /** Another step begins. */
  beginStep(): void {
    this.forgetAll();
    this.stepEnds.push(this.begin);
    if (this.stepEnds.length > maxStepEnds) this.stepEnds.shift();
    this.recomputed.length = 0;
    this.#hostValues.clear();
    for (const kind of ['training', 'evaluation'] as const) this.uses[kind] = 0;
    this.backwards = 0;
    this.isUpdated = false;
    this.isUpdatedByHand = false;
    this.sections = new Sections();
  }
  /** Something was run: ops recorded from now on are likely to be another program. */
  beginProgram(): void {
    this.builder.ops.length = 0;
    this.#ordinals.clear();
    this.numberCounts.clear();
  }
  /** The live-outs have been computed: another program begins. */
  forgetAll(): void {
    this.beginProgram();
    this.begin = this.builder.lastId;
    this.#updates.length = 0;
    this.evaluated.clear();
    this.reads.length = 0;
    for (const buffer of this.#keptForStep.splice(0)) if (!isShared(buffer)) buffer.release();
    if (this.hasComputed) this.computed = new WeakMap();
    this.hasComputed = false;
    this.#scalarsOf.clear();
    for (const held of [
      this.assigned,
      this.abandoned,
      this.gradients,
      this.graded,
      this.kept,
      this.forwardResults,
      this.unusedResults,
      this.scalars,
      this.losses,
    ]) {
      held.clear();
    }
  }

  /** An optimizer has used the gradients of these leaves, which are therefore no longer results of the step. */
  spendGradients(leaves: ReadonlySet<TensorImpl>): void {
    for (const leaf of leaves) {
      for (const { impl } of leaf.partials) this.assigned.delete(impl);
      this.graded.delete(leaf);
    }
    for (const result of this.unusedResults)
      if (result.gradOf !== undefined && leaves.has(result.gradOf)) this.unusedResults.delete(result);
  }
  used(impl: TensorImpl): void {
    this.unusedResults.delete(impl);
  }
  made(impl: TensorImpl): void {
    this.unusedResults.add(impl);
    if (this.unusedResults.size > maxUnusedResults)
      this.unusedResults.delete(this.unusedResults.values().next().value!);
  }
  forwarded(impl: TensorImpl): void {
    this.forwardResults.add(impl);
    if (this.forwardResults.size > maxForwardResults) {
      this.forwardResults.delete(this.forwardResults.values().next().value!);
    }
  }
  madeScalar(impl: TensorImpl): void {
    const ofLine = this.#scalarsOf.get(impl.location) ?? [];
    this.#scalarsOf.set(impl.location, ofLine);
    this.scalars.add(impl);
    if (ofLine.push(impl) > maxScalars) this.scalars.delete(ofLine.shift()!);
  }
  forget(impl: TensorImpl): void {
    this.unusedResults.delete(impl);
    this.scalars.delete(impl);
    this.kept.delete(impl);
    this.forwardResults.delete(impl);
  }
}
