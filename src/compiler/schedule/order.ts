// Orders steps: each follows those that write its operands; otherwise, program order.
import { invariant } from '../../base/errors.ts';
import type { Value } from '../../hlo/program.ts';
import type { Step } from '../ir/schedule.ts';

export interface Placed {
  readonly step: Step;
  /** The position of its last op in the program. */
  readonly position: number;
  readonly id: number;
  /** A step that must come later although it reads nothing from this one. */
  readonly before?: number | undefined;
}

/** Program order; of two steps at one position, the one placed last comes first, because steps are placed backwards. */
export const byPosition = (placed: readonly Placed[]): readonly Placed[] =>
  placed.toSorted((a, b) => a.position - b.position || b.id - a.id);

export function orderSteps(placed: readonly Placed[]): Placed[] {
  const inProgram = byPosition(placed);
  const writer = new Map<Value, number>();
  inProgram.forEach((p, i) => {
    for (const v of p.step.writes) writer.set(v, i);
  });
  const missing = new Array<number>(inProgram.length).fill(0);
  const readers: number[][] = inProgram.map(() => []);
  inProgram.forEach((p, i) => {
    const before = new Set(p.step.reads.flatMap(v => writer.get(v) ?? []));
    before.delete(i);
    missing[i] = before.size;
    for (const w of before) readers[w]!.push(i);
  });
  const positions = new Map(inProgram.map((p, i) => [p.id, i]));
  inProgram.forEach((p, i) => {
    const later = p.before === undefined ? undefined : positions.get(p.before);
    if (later === undefined) return;
    missing[later]!++;
    readers[i]!.push(later);
  });
  const ready = new MinHeap();
  missing.forEach((count, i) => {
    if (count === 0) ready.push(i);
  });
  const order: Placed[] = [];
  for (let i = ready.pop(); i !== undefined; i = ready.pop()) {
    order.push(inProgram[i]!);
    for (const r of readers[i]!) if (--missing[r]! === 0) ready.push(r);
  }
  invariant(order.length === placed.length, 'the schedule has a cycle');
  return order;
}

class MinHeap {
  readonly #items: number[] = [];

  push(item: number): void {
    const a = this.#items;
    let i = a.push(item) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (a[parent]! <= item) break;
      a[i] = a[parent]!;
      i = parent;
    }
    a[i] = item;
  }
  pop(): number | undefined {
    const a = this.#items;
    const top = a[0];
    const last = a.pop();
    if (a.length === 0 || last === undefined) return top;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= a.length) break;
      if (child + 1 < a.length && a[child + 1]! < a[child]!) child++;
      if (a[child]! >= last) break;
      a[i] = a[child]!;
      i = child;
    }
    a[i] = last;
    return top;
  }
}
