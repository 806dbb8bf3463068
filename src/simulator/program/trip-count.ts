// The trip count of a loop, if the program determines it: the form in which every front end writes a counted loop. The counter
// starts at a constant, the condition compares it with a constant, the body adds a constant.
import { numberAt } from '../../hlo/literal.ts';
import type { Op, Region, Value } from '../../hlo/program.ts';

/** Undefined for loops of any other form. */
export function tripCountOf(op: Op<'while'>): number | undefined {
  const [condition, body] = op.regions as readonly [Region, Region];
  const test = condition.results[0]?.op;
  if (test?.name !== 'compare') return undefined;
  const [left, right] = test.operands;
  const direction = test.attributes.comparisonDirection;
  const counter = condition.args.indexOf(left);
  if (counter < 0 || (direction !== 'LT' && direction !== 'LE')) return undefined;
  const start = constantOf(op.operands[counter]);
  const carried = condition.args.indexOf(right);
  const limit = carried < 0 ? constantOf(right) : unchanged(op, body, carried);
  const step = increment(body, counter);
  if (start === undefined || limit === undefined || step === undefined || step <= 0) return undefined;
  return Math.max(0, Math.ceil((limit + (direction === 'LE' ? 1 : 0) - start) / step));
}

function constantOf(value: Value | undefined): number | undefined {
  const op = value?.op;
  if (op?.name === 'convert' || op?.name === 'reshape') return constantOf(op.operands[0]);
  if (op?.name !== 'constant' || op.attributes.value.data.length !== 1) return undefined;
  const number = Number(numberAt(op.attributes.value, 0));
  return Number.isFinite(number) ? number : undefined;
}

/** A carried value that the body returns unchanged. */
function unchanged(op: Op<'while'>, body: Region, index: number): number | undefined {
  return body.results[index] === body.args[index] ? constantOf(op.operands[index]) : undefined;
}

function increment(body: Region, counter: number): number | undefined {
  const add = body.results[counter]?.op;
  if (add?.name !== 'add') return undefined;
  const [a, b] = add.operands;
  if (a === body.args[counter]) return constantOf(b);
  return b === body.args[counter] ? constantOf(a) : undefined;
}
