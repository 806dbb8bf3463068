// The differences between two configuration files, key by key, and the requirements for applying each change.
// https://docs.aws.amazon.com/parallelcluster/latest/ug/using-pcluster-update-cluster-v3.html
import type { Field, ListField } from './schema.ts';
import { clusterSchema } from './schema-table.ts';

/**
 * - `live`: applies to the running cluster.
 * - `drain`: applies to nodes without jobs: wait for their jobs, or stop the fleet first.
 * - `replace`: requires a new cluster.
 */
export type ChangeNeed = 'live' | 'drain' | 'replace';

export interface ConfigChange {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly need: ChangeNeed;
}

const live = new Set(['SUPPORTED', 'IGNORED', 'LOGIN_NODES_POOLS_UPDATE_POLICY', 'AWSBATCH_CE_MAX_RESIZE']);
const drain = new Set([
  'QUEUE_UPDATE_STRATEGY',
  'COMPUTE_FLEET_STOP',
  'COMPUTE_FLEET_STOP_ON_REMOVE',
  'RESIZE_UPDATE_STRATEGY_ON_REMOVE',
  'MANAGED_PLACEMENT_GROUP',
  'MANAGED_FSX',
  'SHARED_STORAGE_UPDATE_POLICY',
  'COMPUTE_AND_LOGIN_NODES_STOP',
  'LOGIN_NODES_STOP',
  'LOGIN_NODES_POOL_STOP',
]);

/** @param before a checked file, like `after` */
export function configChanges(before: unknown, after: unknown): readonly ConfigChange[] {
  return [...changes(before, after, clusterSchema, '')];
}

function* changes(before: unknown, after: unknown, field: Field, path: string): Generator<ConfigChange> {
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  if (field.kind === 'map' && isMap(before) && isMap(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const inner = field.fields[key];
      if (inner !== undefined) yield* changes(before[key], after[key], inner, path === '' ? key : `${path}.${key}`);
    }
    return;
  }
  if (field.kind === 'list' && field.key !== undefined && Array.isArray(before) && Array.isArray(after)) {
    yield* itemChanges(before, after, field, field.key, path);
    return;
  }
  yield { path, before, after, need: needOf(field, before, after) };
}

/** Items with the same name are compared, at any position. */
function* itemChanges(
  before: readonly unknown[],
  after: readonly unknown[],
  field: ListField,
  key: string,
  path: string,
): Generator<ConfigChange> {
  const byName = (items: readonly unknown[]): ReadonlyMap<string, unknown> =>
    new Map(items.map(item => [String(isMap(item) ? item[key] : item), item]));
  const [old, next] = [byName(before), byName(after)];
  for (const name of new Set([...old.keys(), ...next.keys()])) {
    const [was, is] = [old.get(name), next.get(name)];
    const inner = `${path}[${name}]`;
    if (was === undefined || is === undefined)
      yield { path: inner, before: was, after: is, need: needOf(field, was, is) };
    else yield* changes(was, is, field.item, inner);
  }
}

function needOf({ update = 'UNSUPPORTED' }: Field, before: unknown, after: unknown): ChangeNeed {
  if (live.has(update)) return 'live';
  // Additional nodes or queues do not affect jobs.
  if (update === 'RESIZE_UPDATE_STRATEGY_ON_REMOVE' || update === 'COMPUTE_FLEET_STOP_ON_REMOVE') {
    const grows = before === undefined || Number(after) > Number(before);
    return grows ? 'live' : 'drain';
  }
  return drain.has(update) ? 'drain' : 'replace';
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
