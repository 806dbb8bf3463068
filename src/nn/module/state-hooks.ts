// Functions that run while a module's state is saved or loaded, like PyTorch's hooks on state dicts. They get the map of the
// whole model and the prefix of the module's names in it: '' or 'encoder.layer.0.'.
import type { Literal } from '../../hlo/literal.ts';
import type { Tensor } from '../../tensor/index.ts';
import type { HookHandle } from './hooks.ts';

/** The result of a load; hooks may remove names from the lists. */
export interface IncompatibleKeys {
  /** Names of the module that the state does not have. */
  readonly missingKeys: string[];
  /** Names of the state that the module does not have. */
  readonly unexpectedKeys: string[];
}
/** Runs before `stateDict()` reads this module. */
export type StateDictPreHook<M> = (module: M, prefix: string) => void;
/** Runs after `stateDict()` has read this module: it may change the map. */
export type StateDictPostHook<M> = (module: M, state: Map<string, Tensor>, prefix: string) => void;
/** Runs before `loadStateDict()` processes the names of this module: it may change the map, which is a copy. */
export type LoadStateDictPreHook<M> = (
  module: M,
  state: Map<string, Tensor | Literal>,
  prefix: string,
  options: { readonly strict: boolean; readonly assign: boolean },
) => void;
/** Runs after `loadStateDict()` has loaded this module, before names that do not match are an error. */
export type LoadStateDictPostHook<M> = (module: M, incompatibleKeys: IncompatibleKeys) => void;

/** The state hooks of one module, in the order in which they run. */
export class StateHooks {
  readonly savePre: StateDictPreHook<never>[] = [];
  readonly savePost: StateDictPostHook<never>[] = [];
  readonly loadPre: LoadStateDictPreHook<never>[] = [];
  readonly loadPost: LoadStateDictPostHook<never>[] = [];

  /** Adds a hook to one of the lists. */
  static add<H extends (...args: never[]) => void>(list: H[], hook: H): HookHandle {
    const entry = ((...args: never[]) => hook(...args)) as H;
    list.push(entry);
    const remove = (): void => {
      if (list.includes(entry)) list.splice(list.indexOf(entry), 1);
    };
    return { remove, [Symbol.dispose]: remove };
  }
}
