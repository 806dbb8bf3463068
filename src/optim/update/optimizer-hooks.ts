// Functions that run before and after an optimizer's step, and while its state is saved or loaded, under PyTorch's names.
import type { HookHandle } from '../../nn/index.ts';
import { checkFunction } from '../../tensor/index.ts';
import type { OptimizerState } from './optimizer-state.ts';

/** Runs before or after a step, or before a state is read or after it was loaded. */
export type OptimizerHook<O> = (optimizer: O) => void;
/** Runs with a state, after it was read or before it is loaded; a result other than undefined replaces it. */
export type OptimizerStateHook<O, S extends OptimizerState> = (optimizer: O, state: S) => S | undefined;
type Hook = (...args: never[]) => unknown;

const kinds = ['stepPre', 'stepPost', 'savePre', 'savePost', 'loadPre', 'loadPost'] as const;
/** When a hook runs. */
export type HookKind = (typeof kinds)[number];

/** The hooks of one optimizer. */
export class OptimizerHooks {
  readonly #lists = new Map<HookKind, Hook[]>(kinds.map(kind => [kind, []]));

  /** @throws {WRONG_ARGUMENT} if it is not a function */
  add(call: string, kind: HookKind, hook: unknown, prepend = false): HookHandle {
    checkFunction(call, 'the hook', hook);
    const list = this.#lists.get(kind)!;
    const entry: Hook = (...args) => (hook as Hook)(...args);
    if (prepend) list.unshift(entry);
    else list.push(entry);
    const remove = (): void => {
      if (list.includes(entry)) list.splice(list.indexOf(entry), 1);
    };
    return { remove, [Symbol.dispose]: remove };
  }
  /** Whether there are hooks of a kind. */
  has(kind: HookKind): boolean {
    return this.#lists.get(kind)!.length > 0;
  }
  /** Runs the hooks of a kind. */
  run(kind: HookKind, optimizer: object): void {
    for (const hook of [...this.#lists.get(kind)!]) hook(optimizer as never);
  }
  /** Runs the hooks of a kind with a state, and returns the resulting state. */
  pass<S extends OptimizerState>(kind: 'savePost' | 'loadPre', optimizer: object, state: S): S {
    return this.#lists
      .get(kind)!
      .reduce((given, hook) => (hook(optimizer as never, given as never) as S | undefined) ?? given, state);
  }
}
