// The on-demand price of a machine per hour, by the machine's name.
import type { MicroUsd } from '../base/money.ts';
import { type Fact, factUnder } from './fact.ts';
import { findInstance, isManaged, machineNames } from './instances/index.ts';
import type { FactProfile } from './machine.ts';

/**
 * On demand; `ml.` before the name means the managed service. Undefined if no public price is known (never a guess),
 * and for names that the catalog does not have.
 * @example
 * formatUsd(hardware.priceOf('trn1.32xlarge')!.value) // '$21.50'
 */
export function priceOf(name: string, profile: FactProfile = 'docs'): Fact<MicroUsd> | undefined {
  const service = isManaged(name) ? 'sagemaker' : 'ec2';
  const price = findInstance(name)?.prices.find(p => p.service === service && p.kind === 'on-demand');
  return price && factUnder(price.perHour, profile);
}

/**
 * All names that `priceOf` has a price for.
 * @example
 * hardware.pricedNames().includes('trn1.32xlarge') // true
 */
export const pricedNames = (): readonly string[] => machineNames.filter(name => priceOf(name) !== undefined);
