// Eager debug mode: every op runs immediately when it is recorded, on the reference interpreter, so that a debugger that
// stops on the user's line sees tensors with elements, and errors occur on the line of the op. The trace is still
// recorded, because gradients need it.
import { TrenioError } from '../../base/errors.ts';
import {
  evaluateOp,
  type Literal,
  literalOfBytes,
  numberAt,
  type Op,
  tensorTypeOf,
  type Value,
} from '../../hlo/index.ts';
import { isFloat } from '../../hlo/types.ts';
import { capturesOf } from '../../hlo/walk.ts';
import { operatorCalls } from '../../runtime/execution/custom-operators.ts';
import { raiseWrongIndex } from '../step/index-checks.ts';
import type { Trace } from '../step/trace.ts';

/** Which elements stop the program at the op that produced them: none, only NaN, or also infinities. */
export type StopAt = 'never' | 'nan' | 'nonfinite';

export class EagerMode {
  readonly #stopAt: StopAt;
  readonly #literals = new WeakMap<Value, Literal>();

  constructor(stopAt: StopAt) {
    this.#stopAt = stopAt;
  }

  /** Evaluates the ops recorded to this trace from now on. */
  attach(trace: Trace): void {
    trace.builder.onEmit = op => this.#evaluate(trace, op);
    trace.onCheck = check => raiseWrongIndex(check, numberAt(this.literalOf(trace, check.wrong), 0));
  }

  /** The elements of a value of the trace. */
  literalOf(trace: Trace, value: Value): Literal {
    const known = this.#literals.get(value);
    if (known !== undefined) return known;
    const { buffer } = trace.sourceOf(value)!;
    return literalOfBytes(tensorTypeOf(value), buffer.copyToHost());
  }

  #evaluate(trace: Trace, op: Op): void {
    const operands = op.operands.map(v => this.literalOf(trace, v));
    const captured = new Map(
      op.regions.length === 0 ? [] : [...capturesOf(op)].map(v => [v, this.literalOf(trace, v)] as const),
    );
    const results = evaluateOp(op, operands, captured, { customCalls: operatorCalls() });
    op.results.forEach((value, i) => {
      this.#literals.set(value, results[i]!);
      this.#check(op, results[i]!, operands);
    });
  }

  #check(op: Op, result: Literal, operands: readonly Literal[]): void {
    // Constants come from the user, such as the -∞ of a mask.
    if (this.#stopAt === 'never' || op.name === 'constant' || !isFloat(result.type.elementType)) return;
    const index = firstBad(result, this.#stopAt);
    if (index < 0) return;
    throw new TrenioError(
      'NON_FINITE',
      {
        op: op.name,
        value: String(numberAt(result, index)),
        index: indexOf(index, result.type.shape),
        // Non-finite operands are not caused by this op.
        inherited: operands.some(x => isFloat(x.type.elementType) && firstBad(x, this.#stopAt) >= 0),
      },
      { location: op.location },
    );
  }
}

function firstBad(literal: Literal, stopAt: StopAt): number {
  for (let i = 0; i < literal.data.length; i++) {
    const x = numberAt(literal, i);
    if (Number.isNaN(x) || (stopAt === 'nonfinite' && !Number.isFinite(x))) return i;
  }
  return -1;
}

/** `[1, 2]` for a position in row-major order. */
function indexOf(position: number, shape: readonly number[]): string {
  const index: number[] = [];
  let rest = position;
  for (const size of [...shape].reverse()) {
    index.unshift(rest % size);
    rest = Math.floor(rest / size);
  }
  return `[${index.join(', ')}]`;
}
