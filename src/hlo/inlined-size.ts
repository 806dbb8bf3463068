// The size of a program after its calls are inlined. A few short functions that call
// each other twice can expand to 2^n ops, so this is checked before inlining. Takes linear time.
import { TrenioError } from '../base/errors.ts';
import type { Func, Op, Region } from './program.ts';
import { appliedBy, calleeOf } from './walk.ts';

/** A step of a large language model, its backward pass included, has some 20,000 ops. */
export const maxInlinedOps = 2 ** 18;
/** The maximum depth of nested calls. */
export const maxCallDepth = 500;
/** The maximum nesting of regions across calls, equal to the verifier's limit within one function. */
const maxInlinedRegions = 200;

interface Size {
  readonly ops: number;
  readonly calls: number;
  readonly regions: number;
}

/** Recursion is checked by the verifier. @throws {PROGRAM_TOO_LARGE} if inlining would exceed one of these limits */
export function requireInlinable(name: string, body: Region, functions: readonly Func[]): void {
  const sizes = sizesOf(calleesOf(body), functions);
  if (sizes.size === 0) return;
  const size = sizeOf(body, sizes);
  const limits = [
    ['ops', size.ops, maxInlinedOps],
    ['nested calls', size.calls, maxCallDepth],
    ['nested regions', size.regions, maxInlinedRegions],
  ] as const;
  for (const [what, count, limit] of limits)
    if (count > limit) throw new TrenioError('PROGRAM_TOO_LARGE', { function: name, what, count, limit });
}

/** The sizes of the called functions, by name. A chain of calls may be as long as the module, so there is no recursion. */
function sizesOf(names: readonly string[], functions: readonly Func[]): ReadonlyMap<string, Size> {
  const bodies = new Map(functions.map(func => [func.name, func.body]));
  const sizes = new Map<string, Size>();
  const open = new Set<string>();
  const stack = [...names];
  for (let name = stack.at(-1); name !== undefined; name = stack.at(-1)) {
    const body = bodies.get(name);
    if (body === undefined || sizes.has(name)) {
      stack.pop();
      continue;
    }
    const missing = open.has(name) ? [] : calleesOf(body).filter(callee => bodies.has(callee) && !sizes.has(callee));
    open.add(name);
    if (missing.length > 0) stack.push(...missing);
    else sizes.set(name, sizeOf(body, sizes));
  }
  return sizes;
}

function calleesOf(region: Region): readonly string[] {
  const found = new Set<string>();
  const visit = (op: Op): void => {
    const callee = calleeOf(op) ?? appliedBy(op);
    if (callee !== undefined) found.add(callee);
    for (const inner of op.regions) for (const one of inner.ops) visit(one);
  };
  for (const op of region.ops) visit(op);
  return [...found];
}

function sizeOf(region: Region, sizes: ReadonlyMap<string, Size>): Size {
  let [ops, calls, regions] = [0, 0, 0];
  for (const op of region.ops) {
    ops++;
    const called = sizes.get(calleeOf(op) ?? appliedBy(op) ?? '');
    if (called !== undefined) {
      ops += called.ops;
      calls = Math.max(calls, 1 + called.calls);
      regions = Math.max(regions, called.regions);
    }
    for (const inner of op.regions) {
      const size = sizeOf(inner, sizes);
      ops += size.ops;
      calls = Math.max(calls, size.calls);
      regions = Math.max(regions, 1 + size.regions);
    }
  }
  return { ops, calls, regions };
}
