// Which of a machine's published prices a plan pays.
import type { Machine, Price, PurchaseKind } from '../../hardware/machine.ts';

/** Where an instance is bought. */
export type Service = Price['service'];

/** The ways to buy an instance. */
export const purchaseKinds = [
  'on-demand',
  'spot',
  'reserved-1y',
  'reserved-3y',
  'savings-plan',
  'capacity-block',
] as const satisfies readonly PurchaseKind[];

/**
 * A name with `ml.` before it is a machine of the managed service.
 * @example
 * simulator.serviceOf(hardware.machineOf('ml.trn1.32xlarge')) // 'sagemaker'
 */
export const serviceOf = (machine: Machine): Service => (machine.name.startsWith('ml.') ? 'sagemaker' : 'ec2');

/**
 * The newest published price of this kind; undefined: no public price. In the launch profile, the oldest: documents of that
 * time compare the prices of that time.
 * @example
 * formatUsd(simulator.publishedPrice(hardware.machineOf('trn1.32xlarge'))!.perHour) // '$21.50'
 */
export function publishedPrice(
  machine: Machine,
  kind: PurchaseKind = 'on-demand',
  service: Service = serviceOf(machine),
): Price | undefined {
  const found = machine.prices.filter(price => price.kind === kind && price.service === service);
  const byDate = found.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
  return machine.profile === 'launch' ? byDate[0] : byDate.at(-1);
}
