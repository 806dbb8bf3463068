// The steps of fused kernels, with the values that they read from memory.
import type { Value } from '../../hlo/program.ts';
import { capturesOf } from '../../hlo/walk.ts';
import { operandsOfDot } from '../ir/multiply.ts';
import type { Block, EpilogueDot, Step } from '../ir/schedule.ts';
import { isFree } from '../lowering/lowering-kinds.ts';
import { aliasOf, storageRootOf } from '../lowering/storage-root.ts';
import type { Group } from './group.ts';

export class FusedSteps {
  readonly #stored: ReadonlySet<Value>;
  readonly #local: ReadonlySet<Value>;

  /** `stored`: the values in memory; `local`: the values computed in the region. */
  constructor(stored: ReadonlySet<Value>, local: ReadonlySet<Value>) {
    this.#stored = stored;
    this.#local = local;
  }

  stepOf(group: Group): Step {
    const { columns } = group;
    const writes = [...group.outputs, ...(columns?.outputs ?? [])];
    const operands = this.#operandsOf(writes, group.dot);
    const isRead = (v: Value): boolean => group.elementsOf.has(v) || columns?.elementsOf.has(v) === true;
    return {
      kind: 'fused',
      group: {
        space: group.space(),
        outputs: group.outputs,
        ...(columns ? { columns: { space: columns.space(), outputs: columns.outputs } } : {}),
      },
      ...(group.dot ? { dot: group.dot } : {}),
      reads: operands.filter(isRead),
      unread: operands.filter(v => !isRead(v)),
      writes,
    };
  }
  /** The inputs of a kernel. */
  readsOf(group: Group): Set<Value> {
    return new Set(this.#operandsOf(group.outputs, group.dot).filter(v => group.elementsOf.has(v)));
  }
  /**
   * The values in memory where the ops that compute these values end, as a multiply's epilogue or without one. A kernel may need
   * no elements of some of them, such as the start of a slice that covers its whole tensor, or a part that is sliced off again.
   */
  #operandsOf(outputs: readonly Value[], dot?: EpilogueDot): Value[] {
    const reads = new Set<Value>();
    const seen = new Set<Value>(outputs);
    const queue = [...outputs];
    for (let v = queue.pop(); v !== undefined; v = queue.pop()) {
      const { op } = v;
      if (op === undefined) continue;
      if (v === dot?.value) {
        for (const operand of operandsOfDot(dot.plan)) reads.add(storageRootOf(operand));
        continue;
      }
      const alias = aliasOf(v);
      const inputs =
        alias !== undefined ? [alias] : op.regions.length > 0 ? [...op.operands, ...capturesOf(op)] : op.operands;
      for (const x of inputs) {
        if (seen.has(x)) continue;
        seen.add(x);
        if (this.#stored.has(x)) reads.add(x);
        // a value of an outer region: not scheduled yet, but it will be in memory
        else if (!this.#local.has(x) && !isFree(x)) reads.add(storageRootOf(x));
        else queue.push(x);
      }
    }
    for (const v of outputs) reads.delete(v);
    return [...reads];
  }
}

/** Values that a block needs in memory even if they are constants: fused kernels compute those themselves. */
export const readInMemory = (block: Block): readonly Value[] => [
  ...block.steps.flatMap(step => (step.kind === 'fused' ? [] : step.reads)),
  ...block.results.map(storageRootOf),
];
