// The check of a policy of recomputation.
import { recomputePolicies } from '../../autodiff/index.ts';
import { TrenioError } from '../../base/errors.ts';
import { userLocation } from '../location.ts';

/** @throws {INVALID_OPTION} for an unknown policy */
export function checkPolicy(what: string, policy: string): void {
  if (!(recomputePolicies as readonly string[]).includes(policy))
    throw new TrenioError(
      'INVALID_OPTION',
      { what, option: 'policy', got: policy, expected: `one of ${recomputePolicies.join(', ')}` },
      { location: userLocation() },
    );
}
