// Looks up and removes the scaling of a variant, as configured by Application Auto Scaling. autoscaler.ts applies it.
import type { EndpointStore } from './endpoint-store.ts';
import type { ScalableTarget, ScalingPolicy } from './scaling-resources.ts';

export const resourceIdOf = (endpoint: string, variant: string): string => `endpoint/${endpoint}/variant/${variant}`;
export const policyKey = (target: string, policyName: string): string => `${target}\n${policyName}`;

/** The scaling of a variant; undefined: it is not registered. */
export function scalingOf(
  store: EndpointStore,
  endpoint: string,
  variant: string,
): { readonly target: ScalableTarget; readonly policies: readonly ScalingPolicy[] } | undefined {
  const target = store.scalableTargets.get(resourceIdOf(endpoint, variant));
  return target && { target, policies: policiesOf(store, target.name) };
}

export const policiesOf = (store: EndpointStore, target: string): readonly ScalingPolicy[] =>
  store.scalingPolicies.all().filter(one => one.target === target);

/** Removes a target, with its policies. */
export function deregister(store: EndpointStore, target: string): void {
  store.transaction(() => {
    for (const { name } of policiesOf(store, target)) store.scalingPolicies.remove(name);
    store.scalableTargets.remove(target);
  });
}

/** Removes the scaling of a deleted endpoint. */
export function deregisterEndpoint(store: EndpointStore, endpoint: string): void {
  for (const one of store.scalableTargets.all()) {
    if (one.endpoint !== endpoint) continue;
    deregister(store, one.name);
    for (const { name, target } of store.scalingActivities.all())
      if (target === one.name) store.scalingActivities.remove(name);
  }
}
