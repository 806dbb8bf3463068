// For tests: random programs, compiled and interpreted, must agree. Many programs make one module, so that the C compiler is
// started once for all of them.

import { isTrenioError } from '../../base/errors.ts';
import { interpret } from '../../hlo/interpreter.ts';
import { type Literal, numberAt } from '../../hlo/literal.ts';
import { opTable } from '../../hlo/op-table.ts';
import { type Func, moduleOf, type Op, shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import type { RandomProgram } from '../../hlo/random-program.testing.ts';
import { formatType, isFloat } from '../../hlo/types.ts';
import { verify } from '../../hlo/verifier.ts';
import { cloneOp } from '../../hlo/walk.ts';
import { compileDynamic, hasUnknownSizes, prepareDynamic } from '../cpu/dynamic/index.ts';
import { interpretDynamicKernels } from '../cpu/in-process/dynamic.ts';
import { interpretKernels } from '../cpu/in-process/prepare.ts';
import { hostTarget } from '../index.ts';
import { mathFunctionOf } from '../ir/math/index.ts';
import { isScalarOp, scalarOpOf } from '../ir/scalar-op.ts';
import { compileForTest } from './compile.testing.ts';
import { compileDynamicForTest } from './dynamic.testing.ts';
import { loosened } from './loosen.testing.ts';

/**
 * Where the compiled programs and the interpreter disagree. With `kernels`, also where the same kernels as WebAssembly disagree
 * with either: with the C by a single bit, where no order of sums is free.
 */
export function disagreements(programs: readonly RandomProgram[], kernels = false): string[] {
  const expected = programs.map(({ func, inputs }) => interpret(moduleOf(func), inputs));
  const module = moduleOf(sideBySide(programs));
  verify(module);
  const inputs = programs.flatMap(p => p.inputs);
  const compiled = compileForTest(module).run(inputs, { backwards: true });
  const interpreted = kernels ? interpretKernels(module, hostTarget(), inputs) : undefined;
  let next = 0;
  return programs.flatMap(({ func, tolerances }, p) => {
    const sameBits = func.body.results.map(elementwiseOnly());
    return tolerances.flatMap((tolerance, i) => {
      const at = next++;
      const pairs: [string, Literal, Literal, number][] = [['compiled', compiled[at]!, expected[p]![i]!, tolerance]];
      if (interpreted !== undefined) {
        const most = sameBits[i] ? 0 : tolerance;
        pairs.push(['kernels interpreted', interpreted[at]!, expected[p]![i]!, tolerance]);
        pairs.push(['compiled against kernels interpreted', compiled[at]!, interpreted[at]!, most]);
      }
      return pairs.flatMap(([what, got, wanted, most]) => {
        const problem = difference(got, wanted, most);
        return problem === undefined ? [] : [`program ${p}, result ${i}, ${what}: ${problem}`];
      });
    });
  });
}

/** The same for programs that have forgotten some of their sizes; those that cannot are left out. */
export function dynamicDisagreements(programs: readonly RandomProgram[]): string[] {
  const some = programs.flatMap((p, i) => {
    const func = withUnknownSizes(p.func);
    return func === undefined ? [] : [{ ...p, func, seed: i, expected: interpret(moduleOf(p.func), p.inputs) }];
  });
  if (some.length === 0) return [];
  const module = moduleOf(sideBySide(some));
  verify(module);
  const inputs = some.flatMap(p => p.inputs);
  const compiled = compileDynamicForTest(module).run(inputs, { backwards: true });
  const interpreted = interpretDynamicKernels(module, hostTarget(), inputs);
  let next = 0;
  return some.flatMap(({ func, expected, tolerances, seed }) => {
    const sameBits = func.body.results.map(elementwiseOnly());
    return expected.flatMap((wanted, i) => {
      const at = next++;
      const tolerance = tolerances[i]!;
      const pairs: [string, Literal, Literal, number][] = [
        ['compiled', compiled[at]!, wanted, tolerance],
        ['kernels interpreted', interpreted[at]!, wanted, tolerance],
        ['compiled against kernels interpreted', compiled[at]!, interpreted[at]!, sameBits[i] ? 0 : tolerance],
      ];
      return pairs.flatMap(([what, got, right, most]) => {
        const problem = difference(got, right, most);
        return problem === undefined ? [] : [`program ${seed} of unknown sizes, result ${i}, ${what}: ${problem}`];
      });
    });
  });
}
/** Forgets the first size of an argument that its ops can do without. Throws where the compiler fails on the program. */
export function withUnknownSizes(func: Func): Func | undefined {
  const sizes = new Set(func.body.args.flatMap(v => shapeOf(v).filter(size => size > 1)));
  for (const size of sizes) {
    try {
      const loose = loosened(func, size);
      verify(moduleOf(loose));
      const prepared = prepareDynamic(moduleOf(loose));
      if (!hasUnknownSizes(prepared)) continue;
      compileDynamic(moduleOf(loose), prepared, hostTarget());
      return loose;
    } catch (error) {
      if (!isTrenioError(error)) throw error;
    }
  }
  return undefined;
}

/** Functions of the C library, other than those of f64: their last bits may differ. */
const libraryFunctions: ReadonlySet<string> = new Set(['cbrt', 'tan', 'atan2', 'power']);

/** Whether values come from arguments only by moves and by elementwise ops with a single correct result. */
function elementwiseOnly(): (value: Value) => boolean {
  const known = new Map<Value, boolean>();
  const isOne = (value: Value): boolean => {
    const { op } = value;
    if (op === undefined) return true;
    let answer = known.get(value);
    if (answer === undefined) {
      answer = hasOwnBits(op) && op.operands.every(isOne);
      known.set(value, answer);
    }
    return answer;
  };
  return isOne;
}
function hasOwnBits(op: Op): boolean {
  const { kind } = opTable[op.name];
  if (op.regions.length > 0) return false;
  if (!isScalarOp(op)) return kind === 'movement';
  const scalar = scalarOpOf(op);
  const { elementType } = tensorTypeOf(op.results[0]);
  return (
    !(isFloat(elementType) && libraryFunctions.has(op.name)) &&
    !(elementType === 'f64' && mathFunctionOf(scalar, 'f32') !== undefined)
  );
}

/** All programs side by side in one function. Values keep their ops; ids must differ, so each program's are shifted. */
function sideBySide(programs: readonly RandomProgram[]): Func {
  const args: Value[] = [];
  const ops: Op[] = [];
  const results: Value[] = [];
  let shift = 0;
  for (const { func } of programs) {
    const renumbered = shifted(func, shift, args.length);
    shift = renumbered.next;
    args.push(...renumbered.args);
    ops.push(...renumbered.ops);
    results.push(...renumbered.results);
  }
  return { name: 'main', body: { args, ops, results }, aliases: args.map(() => undefined) };
}

function shifted(func: Func, first: number, index: number) {
  const map = new Map<Value, Value>();
  const ids = { next: first };
  const args = func.body.args.map((arg, i): Value => {
    const fresh: Value = { id: ids.next++, type: arg.type, op: undefined, index: index + i };
    map.set(arg, fresh);
    return fresh;
  });
  const ops = func.body.ops.map(op => cloneOp(op, map, ids));
  return { args, ops, results: func.body.results.map(v => map.get(v) ?? v), next: ids.next };
}

/** The difference, or undefined. */
function difference(got: Literal, expected: Literal, tolerance: number): string | undefined {
  if (formatType(got.type) !== formatType(expected.type))
    return `${formatType(got.type)}, not ${formatType(expected.type)}`;
  const float = isFloat(expected.type.elementType);
  for (let i = 0; i < expected.data.length; i++) {
    const [a, b] = float ? [numberAt(got, i), numberAt(expected, i)] : [got.data[i]!, expected.data[i]!];
    if (a === b || (Number.isNaN(a) && Number.isNaN(b))) continue;
    if (float && Math.abs(Number(a) - Number(b)) <= tolerance * Math.max(1, Math.abs(Number(b)))) continue;
    return `element ${i} is ${a}, not ${b}`;
  }
  return undefined;
}
