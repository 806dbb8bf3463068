// The uses of each value while kernels are formed: nodes of the graph of kernels (numbers, see reach.ts) that need it in memory,
// and kernels that compute with elements of it. Kernels that were merged have the number of the one that remains.
import type { Value } from '../../hlo/program.ts';
import type { Index } from '../ir/index-expr.ts';

/** An element that a kernel computes with. */
export interface Access {
  readonly group: number;
  readonly index: readonly Index[];
}
export interface UsesOfValue {
  /** Nodes that need it in memory. */
  readonly readers: Set<number>;
  /** Elements that groups compute with. */
  readonly accesses: Map<string, Access>;
  isResult: boolean;
}

export class ValueUses {
  readonly #byValue = new Map<Value, UsesOfValue>();
  readonly #merged = new Map<number, number>();

  /** The uses of a value; from now on it has some. */
  of(value: Value): UsesOfValue {
    let w = this.#byValue.get(value);
    if (w === undefined) {
      w = { readers: new Set(), accesses: new Map(), isResult: false };
      this.#byValue.set(value, w);
    }
    return w;
  }
  /** Undefined where it is not used. */
  known(value: Value): UsesOfValue | undefined {
    return this.#byValue.get(value);
  }
  /** The number that a kernel has now. */
  find(node: number): number {
    let n = node;
    for (let m = this.#merged.get(n); m !== undefined; m = this.#merged.get(n)) n = m;
    return n;
  }
  /** Kernel `gone` is part of `kept` from now on. */
  merge(kept: number, gone: number): void {
    this.#merged.set(gone, kept);
  }
  /** By kernel. */
  accessesOf(w: UsesOfValue): Map<number, Access[]> {
    const out = new Map<number, Access[]>();
    for (const a of w.accesses.values()) {
      const group = this.find(a.group);
      const list = out.get(group);
      if (list) list.push(a);
      else out.set(group, [a]);
    }
    return out;
  }
  consumersOf(w: UsesOfValue): Set<number> {
    return new Set([...[...w.readers].map(n => this.find(n)), ...this.accessesOf(w).keys()]);
  }
}
