// Matrix multiplies as C: what the rest of the compiler uses of this folder.
import { assertNever, invariant } from '../../../base/errors.ts';
import { canHaveEpilogue, type EpilogueDemand, planGemm, type Tuning } from '../../gemm/gemm-plan.ts';
import type { GemmSpec } from '../../ir/multiply.ts';
import type { Target } from '../../target/target.ts';
import { comment } from '../outside-text.ts';
import { emitEmpty } from './empty-multiply.ts';
import { gemmPrelude } from './gemm-prelude.ts';
import type { Epilogue } from './multiply-entry.ts';
import type { GemmParts } from './parts.ts';
import { emitDot } from './row-dot.ts';
import { emitTiled } from './tiled-multiply.ts';

export type { GemmBatch, GemmSpec } from '../../ir/multiply.ts';
export { gemmPrelude } from './gemm-prelude.ts';
export type { Epilogue } from './multiply-entry.ts';
export type { GemmParts } from './parts.ts';

/** An epilogue, and what it asks of the multiply. */
export type GemmEpilogue = Epilogue & EpilogueDemand;

/** Besides the spec and the target. */
export interface GemmOptions {
  readonly tuning?: Tuning;
  /** Takes the sums in place of C; only where `canHaveEpilogue` says so. */
  readonly epilogue?: GemmEpilogue;
}

/**
 * The C of a multiply, its shared functions apart: a unit of many multiplies needs each of them once, before its users.
 * The code defines `static void NAME(const trenio_rt *rt, const T *a, const T *b, T *c)`, with an epilogue
 * `…, void *context)`.
 */
export function gemmParts(name: string, spec: GemmSpec, target: Target, options: GemmOptions = {}): GemmParts {
  const { tuning, epilogue } = options;
  const plan = planGemm(spec, target, tuning, epilogue);
  invariant(
    epilogue === undefined || canHaveEpilogue(spec, target, epilogue),
    'a multiply without contiguous rows has an epilogue',
  );
  const parts = ((): GemmParts => {
    switch (plan.kind) {
      case 'tiled':
        return emitTiled(name, plan, epilogue);
      case 'dot':
        return emitDot(name, plan);
      case 'empty':
        return emitEmpty(name, plan);
      default:
        return assertNever(plan);
    }
  })();
  return { ...parts, code: `${describe(spec)}\n${parts.code}` };
}

/** A whole unit's multiplies: the prelude, the shared functions once each, then the multiplies in order. */
export function gemmUnit(
  multiplies: readonly (GemmOptions & { readonly name: string; readonly spec: GemmSpec })[],
  target: Target,
): string {
  const helpers = new Map<string, string>();
  const codes = multiplies.map(({ name, spec, ...options }) => {
    const parts = gemmParts(name, spec, target, options);
    for (const [helper, text] of parts.helpers) helpers.set(helper, text);
    return parts.code;
  });
  return [gemmPrelude(target), ...helpers.values(), ...codes].join('\n\n');
}

function describe(s: GemmSpec): string {
  const batch = s.batch.length === 0 ? '' : ` for each of ${s.batch.map(d => d.size).join('x')}`;
  const types = [s.elementType, s.compute, s.resultType].filter(x => x !== undefined).join(' ');
  return comment(
    `C[${s.m},${s.n}] = A[${s.m},${s.k}] B[${s.k},${s.n}]${batch}, ${types}; strides A ${s.a.m},${s.a.k} B ${s.b.k},${s.b.n} C ${s.c.m},${s.c.n}`,
  );
}
