// Matrix multiplies as C: what the rest of the compiler uses of this folder.
import { assertNever } from '../../base/errors.ts';
import type { Target } from '../target.ts';
import { emitDot } from './dot.ts';
import { emitEmpty } from './empty.ts';
import type { GemmParts } from './parts.ts';
import { planGemm, type Tuning } from './plan.ts';
import { gemmPrelude } from './prelude.ts';
import type { GemmSpec } from './spec.ts';
import { emitTiled } from './tiled.ts';

export type { GemmParts } from './parts.ts';
export type { Tile, Tuning } from './plan.ts';
export { planGemm } from './plan.ts';
export { gemmPrelude } from './prelude.ts';
export type { GemmBatch, GemmSpec } from './spec.ts';

/**
 * The C of a multiply, its shared functions apart: a unit of many multiplies needs each of them once, before its users.
 * The code defines `static void NAME(const trenio_rt *rt, const T *a, const T *b, T *c)`.
 */
export function gemmParts(name: string, spec: GemmSpec, target: Target, tuning: Tuning = {}): GemmParts {
  const plan = planGemm(spec, target, tuning);
  const parts = ((): GemmParts => {
    switch (plan.kind) {
      case 'tiled':
        return emitTiled(name, plan);
      case 'dot':
        return emitDot(name, plan);
      case 'empty':
        return emitEmpty(name, plan);
      default:
        return assertNever(plan);
    }
  })();
  return { helpers: parts.helpers, code: `${describe(spec)}\n${parts.code}` };
}

/**
 * The same as one text, which may be followed by other multiplies in the unit: each shared function is guarded by a macro
 * of its name, so that only the first text that has it defines it. The unit has `gemmPrelude` before the first.
 */
export function emitGemm(name: string, spec: GemmSpec, target: Target): string {
  const { helpers, code } = gemmParts(name, spec, target);
  const guarded = [...helpers].map(
    ([helper, text]) => `#ifndef ${helper}_defined\n#define ${helper}_defined\n${text}\n#endif\n`,
  );
  return [...guarded, code].join('\n');
}

/** A whole unit's multiplies: the prelude, the shared functions once each, then the multiplies in order. */
export function gemmUnit(
  multiplies: readonly { readonly name: string; readonly spec: GemmSpec; readonly tuning?: Tuning }[],
  target: Target,
): string {
  const helpers = new Map<string, string>();
  const codes = multiplies.map(({ name, spec, tuning }) => {
    const parts = gemmParts(name, spec, target, tuning);
    for (const [helper, text] of parts.helpers) helpers.set(helper, text);
    return parts.code;
  });
  return [gemmPrelude(target), ...helpers.values(), ...codes].join('\n\n');
}

function describe(s: GemmSpec): string {
  const batch = s.batch.length === 0 ? '' : ` for each of ${s.batch.map(d => d.size).join('x')}`;
  return `// C[${s.m},${s.n}] = A[${s.m},${s.k}] B[${s.k},${s.n}]${batch}, ${s.elementType}; strides A ${s.a.m},${s.a.k} B ${s.b.k},${s.b.n} C ${s.c.m},${s.c.n}`;
}
