// Every machine of the catalog, by name.
import { g5Instances } from './g5.ts';
import { inf2Instances } from './inf2.ts';
import type { Instance } from './instance.ts';
import { p4AndP5Instances } from './p4-p5.ts';
import { trn1Instances } from './trn1.ts';
import { trn2Instances } from './trn2.ts';
import { trn3Instances } from './trn3.ts';

/** All instances of the catalog. */
export const instances: readonly Instance[] = [
  ...trn1Instances,
  ...trn2Instances,
  ...trn3Instances,
  ...inf2Instances,
  ...p4AndP5Instances,
  ...g5Instances,
];

const MANAGED_PREFIX = 'ml.';
/** `ml.` before a name means the managed service (SageMaker). */
export const isManaged = (name: string): boolean => name.startsWith(MANAGED_PREFIX);

/**
 * A machine by one of its names, with or without `ml.`; undefined if the catalog has no such machine.
 * @example
 * hardware.findInstance('trn1.32xlarge')?.chip // 'trainium1'
 */
export function findInstance(name: string): Instance | undefined {
  const bare = isManaged(name) ? name.slice(MANAGED_PREFIX.length) : name;
  return instances.find(i => i.name === bare || i.aliases?.includes(bare));
}

/** Every known name: machines, and those with a price of the managed service with the prefix `ml.`. */
export const machineNames: readonly string[] = instances.flatMap(i => [
  i.name,
  ...(i.aliases ?? []),
  ...(i.prices.some(p => p.service === 'sagemaker') ? [MANAGED_PREFIX + i.name] : []),
]);
