// For tests of loops: a function and its form with loops must compute the same bits.
import { interpret } from '../hlo/interpreter.ts';
import { bytesOf, type Literal, literalOfBytes } from '../hlo/literal.ts';
import { type Func, moduleOf, type Region, tensorTypeOf, type Value } from '../hlo/program.ts';
import { sampleLiteral } from '../hlo/sample-literal.testing.ts';
import { byteSize } from '../hlo/types.ts';
import { verify } from '../hlo/verifier.ts';
import { type Rolled, rollLoops } from './roll-loops.ts';

/** The function with loops, checked: on sample inputs, it computes the same bits. Undefined if it has none. */
export function rolledAndChecked(func: Func): Rolled | undefined {
  const rolled = rollLoops(func, { mayStack: () => true, fewestOps: 1 });
  if (rolled === undefined) return undefined;
  const module = moduleOf(rolled.func);
  verify(module);
  const inputs = func.body.args.map((arg, i) => {
    const { elementType, shape } = tensorTypeOf(arg);
    return sampleLiteral(elementType, shape, i + 1);
  });
  const wanted = interpret(moduleOf(func), inputs);
  const got = interpret(
    module,
    rolled.args.map((arg, i) => {
      if (arg.kind === 'one') return inputs[arg.argument]!;
      const rows = arg.kind === 'numbers' ? arg.literals : arg.arguments.map(k => inputs[k]!);
      return stackOf(rolled.func.body.args[i]!, rows);
    }),
  );
  rolled.results.forEach(({ result, row }, i) => {
    const bytes = Buffer.from(bytesOf(wanted[i]!));
    const all = Buffer.from(bytesOf(got[result]!));
    const from = (row ?? 0) * bytes.length;
    if (!bytes.equals(all.subarray(from, from + bytes.length))) throw new Error(`result ${i} differs, row ${row}`);
  });
  return rolled;
}
function stackOf(arg: Value, rows: readonly Literal[]): Literal {
  const type = tensorTypeOf(arg);
  const bytes = new Uint8Array(byteSize(type));
  let at = 0;
  for (const row of rows) {
    bytes.set(bytesOf(row), at);
    at += bytesOf(row).length;
  }
  return literalOfBytes(type, bytes);
}

/** The ops and how they are connected, without sizes and numbers. */
export function skeletonOf({ body }: Func): string {
  const numbers = new Map<Value, number>();
  const numberOf = (value: Value): number => {
    if (!numbers.has(value)) numbers.set(value, numbers.size);
    return numbers.get(value)!;
  };
  const region = ({ args, ops, results }: Region): string => {
    args.forEach(numberOf);
    const lines = ops.map(
      op => `${op.name}(${op.operands.map(numberOf)}) ${op.regions.map(region).join(' ')} ${op.results.map(numberOf)}`,
    );
    return `${args.map(numberOf)} {${lines.join('\n')}} ${results.map(numberOf)}`;
  };
  return region(body);
}
