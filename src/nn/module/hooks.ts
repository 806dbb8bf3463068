// Functions that run before or after a module's forward, or while gradients flow through it (backward-hooks.ts). Each
// registration returns a handle that removes it.
import { type BackwardHook, type BackwardPreHook, runWithBackwardHooks } from './backward-hooks.ts';

/**
 * Runs before `forward` with its arguments. Its result replaces them: an array of arguments, or the only argument.
 */
export type ForwardPreHook<M> = (module: M, args: readonly unknown[]) => unknown;
/** Runs after `forward` with its arguments and result. Its own result, unless undefined, replaces the result. */
export type ForwardHook<M> = (module: M, args: readonly unknown[], output: OutputOf<M>) => unknown;
type OutputOf<M> = M extends { forward(...args: never[]): infer R } ? R : unknown;

/** A registered hook. */
export interface HookHandle extends Disposable {
  /** Removes the hook. */
  remove(): void;
}

/** The hooks of one module, in the order in which they run. */
export class Hooks {
  readonly #before: ForwardPreHook<never>[] = [];
  readonly #after: ForwardHook<never>[] = [];
  readonly #always = new Set<ForwardHook<never>>();
  readonly #beforeBackward: BackwardPreHook<never>[] = [];
  readonly #backward: BackwardHook<never>[] = [];
  /** Changes with each registration and removal: compiled functions depend on it. */
  version = 0;

  addBefore(hook: ForwardPreHook<never>, first: boolean): HookHandle {
    return this.#add(this.#before, hook, first);
  }
  /** `always`: the hook also runs if the forward, or an earlier hook, throws. */
  addAfter(hook: ForwardHook<never>, first: boolean, always: boolean): HookHandle {
    const handle = this.#add(this.#after, hook, first);
    const entry = first ? this.#after[0]! : this.#after.at(-1)!;
    if (always) this.#always.add(entry);
    return handle;
  }
  addBeforeBackward(hook: BackwardPreHook<never>, first: boolean): HookHandle {
    return this.#add(this.#beforeBackward, hook, first);
  }
  addBackward(hook: BackwardHook<never>, first: boolean): HookHandle {
    return this.#add(this.#backward, hook, first);
  }
  #add<H>(list: H[], hook: H, first: boolean): HookHandle {
    // The same function may be registered more than once: each entry is removed separately.
    const entry = ((...args: never[]) => (hook as (...args: never[]) => unknown)(...args)) as H;
    if (first) list.unshift(entry);
    else list.push(entry);
    this.version++;
    const remove = (): void => {
      const at = list.indexOf(entry);
      if (at < 0) return;
      list.splice(at, 1);
      this.version++;
    };
    return { remove, [Symbol.dispose]: remove };
  }

  run(module: object, args: readonly unknown[], forward: (args: readonly unknown[]) => unknown): unknown {
    let given = args;
    for (const hook of [...this.#before]) {
      const changed = hook(module as never, given);
      if (changed !== undefined) given = Array.isArray(changed) ? changed : [changed];
    }
    const body = (passed: readonly unknown[]): unknown => {
      const open = [...this.#after];
      let output: unknown;
      try {
        output = forward(passed);
        for (let hook = open.shift(); hook !== undefined; hook = open.shift()) {
          const changed = hook(module as never, passed, output as never);
          if (changed !== undefined) output = changed;
        }
      } catch (error) {
        for (const hook of open) if (this.#always.has(hook)) hook(module as never, passed, output as never);
        throw error;
      }
      return output;
    };
    if (this.#beforeBackward.length + this.#backward.length === 0) return body(given);
    return runWithBackwardHooks(module, [...this.#beforeBackward], [...this.#backward], given, body);
  }
}
