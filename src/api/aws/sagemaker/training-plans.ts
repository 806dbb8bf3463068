// Training plans: SageMaker's view of capacity blocks. A plan has one block of the same name.
// https://docs.aws.amazon.com/sagemaker/latest/dg/reserve-capacity-with-training-plans.html
import { type MicroUsd, toDollars } from '../../../base/money.ts';
import {
  type BlockExtension,
  type BlockState,
  blockSizes,
  type CapacityBlock,
  HOUR_MS,
  lengthFor,
  stateAt,
  totalFee,
} from '../../../jobs/capacity/capacity-block.ts';
import type { CapacityStore, Refusal } from '../../../jobs/capacity/capacity-store.ts';
import type { JobStore } from '../../../jobs/store/job-store.ts';
import { AwsError } from '../aws-error.ts';
import type { sagemaker } from '../models/sagemaker.ts';
import type { InputOf } from '../models/service-model.ts';
import { fromPageToken, toPageToken } from '../page-token.ts';
import type { Operations } from '../protocols/json-service.ts';
import { notFound } from './not-found.ts';
import { readTags, type TaggedResource } from './tags.ts';
import type { CreateTrainingJobInput } from './training-job-request.ts';

type Model = typeof sagemaker;

export interface TrainingPlanOptions {
  readonly account: string;
  readonly region: string;
  readonly capacity: CapacityStore;
  readonly jobs: JobStore;
  readonly now: () => number;
}

const seconds = (ms: number): number => ms / 1000;
const milliseconds = (time: number | undefined): number | undefined => time && time * 1000;
const dollars = (fee: MicroUsd): string => toDollars(fee).toFixed(2);
const managed = (instanceType: string): string => `ml.${instanceType}`;
const bare = (instanceType: string): string => instanceType.replace(/^ml\./, '');
const duration = (ms: number): object => ({
  DurationHours: Math.floor(ms / HOUR_MS),
  DurationMinutes: Math.floor((ms % HOUR_MS) / 60_000),
});
const statuses: Readonly<Record<BlockState, string>> = {
  scheduled: 'Scheduled',
  active: 'Active',
  expired: 'Expired',
};
const CURRENCY = 'USD';
const TARGETS = ['training-job'] as const;
const invalid = (message: string): AwsError => new AwsError('ValidationException', message);

export function trainingPlanOperations(options: TrainingPlanOptions) {
  const { capacity, now } = options;
  const planOf = (name: string): CapacityBlock => {
    const block = capacity.named('training-plan', name);
    if (block === undefined) throw notFound();
    return block;
  };
  return {
    SearchTrainingPlanOfferings: input => search(options, input),
    CreateTrainingPlan: ({ TrainingPlanName: name, TrainingPlanOfferingId: id, Tags: tags }) => {
      const block = capacity.buy(id, { purpose: 'training-plan', name, tags: readTags(tags) });
      if (typeof block === 'string') throw refused(block, name);
      return { TrainingPlanArn: planArn(options, block) };
    },
    DescribeTrainingPlan: ({ TrainingPlanName: nameOrArn }) =>
      describe(options, planOf(nameOrArn.replace(/^arn:.*\//, ''))),
    ListTrainingPlans: input => list(options, input),
    ExtendTrainingPlan: ({ TrainingPlanExtensionOfferingId: id }) => {
      const extended = capacity.extend(id);
      if (typeof extended === 'string') throw refused(extended, id);
      return { TrainingPlanExtensions: extended.extensions.slice(-1).map(one => extension(extended, one)) };
    },
    DescribeTrainingPlanExtensionHistory: ({ TrainingPlanArn: arn, MaxResults: limit = 100, NextToken: token }) => {
      const block = blockOfArn(capacity, arn);
      const offset = fromPageToken(token, 'ValidationException');
      const end = offset + limit;
      return {
        TrainingPlanExtensions: block.extensions.slice(offset, end).map(one => extension(block, one)),
        NextToken: end < block.extensions.length ? toPageToken(end) : undefined,
      };
    },
    DescribeReservedCapacity: ({ ReservedCapacityArn: arn }) => {
      const block = capacity.get(arn.replace(/^.*\//, ''));
      if (block?.purpose !== 'training-plan') throw notFound();
      const inUse = inUseCount(options, block);
      return {
        ...reservedCapacity(options, block, now()),
        AvailableInstanceCount: availableCount(block, inUse, now()),
        InUseInstanceCount: inUse,
      };
    },
  } satisfies Partial<Operations<Model>>;
}

/** The tags of training plans. */
export const trainingPlanTags = (capacity: CapacityStore): TaggedResource => ({
  read: name => capacity.named('training-plan', name)?.tags,
  change: (name, change) => {
    const block = capacity.named('training-plan', name);
    if (block !== undefined) capacity.setTags(block.id, change);
  },
});

/**
 * The block that a training job names with TrainingPlanArn.
 * @throws {AwsError} ValidationException if the job cannot run in it
 */
export function reservationOf(
  capacity: CapacityStore,
  resources: CreateTrainingJobInput['ResourceConfig'],
  nowMs: number,
): string | undefined {
  const arn = resources?.TrainingPlanArn;
  if (arn === undefined) return undefined;
  const block = blockOfArn(capacity, arn);
  const type = managed(block.instanceType);
  if (resources?.InstanceType !== type)
    throw invalid(`The training plan '${block.name}' has instances of type ${type}, got ${resources?.InstanceType}.`);
  if ((resources.InstanceCount ?? 0) > block.instanceCount)
    throw invalid(
      `The training plan '${block.name}' has ${block.instanceCount} instances, and the job requests ${resources.InstanceCount}.`,
    );
  if (stateAt(block, nowMs) === 'expired')
    throw invalid(`The training plan '${block.name}' is in status Expired. Choose one that is Active or Scheduled.`);
  return block.id;
}

/** @throws {AwsError} if there is no such plan */
function blockOfArn(capacity: CapacityStore, arn: string): CapacityBlock {
  const [, name = ''] = /^arn:aws[a-z-]*:sagemaker:[^:]*:[^:]*:training-plan\/(.+)$/.exec(arn) ?? [];
  const block = capacity.named('training-plan', name);
  if (block === undefined) throw notFound();
  return block;
}

function search({ capacity }: TrainingPlanOptions, input: InputOf<Model, 'SearchTrainingPlanOfferings'>): object {
  if (input.UltraServerType !== undefined || input.UltraServerCount !== undefined)
    throw invalid('UltraServers are not supported by this server; give an InstanceType and an InstanceCount.');
  const { InstanceType: type, InstanceCount: count = 1, DurationHours: hours = 24, TargetResources: targets } = input;
  const other = targets?.find(one => one !== 'training-job');
  if (other !== undefined)
    throw invalid(`TargetResources '${other}' is not supported by this server; use 'training-job'.`);
  const durationMs = lengthFor(hours);
  if (input.TrainingPlanArn !== undefined) {
    const block = blockOfArn(capacity, input.TrainingPlanArn);
    const found = durationMs === undefined ? undefined : capacity.extension(block.id, durationMs);
    return {
      TrainingPlanOfferings: [],
      TrainingPlanExtensionOfferings:
        found === undefined
          ? []
          : [
              {
                TrainingPlanExtensionOfferingId: found.id,
                AvailabilityZone: block.zone,
                StartDate: seconds(found.startMs),
                EndDate: seconds(found.endMs),
                DurationHours: (found.endMs - found.startMs) / HOUR_MS,
                UpfrontFee: dollars(found.fee),
                CurrencyCode: CURRENCY,
              },
            ],
    };
  }
  if (type === undefined) throw invalid('InstanceType is required.');
  if (!blockSizes.includes(count))
    throw invalid(`InstanceCount must be one of ${blockSizes.join(', ')}, got ${count}.`);
  const offerings =
    durationMs === undefined
      ? []
      : capacity.search({
          instanceType: bare(type),
          instanceCount: count,
          durationMs,
          startAfterMs: milliseconds(input.StartTimeAfter),
          endBeforeMs: milliseconds(input.EndTimeBefore),
        });
  return {
    TrainingPlanOfferings: offerings.map(one => ({
      TrainingPlanOfferingId: one.id,
      TargetResources: TARGETS,
      RequestedStartTimeAfter: input.StartTimeAfter,
      RequestedEndTimeBefore: input.EndTimeBefore,
      ...duration(one.endMs - one.startMs),
      UpfrontFee: dollars(one.fee),
      CurrencyCode: CURRENCY,
      ReservedCapacityOfferings: [
        {
          ReservedCapacityType: 'Instance',
          InstanceType: managed(one.instanceType),
          InstanceCount: one.instanceCount,
          AvailabilityZone: capacity.zone,
          ...duration(one.endMs - one.startMs),
          StartTime: seconds(one.startMs),
          EndTime: seconds(one.endMs),
        },
      ],
    })),
  };
}

const planArn = ({ region, account }: TrainingPlanOptions, { name }: CapacityBlock): string =>
  `arn:aws:sagemaker:${region}:${account}:training-plan/${name.toLowerCase()}`;

const reservedCapacity = ({ region, account }: TrainingPlanOptions, block: CapacityBlock, nowMs: number): object => ({
  ReservedCapacityArn: `arn:aws:sagemaker:${region}:${account}:reserved-capacity/${block.id}`,
  ReservedCapacityType: 'Instance',
  InstanceType: managed(block.instanceType),
  TotalInstanceCount: block.instanceCount,
  Status: statuses[stateAt(block, nowMs)],
  AvailabilityZone: block.zone,
  ...duration(block.endMs - block.startMs),
  StartTime: seconds(block.startMs),
  EndTime: seconds(block.endMs),
});

/** The number of the plan's instances that jobs are using. */
const inUseCount = ({ jobs }: TrainingPlanOptions, { id }: CapacityBlock): number =>
  jobs.training
    .active()
    .filter(({ runner, spec }) => runner !== undefined && spec.reservation === id)
    .reduce((sum, { spec }) => sum + spec.instanceCount, 0);

const availableCount = (block: CapacityBlock, inUse: number, nowMs: number): number =>
  stateAt(block, nowMs) === 'active' ? block.instanceCount - inUse : 0;

function describe(options: TrainingPlanOptions, block: CapacityBlock): object {
  const nowMs = options.now();
  const inUse = inUseCount(options, block);
  return {
    TrainingPlanArn: planArn(options, block),
    TrainingPlanName: block.name,
    Status: statuses[stateAt(block, nowMs)],
    ...duration(block.endMs - block.startMs),
    StartTime: seconds(block.startMs),
    EndTime: seconds(block.endMs),
    UpfrontFee: dollars(totalFee(block)),
    CurrencyCode: CURRENCY,
    TotalInstanceCount: block.instanceCount,
    AvailableInstanceCount: availableCount(block, inUse, nowMs),
    InUseInstanceCount: inUse,
    TargetResources: TARGETS,
    ReservedCapacitySummaries: [reservedCapacity(options, block, nowMs)],
  };
}

function list(options: TrainingPlanOptions, input: InputOf<Model, 'ListTrainingPlans'>): object {
  const { MaxResults: limit = 10, SortBy: sortBy = 'StartTime', SortOrder: order = 'Descending' } = input;
  const nowMs = options.now();
  const [after, before] = [milliseconds(input.StartTimeAfter), milliseconds(input.StartTimeBefore)];
  const wanted = input.Filters?.map(({ Value }) => Value);
  const status = (block: CapacityBlock): string => statuses[stateAt(block, nowMs)];
  const key = (block: CapacityBlock): string =>
    sortBy === 'TrainingPlanName' ? block.name : sortBy === 'Status' ? status(block) : '';
  const plans = options.capacity
    .list('training-plan')
    .filter(block => after === undefined || block.startMs > after)
    .filter(block => before === undefined || block.startMs < before)
    .filter(block => wanted?.includes(status(block)) ?? true)
    // They are sorted by start.
    .toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
  if (order === 'Descending') plans.reverse();
  const offset = fromPageToken(input.NextToken, 'ValidationException');
  const end = offset + limit;
  return {
    TrainingPlanSummaries: plans.slice(offset, end).map(block => describe(options, block)),
    NextToken: end < plans.length ? toPageToken(end) : undefined,
  };
}

const extension = (block: CapacityBlock, one: BlockExtension): object => ({
  TrainingPlanExtensionOfferingId: one.offeringId,
  ExtendedAt: seconds(one.purchasedMs),
  StartDate: seconds(one.startMs),
  EndDate: seconds(one.endMs),
  Status: 'Succeeded',
  PaymentStatus: 'Succeeded',
  AvailabilityZone: block.zone,
  DurationHours: (one.endMs - one.startMs) / HOUR_MS,
  UpfrontFee: dollars(one.fee),
  CurrencyCode: CURRENCY,
});

function refused(refusal: Refusal, name: string): AwsError {
  switch (refusal) {
    case 'unknown offering':
      return notFound();
    case 'offering is over':
      return invalid('The offering is no longer available. Search for offerings again.');
    case 'no capacity':
      return new AwsError(
        'ResourceLimitExceeded',
        'The instances of this offering have been reserved meanwhile. Search for offerings again.',
      );
    case 'name exists':
      return new AwsError('ResourceInUse', `A training plan with the name '${name}' already exists.`);
    case 'not extendable':
      return invalid('A training plan can be extended between 56 days and one hour before its end.');
  }
}
