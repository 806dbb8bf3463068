// The parts of a checkpoint: the objects that a script registers, and how the state of each is read and restored. The state of a
// model or an optimizer stays on its device at first; later, only this rank's share of it is copied.
import { TrenioError } from '../../base/errors.ts';
import type { Literal } from '../../hlo/literal.ts';
import { Module } from '../../nn/index.ts';
import { Optimizer } from '../../optim/index.ts';
import { described, Generator, type Tensor } from '../../tensor/index.ts';

/** Anything whose state can be read and restored: schedulers, a GradScaler, a DataLoader, your own classes. */
export interface Stateful {
  /** Plain data: numbers, strings, lists, objects, maps, and tensors within them. */
  stateDict(): unknown;
  /** Continues from what `stateDict()` returned. */
  // biome-ignore lint/suspicious/noConfusingVoidType: modules of nn return a report, other classes return nothing
  loadStateDict(state: never): unknown | void;
}
/** A part of a checkpoint. A plain object is data of the script: it is saved, and its fields are set when a run resumes. */
export type CheckpointPart = Stateful | Generator | readonly (Stateful | Generator)[] | Record<string, unknown>;
/** The parts of a checkpoint by name, such as `{ model, optimizer, scheduler, user }`. */
export type CheckpointParts = { readonly [name: string]: CheckpointPart | undefined };

/** The state of a part before it is copied. */
export interface PartState {
  readonly value: unknown;
  /** Tensors in it are restored as plain data, as modules of nn and optimizers expect. */
  readonly isPlain: boolean;
}

export function stateOfPart(part: CheckpointPart): PartState {
  if (part instanceof Module) return { value: part.stateTensors(), isPlain: true };
  if (part instanceof Optimizer) return { value: part.stateTensors(), isPlain: true };
  if (part instanceof Generator) return { value: part.getState(), isPlain: false };
  if (isStateful(part)) return { value: part.stateDict(), isPlain: false };
  if (Array.isArray(part)) {
    const states = (part as readonly CheckpointPart[]).map(stateOfPart);
    return { value: states.map(({ value }) => value), isPlain: states.some(({ isPlain }) => isPlain) };
  }
  return { value: part, isPlain: false };
}

/** Restores a part. `name` is for errors. */
export function restorePart(name: string, part: CheckpointPart, state: unknown): void {
  if (part instanceof Generator) part.setState(state as never);
  else if (isStateful(part)) part.loadStateDict(state as never);
  else if (Array.isArray(part)) {
    const states = state as readonly unknown[];
    if (!Array.isArray(states) || states.length !== part.length)
      throw new TrenioError('STATE_KEYS', {
        what: `the part '${name}', a list of ${part.length}`,
        missing: [],
        unexpected: [`a state of ${Array.isArray(states) ? states.length : 'another kind'}`],
      });
    part.forEach((entry: CheckpointPart, i) => {
      restorePart(`${name}.${i}`, entry, states[i]);
    });
  } else Object.assign(part, state);
}

/** @throws {INVALID_OPTION} for what has no state */
export function checkParts(parts: CheckpointParts): ReadonlyMap<string, CheckpointPart> {
  const known = new Map<string, CheckpointPart>();
  for (const [name, part] of Object.entries(parts)) {
    if (part === undefined) continue;
    const isList = Array.isArray(part);
    const entries: readonly unknown[] = isList ? part : [part];
    const wrong = entries.find(
      entry => !(isStateful(entry) || entry instanceof Generator || (!isList && isPlainObject(entry))),
    );
    if (wrong !== undefined || name === 'random')
      throw new TrenioError('INVALID_OPTION', {
        what: 'Checkpointer',
        option: name === 'random' ? 'the name of a part' : `the part '${name}'`,
        got: name === 'random' ? "'random'" : described(wrong),
        expected:
          name === 'random'
            ? 'another name: the state of random numbers is always saved, under this one'
            : 'an object with stateDict() and loadStateDict(), a list of such objects, a Generator, or an object of plain data',
      });
    known.set(name, part);
  }
  return known;
}

const isStateful = (part: unknown): part is Stateful =>
  (typeof part === 'object' || typeof part === 'function') &&
  part !== null &&
  typeof (part as Partial<Stateful>).stateDict === 'function' &&
  typeof (part as Partial<Stateful>).loadStateDict === 'function';

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** A tensor of the state: on its device, or already copied. */
export type StateTensor = Tensor | Literal;
