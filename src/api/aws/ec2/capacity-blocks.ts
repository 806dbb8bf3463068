// EC2's operations on Capacity Blocks for ML and their extensions: search, purchase, describe.
// https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-blocks.html
import { toDollars } from '../../../base/money.ts';
import { findInstance } from '../../../hardware/index.ts';
import {
  type BlockExtension,
  blockDays,
  blockSizes,
  type CapacityBlock,
  DAY_MS,
  HOUR_MS,
  stateAt,
} from '../../../jobs/capacity/capacity-block.ts';
import type { CapacityStore, Refusal } from '../../../jobs/capacity/capacity-store.ts';
import { AwsError } from '../aws-error.ts';
import { isoTime, itemsOf } from '../protocols/ec2-query.ts';
import type { XmlElements } from '../xml.ts';
import { type Ec2Parameters, filtered, invalidValue } from './ec2-parameters.ts';
import { type Place, zoneId } from './places.ts';

export interface CapacityBlockOptions extends Place {
  readonly account: string;
  readonly capacity: CapacityStore;
  readonly now: () => number;
}

const LINUX = 'Linux/UNIX';
const CURRENCY = 'USD';
const MAX_HOURS = 182 * 24;
const reservationId = ({ id }: CapacityBlock): string => `cr-${id}`;
const blockId = ({ id }: CapacityBlock): string => `cb-${id}`;

/** A valid block duration in hours, as milliseconds. */
function lengthOf(parameters: Ec2Parameters, name: string): number {
  parameters.required(name);
  const hours = parameters.integer(name, 1, MAX_HOURS)!;
  if (!blockDays.includes(hours / 24))
    throw invalidValue(name, String(hours), 'a multiple of 24 up to 336, or a multiple of 168 up to 4368');
  return hours * HOUR_MS;
}

export function describeCapacityBlockOfferings(
  parameters: Ec2Parameters,
  { capacity, zone }: CapacityBlockOptions,
): XmlElements {
  const durationMs = lengthOf(parameters, 'CapacityDurationHours');
  if (parameters.text('UltraserverType') !== undefined || parameters.text('UltraserverCount') !== undefined)
    throw new AwsError('InvalidParameterValue', 'UltraServers are not supported by this server; use InstanceType.');
  parameters.text('AllAvailabilityZones');
  const instanceType = parameters.required('InstanceType');
  if (findInstance(instanceType)?.name !== instanceType)
    throw new AwsError('InvalidInstanceType', `The instance type '${instanceType}' does not exist`);
  const instanceCount = parameters.integer('InstanceCount', 1, 64) ?? 1;
  if (!blockSizes.includes(instanceCount))
    throw invalidValue('InstanceCount', String(instanceCount), `one of ${blockSizes.join(', ')}`);
  const offerings = capacity.search({
    instanceType,
    instanceCount,
    durationMs,
    startAfterMs: parameters.time('StartDateRange'),
    endBeforeMs: parameters.time('EndDateRange'),
  });
  const { page, nextToken } = parameters.page(offerings, 1, 1000);
  return {
    capacityBlockOfferingSet: itemsOf(
      page.map(one => ({
        capacityBlockOfferingId: one.id,
        instanceType,
        availabilityZone: zone,
        instanceCount,
        startDate: isoTime(one.startMs),
        endDate: isoTime(one.endMs),
        capacityBlockDurationHours: (one.endMs - one.startMs) / HOUR_MS,
        capacityBlockDurationMinutes: 0,
        upfrontFee: toDollars(one.fee).toFixed(2),
        currencyCode: CURRENCY,
        tenancy: 'default',
      })),
    ),
    nextToken,
  };
}

export function purchaseCapacityBlock(parameters: Ec2Parameters, options: CapacityBlockOptions): XmlElements {
  const platform = parameters.required('InstancePlatform');
  if (platform !== LINUX) throw invalidValue('InstancePlatform', platform, `'${LINUX}'`);
  const offering = parameters.required('CapacityBlockOfferingId');
  const tags = parameters.tags('capacity-reservation');
  const block = options.capacity.buy(offering, { purpose: 'capacity-block', name: undefined, tags });
  if (typeof block === 'string') throw refused(block);
  return {
    capacityReservation: reservation(block, options),
    capacityBlockSet: itemsOf([describeBlock(block, options)]),
  };
}

export function describeCapacityReservations(parameters: Ec2Parameters, options: CapacityBlockOptions): XmlElements {
  const found = filtered(
    selected(options, parameters.list('CapacityReservationId'), reservationId, 'InvalidCapacityReservationId.NotFound'),
    parameters.filters(),
    {
      'instance-type': one => [one.instanceType],
      'availability-zone': one => [one.zone],
      state: one => [stateAt(one, options.now())],
      'reservation-type': () => ['capacity-block'],
      'instance-platform': () => [LINUX],
      'start-date': one => [isoTime(one.startMs)],
      'end-date': one => [isoTime(one.endMs)],
      'end-date-type': () => ['limited'],
      'instance-match-criteria': () => ['targeted'],
      tenancy: () => ['default'],
      'owner-id': () => [options.account],
    },
    ({ tags }) => tags,
  );
  const { page, nextToken } = parameters.page(found, 1, 1000);
  return { capacityReservationSet: itemsOf(page.map(one => reservation(one, options))), nextToken };
}

export function describeCapacityBlocks(parameters: Ec2Parameters, options: CapacityBlockOptions): XmlElements {
  const found = filtered(
    selected(options, parameters.list('CapacityBlockId'), blockId, 'InvalidCapacityBlockId.NotFound'),
    parameters.filters(),
    {
      'capacity-block-id': one => [blockId(one)],
      'availability-zone': one => [one.zone],
      state: one => [stateAt(one, options.now())],
      'start-date': one => [isoTime(one.startMs)],
      'end-date': one => [isoTime(one.endMs)],
    },
    ({ tags }) => tags,
  );
  const { page, nextToken } = parameters.page(found, 1, 1000);
  return { capacityBlockSet: itemsOf(page.map(one => describeBlock(one, options))), nextToken };
}

export function describeCapacityBlockExtensionOfferings(
  parameters: Ec2Parameters,
  options: CapacityBlockOptions,
): XmlElements {
  const durationMs = lengthOf(parameters, 'CapacityBlockExtensionDurationHours');
  const block = oneOf(options, parameters.required('CapacityReservationId'));
  const offering = options.capacity.extension(block.id, durationMs);
  const { page, nextToken } = parameters.page(offering === undefined ? [] : [offering], 1, 1000);
  return {
    capacityBlockExtensionOfferingSet: itemsOf(
      page.map(one => ({
        capacityBlockExtensionOfferingId: one.id,
        startDate: isoTime(block.startMs),
        ...extensionTerms(block, one, options),
      })),
    ),
    nextToken,
  };
}

export function purchaseCapacityBlockExtension(parameters: Ec2Parameters, options: CapacityBlockOptions): XmlElements {
  const offering = parameters.required('CapacityBlockExtensionOfferingId');
  oneOf(options, parameters.required('CapacityReservationId'));
  const extended = options.capacity.extend(offering);
  if (typeof extended === 'string') throw refused(extended);
  return { capacityBlockExtensionSet: itemsOf([describeExtension(extended, extended.extensions.at(-1)!, options)]) };
}

export function describeCapacityBlockExtensionHistory(
  parameters: Ec2Parameters,
  options: CapacityBlockOptions,
): XmlElements {
  const blocks = selected(
    options,
    parameters.list('CapacityReservationId'),
    reservationId,
    'InvalidCapacityReservationId.NotFound',
  );
  const all = blocks.flatMap(block => block.extensions.map(extension => ({ block, extension })));
  const found = filtered(all, parameters.filters(), {
    'availability-zone': ({ block }) => [block.zone],
    'instance-type': ({ block }) => [block.instanceType],
    'capacity-block-extension-status': () => ['payment-succeeded'],
  });
  const { page, nextToken } = parameters.page(found, 1, 1000);
  return {
    capacityBlockExtensionSet: itemsOf(page.map(one => describeExtension(one.block, one.extension, options))),
    nextToken,
  };
}

/** The blocks sold through EC2: all, or those with the given ids, which must exist. */
function selected(
  { capacity }: CapacityBlockOptions,
  ids: readonly string[],
  idOf: (block: CapacityBlock) => string,
  code: string,
): readonly CapacityBlock[] {
  const all = capacity.list('capacity-block');
  const absent = ids.filter(id => !all.some(block => idOf(block) === id));
  if (absent.length > 0) throw new AwsError(code, `The ID '${absent.join(', ')}' does not exist`);
  return ids.length === 0 ? all : all.filter(block => ids.includes(idOf(block)));
}

const oneOf = (options: CapacityBlockOptions, id: string): CapacityBlock =>
  selected(options, [id], reservationId, 'InvalidCapacityReservationId.NotFound')[0]!;

const tagSet = ({ tags }: CapacityBlock) => itemsOf(Object.entries(tags).map(([key, value]) => ({ key, value })));

const reservation = (block: CapacityBlock, { account, region, now }: CapacityBlockOptions): XmlElements => ({
  capacityReservationId: reservationId(block),
  ownerId: account,
  capacityReservationArn: `arn:aws:ec2:${region}:${account}:capacity-reservation/${reservationId(block)}`,
  availabilityZoneId: zoneId({ region, zone: block.zone }),
  instanceType: block.instanceType,
  instancePlatform: LINUX,
  availabilityZone: block.zone,
  tenancy: 'default',
  totalInstanceCount: block.instanceCount,
  availableInstanceCount: stateAt(block, now()) === 'active' ? block.instanceCount : 0,
  ebsOptimized: true,
  ephemeralStorage: false,
  state: stateAt(block, now()),
  startDate: isoTime(block.startMs),
  endDate: isoTime(block.endMs),
  endDateType: 'limited',
  instanceMatchCriteria: 'targeted',
  createDate: isoTime(block.createdMs),
  tagSet: tagSet(block),
  reservationType: 'capacity-block',
  deliveryPreference: 'fixed',
  capacityBlockId: blockId(block),
});

const describeBlock = (block: CapacityBlock, { region, now }: CapacityBlockOptions): XmlElements => ({
  capacityBlockId: blockId(block),
  availabilityZone: block.zone,
  availabilityZoneId: zoneId({ region, zone: block.zone }),
  capacityReservationIdSet: itemsOf([reservationId(block)]),
  startDate: isoTime(block.startMs),
  endDate: isoTime(block.endMs),
  createDate: isoTime(block.createdMs),
  state: stateAt(block, now()),
  tagSet: tagSet(block),
});

const extensionTerms = (
  block: CapacityBlock,
  { startMs, endMs, fee }: Pick<BlockExtension, 'startMs' | 'endMs' | 'fee'>,
  { region }: CapacityBlockOptions,
): XmlElements => ({
  instanceType: block.instanceType,
  instanceCount: block.instanceCount,
  availabilityZone: block.zone,
  availabilityZoneId: zoneId({ region, zone: block.zone }),
  capacityBlockExtensionStartDate: isoTime(startMs),
  capacityBlockExtensionEndDate: isoTime(endMs),
  capacityBlockExtensionDurationHours: ((endMs - startMs) / DAY_MS) * 24,
  upfrontFee: toDollars(fee).toFixed(2),
  currencyCode: CURRENCY,
});

const describeExtension = (
  block: CapacityBlock,
  extension: BlockExtension,
  options: CapacityBlockOptions,
): XmlElements => ({
  capacityReservationId: reservationId(block),
  capacityBlockExtensionOfferingId: extension.offeringId,
  capacityBlockExtensionStatus: 'payment-succeeded',
  capacityBlockExtensionPurchaseDate: isoTime(extension.purchasedMs),
  ...extensionTerms(block, extension, options),
});

function refused(refusal: Refusal): AwsError {
  switch (refusal) {
    case 'unknown offering':
      return new AwsError('InvalidParameterValue', 'The offering does not exist. Search for offerings again.');
    case 'offering is over':
      return new AwsError('InvalidParameterValue', 'The offering is no longer available. Search for offerings again.');
    case 'no capacity':
      return new AwsError(
        'InsufficientCapacity',
        'The instances of this offering have been reserved meanwhile. Search for offerings again.',
      );
    case 'name exists':
      return new AwsError('InvalidParameterValue', 'A block with this name already exists.');
    case 'not extendable':
      return new AwsError(
        'InvalidState',
        'A Capacity Block can be extended while it is active or scheduled, between 56 days and one hour before its end.',
      );
  }
}
