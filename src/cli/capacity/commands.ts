// The commands of `trenio capacity`, on the table that the job server has, too; the server need not run.
import { resolve } from 'node:path';
import { defaultServerFolder } from '../../api/server-folder.ts';
import { TrenioError } from '../../base/errors.ts';
import { formatUsd, toDollars } from '../../base/money.ts';
import { nearestName } from '../../base/nearest.ts';
import { formatTable } from '../../base/table.ts';
import { CLUSTER_TAG, clusterBlocks, freeNodes, reservationId } from '../../clusters/blocks/cluster-block.ts';
import { clustersFolder, findCluster } from '../../clusters/cluster-folder.ts';
import { planCluster } from '../../clusters/cluster-plan.ts';
import { parseConfig } from '../../clusters/config/parse-config.ts';
import { findInstance, instances } from '../../hardware/index.ts';
import {
  blockDays,
  blockSizes,
  type CapacityBlock,
  DAY_MS,
  isListed,
  stateAt,
  totalFee,
} from '../../jobs/capacity/capacity-block.ts';
import { CapacityStore, type Refusal } from '../../jobs/capacity/capacity-store.ts';
import { type BlockOffering, readBlockOfferingId } from '../../jobs/capacity/offering.ts';
import { InstancePool } from '../../jobs/instance-pool.ts';
import type { CliContext } from '../command/command.ts';
import { fittingTable } from '../command/wide-table.ts';
import type { BlockInput, BuyInput, ExtendInput, LsInput, SearchInput } from './capacity-options.ts';

const ZONE = 'us-east-1a';

interface StoreOptions {
  readonly data: string | undefined;
  readonly pool?: string | undefined;
}

function open({ data, pool }: StoreOptions, { cwd, environment }: CliContext): CapacityStore {
  const instancePool = InstancePool.fromFile(pool === undefined ? undefined : resolve(cwd, pool));
  return new CapacityStore({
    folder: data === undefined ? defaultServerFolder(environment) : resolve(cwd, data),
    limitOf: type => instancePool.reservableOf(`ml.${type}`),
    service: 'ec2',
    zone: ZONE,
    now: Date.now,
  });
}

const wrong = (option: string, got: string, expected: string, command = 'search'): TrenioError =>
  new TrenioError('INVALID_OPTION', { what: `trenio capacity ${command}`, option, got, expected });

/** A time as milliseconds. */
function timeOf(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw wrong(option, text, 'a time such as 2026-12-01 or 2026-12-01T08:00:00Z');
  return time;
}

function checkDays(days: number, command: string): number {
  if (!blockDays.includes(days)) throw wrong('--days', String(days), '1 to 14, or a multiple of 7 up to 182', command);
  return days * DAY_MS;
}

export async function search({ options }: SearchInput, context: CliContext): Promise<number> {
  const { 'instance-type': given, 'instance-count': instanceCount, start, end, days, json } = options;
  if (given === undefined)
    throw new TrenioError('MISSING_ARGUMENT', {
      command: 'capacity search',
      argument: '--instance-type',
      expected: 'the instance type, such as trn1.32xlarge',
    });
  const instanceType = given.replace(/^ml\./, '');
  if (findInstance(instanceType) === undefined) {
    const nearest = nearestName(
      instanceType,
      instances.map(({ name }) => name),
    );
    throw wrong(
      '--instance-type',
      given,
      `an instance type of the catalog${nearest === undefined ? '' : `; did you mean ${nearest}?`}`,
    );
  }
  if (!blockSizes.includes(instanceCount))
    throw wrong('--instance-count', String(instanceCount), `one of ${blockSizes.join(', ')}`);
  const durationMs = checkDays(days, 'search');
  const [startAfterMs, endBeforeMs] = [timeOf(start, '--start'), timeOf(end, '--end')];
  using store = closing(open(options, context));
  const found = store.it.search({ instanceType, instanceCount, durationMs, startAfterMs, endBeforeMs });
  const { stdout } = context;
  if (json) stdout.write(`${JSON.stringify({ offerings: found.map(describeOffering) })}\n`);
  else if (found.length === 0)
    stdout.write('No offerings: try fewer instances, another time, or a type with a price.\n');
  // Ids are to be copied: they are not cut.
  else
    stdout.write(
      `${formatTable(
        [{ header: 'start' }, { header: 'end' }, { header: 'price', align: 'right' }, { header: 'offering' }],
        found.map(one => [timeText(one.startMs), timeText(one.endMs), formatUsd(one.fee), one.id]),
      )}\n`,
    );
  return 0;
}

export async function buy({ options, positionals: [offering] }: BuyInput, context: CliContext): Promise<number> {
  const { name, cluster, json } = options;
  using store = closing(open(options, context));
  if (cluster !== undefined) checkNodes(cluster, offering!, store.it, context);
  const bought = store.it.buy(offering!, {
    purpose: cluster === undefined ? 'capacity-block' : 'cluster',
    name,
    tags: cluster === undefined ? {} : { [CLUSTER_TAG]: cluster },
  });
  return shown(bought, offering!, json, context);
}

/**
 * A block that would reserve nothing is not sold.
 * @throws {UNKNOWN_CLUSTER}
 * @throws {INVALID_OPTION} where the cluster has too few nodes
 */
function checkNodes(name: string, offering: string, store: CapacityStore, { environment }: CliContext): void {
  const { folder, state } = findCluster(clustersFolder(environment), name);
  const terms = readBlockOfferingId(offering);
  // The purchase reports it.
  if (terms === undefined) return;
  const { type: instanceType, count, start: startMs, end: endMs } = terms;
  const file = state.provider === 'existing' ? undefined : parseConfig(folder.config(), name).file;
  const plan = file && planCluster(name, file);
  const free = plan ? freeNodes(plan, clusterBlocks(plan, store.list()), { instanceType, startMs, endMs }).length : 0;
  if (free >= count) return;
  const expected = `a cluster with ${count} free ${count === 1 ? 'node' : 'nodes'} of ${instanceType} (${name} has ${free} at that time)`;
  throw wrong('--cluster', name, expected, 'buy');
}

export async function extend({ options, positionals: [id] }: ExtendInput, context: CliContext): Promise<number> {
  const { json, days, 'dry-run': isDryRun } = options;
  const durationMs = checkDays(days, 'extend');
  using store = closing(open(options, context));
  const block = find(store.it, id!);
  const offering = store.it.extension(block.id, durationMs);
  if (offering === undefined) throw refused('not extendable', id!);
  if (isDryRun) {
    const { startMs, endMs, fee } = offering;
    const text = `${reservationId(block)} would end at ${timeText(endMs)}, for ${formatUsd(fee)}`;
    const value = { start: iso(startMs), end: iso(endMs), fee: toDollars(fee) };
    context.stdout.write(json ? `${JSON.stringify({ extension: value })}\n` : `${text}\n`);
    return 0;
  }
  return shown(store.it.extend(offering.id), id!, json, context);
}

export async function list({ options }: LsInput, context: CliContext): Promise<number> {
  const { stdout } = context;
  using store = closing(open(options, context));
  const nowMs = Date.now();
  const found = store.it.list().filter(block => options.all || isListed(block, nowMs));
  if (options.json) stdout.write(`${JSON.stringify({ blocks: found.map(describeBlock) })}\n`);
  else if (found.length === 0) stdout.write('No blocks.\n');
  else
    stdout.write(
      `${fittingTable(
        [
          { header: 'block' },
          { header: 'name' },
          { header: 'for' },
          { header: 'instances' },
          { header: 'start' },
          { header: 'end' },
          { header: 'state' },
          { header: 'paid', align: 'right' },
        ],
        found.map(block => [
          reservationId(block),
          block.name === block.id ? '' : block.name,
          block.tags[CLUSTER_TAG] ?? block.purpose,
          `${block.instanceCount} × ${block.instanceType}`,
          timeText(block.startMs),
          timeText(block.endMs),
          stateAt(block, nowMs),
          formatUsd(totalFee(block)),
        ]),
        stdout,
      )}\n`,
    );
  return 0;
}

export async function show({ options, positionals: [id] }: BlockInput, context: CliContext): Promise<number> {
  using store = closing(open(options, context));
  return shown(find(store.it, id!), id!, options.json, context);
}

function shown(result: CapacityBlock | Refusal, about: string, isJson: boolean, { stdout }: CliContext): number {
  if (typeof result === 'string') throw refused(result, about);
  const one = describeBlock(result);
  const rows = [
    ['block', one.id],
    ['name', one.name],
    ['for', one.cluster === undefined ? one.purpose : `the cluster ${one.cluster}`],
    ['instances', `${one.instanceCount} × ${one.instanceType}`],
    ['state', one.state],
    ['start', timeText(result.startMs)],
    ['end', timeText(result.endMs)],
    ...result.extensions.map(({ endMs, fee }) => ['extended', `until ${timeText(endMs)}, for ${formatUsd(fee)}`]),
    ['paid', formatUsd(totalFee(result))],
  ];
  stdout.write(
    isJson
      ? `${JSON.stringify({ block: one })}\n`
      : `${rows.map(([key, value]) => `${key!.padEnd(9)}  ${value}`).join('\n')}\n`,
  );
  return 0;
}

function find(store: CapacityStore, given: string): CapacityBlock {
  const blocks = store.list();
  const found = blocks.find(one => reservationId(one) === given || `cb-${one.id}` === given || one.name === given);
  if (found !== undefined) return found;
  const nearest = nearestName(
    given,
    blocks.flatMap(one => [reservationId(one), one.name]),
  );
  throw new TrenioError('UNKNOWN_CAPACITY_BLOCK', { block: given, nearest });
}

function refused(refusal: Refusal, about: string): TrenioError {
  return new TrenioError('CAPACITY_REFUSED', { about, reason: reasons[refusal] });
}

const reasons: Readonly<Record<Refusal, string>> = {
  'unknown offering': 'there is no such offering',
  'offering is over': 'the offering is no longer available',
  'no capacity': 'its instances have been reserved meanwhile',
  'name exists': 'a block with this name already exists',
  'not extendable':
    'a block can be extended up to an hour before its end, if its instances are free after it (by 1 to 14 days, or weeks)',
};

const iso = (ms: number): string => new Date(ms).toISOString();
const timeText = (ms: number): string => `${iso(ms).slice(0, 16).replace('T', ' ')} UTC`;

const describeOffering = ({ id, instanceType, instanceCount, startMs, endMs, fee }: BlockOffering) => ({
  id,
  instanceType,
  instanceCount,
  start: iso(startMs),
  end: iso(endMs),
  fee: toDollars(fee),
});

const describeBlock = (block: CapacityBlock) => ({
  id: reservationId(block),
  name: block.name,
  purpose: block.purpose,
  cluster: block.tags[CLUSTER_TAG],
  instanceType: block.instanceType,
  instanceCount: block.instanceCount,
  state: stateAt(block, Date.now()),
  start: iso(block.startMs),
  end: iso(block.endMs),
  extensions: block.extensions.map(one => ({ end: iso(one.endMs), fee: toDollars(one.fee) })),
  paid: toDollars(totalFee(block)),
});

const closing = (it: CapacityStore) => ({ it, [Symbol.dispose]: () => it.close() });
