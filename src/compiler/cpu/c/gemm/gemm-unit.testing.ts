// A unit of C with only multiplies, planned and printed: for tests and benchmarks.
import { invariant } from '../../../../base/errors.ts';
import type { GemmSpec } from '../../../ir/multiply.ts';
import { canHaveEpilogue, type EpilogueDemand, planGemm, type Tuning } from '../../gemm/gemm-plan.ts';
import type { CpuTarget } from '../../target/target.ts';
import { type Epilogue, gemmPrelude, printGemm } from './index.ts';

export interface GemmOfUnit {
  readonly name: string;
  readonly spec: GemmSpec;
  readonly tuning?: Tuning;
  /** Takes the sums in place of C; only if `canHaveEpilogue` is true. */
  readonly epilogue?: Epilogue & EpilogueDemand;
}

/** The prelude, the shared functions once each, then the multiplies in order. */
export function gemmUnit(multiplies: readonly GemmOfUnit[], target: CpuTarget): string {
  const helpers = new Map<string, string>();
  const codes = multiplies.map(({ name, spec, tuning, epilogue }) => {
    invariant(
      epilogue === undefined || canHaveEpilogue(spec, target, epilogue),
      'a multiply without contiguous rows has an epilogue',
    );
    const parts = printGemm(name, spec, planGemm(spec, target, tuning, epilogue), epilogue);
    for (const [helper, text] of parts.helpers) helpers.set(helper, text);
    return parts.code;
  });
  return [gemmPrelude(target), ...helpers.values(), ...codes].join('\n\n');
}
