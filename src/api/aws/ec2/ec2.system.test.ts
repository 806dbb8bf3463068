// EC2's instance types, prices and Capacity Blocks through the AWS SDK for JavaScript and the `aws` command.
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import {
  DescribeAvailabilityZonesCommand,
  DescribeCapacityBlockExtensionHistoryCommand,
  DescribeCapacityBlockExtensionOfferingsCommand,
  DescribeCapacityBlockOfferingsCommand,
  DescribeCapacityBlocksCommand,
  DescribeCapacityReservationsCommand,
  DescribeInstanceTypeOfferingsCommand,
  DescribeInstanceTypesCommand,
  DescribeRegionsCommand,
  DescribeSpotPriceHistoryCommand,
  EC2Client,
  type EC2ServiceException,
  PurchaseCapacityBlockCommand,
  PurchaseCapacityBlockExtensionCommand,
  paginateDescribeInstanceTypes,
  paginateDescribeSpotPriceHistory,
} from '@aws-sdk/client-ec2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inheritedVariables } from '../../../base/environment.ts';
import { adminKey, readerKey, startTestServer, type TestServer } from '../aws-server.testing.ts';
import type { AccessKey } from '../signature/access-keys.ts';

let server: TestServer;
let client: EC2Client;
const connect = (key: AccessKey) =>
  new EC2Client({
    endpoint: server.url,
    region: 'us-east-1',
    credentials: { accessKeyId: key.id, secretAccessKey: key.secret },
    maxAttempts: 1,
  });
beforeAll(async () => {
  server = await startTestServer();
  client = connect(adminKey);
});
afterAll(async () => {
  client.destroy();
  expect(server.log).toEqual([]);
  await server[Symbol.asyncDispose]();
});

const errorOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (error: EC2ServiceException) => `${error.$metadata.httpStatusCode} ${error.name}: ${error.message}`,
  );

describe('available instances', () => {
  test('instance types with their accelerators', async () => {
    const { InstanceTypes: types } = await client.send(
      new DescribeInstanceTypesCommand({ InstanceTypes: ['trn1.32xlarge', 'trn2.48xlarge', 'p5.48xlarge'] }),
    );
    const of = (name: string) => types!.find(({ InstanceType }) => InstanceType === name);
    expect(of('trn1.32xlarge')).toMatchObject({
      VCpuInfo: { DefaultVCpus: 128 },
      MemoryInfo: { SizeInMiB: 524_288 },
      NetworkInfo: { EfaSupported: true },
      NeuronInfo: {
        NeuronDevices: [
          { Count: 16, Name: 'Trainium1', CoreInfo: { Count: 2, Version: 2 }, MemoryInfo: { SizeInMiB: 32_768 } },
        ],
        TotalNeuronDeviceMemoryInMiB: 524_288,
      },
    });
    expect(of('trn2.48xlarge')!.NeuronInfo!.NeuronDevices![0]).toMatchObject({
      Count: 16,
      CoreInfo: { Count: 8, Version: 3 },
      MemoryInfo: { SizeInMiB: 98_304 },
    });
    expect(of('p5.48xlarge')!.GpuInfo!.Gpus![0]).toMatchObject({ Name: 'H100', Manufacturer: 'NVIDIA', Count: 8 });
  });

  test('pages, filters, unknown names', async () => {
    const names: (string | undefined)[] = [];
    for await (const page of paginateDescribeInstanceTypes({ client, pageSize: 5 }, {}))
      names.push(...page.InstanceTypes!.map(({ InstanceType }) => InstanceType));
    expect(names.length).toBeGreaterThan(15);
    expect(new Set(names).size).toBe(names.length);
    const filtered = await client.send(
      new DescribeInstanceTypesCommand({ Filters: [{ Name: 'instance-type', Values: ['trn1*'] }] }),
    );
    expect(filtered.InstanceTypes!.map(({ InstanceType }) => InstanceType)).toEqual([
      'trn1.2xlarge',
      'trn1.32xlarge',
      'trn1n.32xlarge',
    ]);
    expect(
      await errorOf(client.send(new DescribeInstanceTypesCommand({ InstanceTypes: ['none.large' as never] }))),
    ).toBe('400 InvalidInstanceType: The following supplied instance types do not exist: [none.large]');
    expect(
      await errorOf(client.send(new DescribeInstanceTypesCommand({ Filters: [{ Name: 'color', Values: ['x'] }] }))),
    ).toBe("400 InvalidParameterValue: The filter 'color' is invalid");
    expect(await errorOf(client.send(new DescribeInstanceTypesCommand({ MaxResults: 1 })))).toContain(
      'Value (1) for parameter MaxResults is invalid. Expected an integer from 5 to 100.',
    );
  });

  test('offerings, spot prices, region and zones', async () => {
    const offerings = await client.send(
      new DescribeInstanceTypeOfferingsCommand({
        LocationType: 'availability-zone',
        Filters: [{ Name: 'instance-type', Values: ['p4d.24xlarge'] }],
      }),
    );
    expect(offerings.InstanceTypeOfferings).toEqual([
      { InstanceType: 'p4d.24xlarge', LocationType: 'availability-zone', Location: 'us-east-1a' },
    ]);
    const prices = await client.send(
      new DescribeSpotPriceHistoryCommand({
        InstanceTypes: ['trn1.32xlarge'],
        ProductDescriptions: ['Linux/UNIX'],
        StartTime: new Date(),
      }),
    );
    expect(prices.SpotPriceHistory).toMatchObject([{ SpotPrice: '4.150600', AvailabilityZone: 'us-east-1a' }]);
    let count = 0;
    for await (const page of paginateDescribeSpotPriceHistory({ client, pageSize: 3 }, {}))
      count += page.SpotPriceHistory!.length;
    expect(count).toBeGreaterThan(5);
    expect((await client.send(new DescribeRegionsCommand({}))).Regions).toMatchObject([{ RegionName: 'us-east-1' }]);
    expect((await client.send(new DescribeAvailabilityZonesCommand({}))).AvailabilityZones).toMatchObject([
      { ZoneName: 'us-east-1a', ZoneId: 'use1-az1', State: 'available' },
    ]);
  });
});

describe('capacity blocks', () => {
  const search = (changes: object = {}) =>
    client.send(
      new DescribeCapacityBlockOfferingsCommand({
        InstanceType: 'trn1.32xlarge',
        InstanceCount: 4,
        CapacityDurationHours: 48,
        ...changes,
      }),
    );
  const buy = (CapacityBlockOfferingId: string | undefined, changes: object = {}) =>
    client.send(
      new PurchaseCapacityBlockCommand({
        CapacityBlockOfferingId,
        InstancePlatform: 'Linux/UNIX',
        TagSpecifications: [{ ResourceType: 'capacity-reservation', Tags: [{ Key: 'team', Value: 'nlp' }] }],
        ...changes,
      }),
    );

  test('are searched, bought, described, and found by filters', async () => {
    const { CapacityBlockOfferings: offerings } = await search();
    expect(offerings![0]).toMatchObject({ CapacityBlockDurationHours: 48, UpfrontFee: '1830.14', CurrencyCode: 'USD' });
    const { CapacityReservation: bought, CapacityBlocks: blocks } = await buy(offerings![0]!.CapacityBlockOfferingId);
    expect(bought).toMatchObject({
      State: 'active',
      InstanceType: 'trn1.32xlarge',
      TotalInstanceCount: 4,
      ReservationType: 'capacity-block',
      EndDateType: 'limited',
      InstanceMatchCriteria: 'targeted',
      Tags: [{ Key: 'team', Value: 'nlp' }],
    });
    expect(bought!.EndDate!.getTime() - bought!.StartDate!.getTime()).toBe(48 * 3_600_000);
    const later = await buy(offerings![2]!.CapacityBlockOfferingId, { TagSpecifications: undefined });
    expect(later.CapacityReservation!.State).toBe('scheduled');
    const find = async (input: object) =>
      (await client.send(new DescribeCapacityReservationsCommand(input))).CapacityReservations!.map(
        one => one.CapacityReservationId,
      );
    const id = bought!.CapacityReservationId!;
    expect(await find({})).toEqual([id, later.CapacityReservation!.CapacityReservationId]);
    expect(await find({ CapacityReservationIds: [id] })).toEqual([id]);
    expect(await find({ Filters: [{ Name: 'state', Values: ['active'] }] })).toEqual([id]);
    expect(await find({ Filters: [{ Name: 'tag:team', Values: ['n*'] }] })).toEqual([id]);
    const described = await client.send(
      new DescribeCapacityBlocksCommand({ CapacityBlockIds: [blocks![0]!.CapacityBlockId!] }),
    );
    expect(described.CapacityBlocks).toMatchObject([{ State: 'active', CapacityReservationIds: [id] }]);
    // Training plans share the table, but none of them appear here.
    expect(server.service.capacity.list('training-plan')).toEqual([]);
  });

  test('are extended', async () => {
    const { CapacityReservations: all } = await client.send(new DescribeCapacityReservationsCommand({}));
    const { CapacityReservationId, EndDate } = all![0]!;
    const { CapacityBlockExtensionOfferings: offerings } = await client.send(
      new DescribeCapacityBlockExtensionOfferingsCommand({
        CapacityReservationId,
        CapacityBlockExtensionDurationHours: 24,
      }),
    );
    expect(offerings![0]).toMatchObject({ CapacityBlockExtensionStartDate: EndDate, UpfrontFee: '915.07' });
    const { CapacityBlockExtensionOfferingId } = offerings![0]!;
    const { CapacityBlockExtensions: extensions } = await client.send(
      new PurchaseCapacityBlockExtensionCommand({ CapacityReservationId, CapacityBlockExtensionOfferingId }),
    );
    expect(extensions).toMatchObject([{ CapacityBlockExtensionStatus: 'payment-succeeded' }]);
    const history = await client.send(
      new DescribeCapacityBlockExtensionHistoryCommand({ CapacityReservationIds: [CapacityReservationId!] }),
    );
    expect(history.CapacityBlockExtensions).toEqual(extensions);
    const { CapacityReservations: now } = await client.send(
      new DescribeCapacityReservationsCommand({ CapacityReservationIds: [CapacityReservationId!] }),
    );
    expect(now![0]!.EndDate!.getTime() - EndDate!.getTime()).toBe(24 * 3_600_000);
  });

  test('refusals', async () => {
    expect(await errorOf(search({ CapacityDurationHours: undefined }))).toBe(
      '400 MissingParameter: The request must contain the parameter CapacityDurationHours',
    );
    expect(await errorOf(search({ CapacityDurationHours: 30 }))).toContain('a multiple of 24 up to 336');
    expect(await errorOf(search({ InstanceCount: 3 }))).toContain('one of 1, 2, 4, 8, 16, 32, 64');
    expect(await errorOf(search({ DryRun: true }))).toContain('412 DryRunOperation');
    expect(await errorOf(buy('cbo-00'))).toContain('400 InvalidParameterValue');
    expect(
      await errorOf(client.send(new DescribeCapacityReservationsCommand({ CapacityReservationIds: ['cr-0'] }))),
    ).toBe("400 InvalidCapacityReservationId.NotFound: The ID 'cr-0' does not exist");
    const wrong = connect({ ...adminKey, secret: 'wrong' });
    expect(await errorOf(wrong.send(new DescribeRegionsCommand({})))).toBe(
      '401 AuthFailure: AWS was not able to validate the provided access credentials',
    );
    wrong.destroy();
    const reader = connect(readerKey);
    await reader.send(new DescribeRegionsCommand({}));
    expect(
      await errorOf(
        reader.send(new PurchaseCapacityBlockCommand({ CapacityBlockOfferingId: 'x', InstancePlatform: 'Linux/UNIX' })),
      ),
    ).toBe('403 UnauthorizedOperation: You are not authorized to perform this operation.');
    reader.destroy();
  });
});

const run = promisify(execFile);
const isMissing = spawnSync('aws', ['--version']).error !== undefined;

// Not skipped if CI is set: .ci/run installs it.
describe.skipIf(isMissing && inheritedVariables().CI === undefined)('aws ec2', () => {
  const aws = async (...args: string[]): Promise<unknown> =>
    JSON.parse(
      (
        await run('aws', ['--endpoint-url', server.url, '--output', 'json', 'ec2', ...args], {
          env: server.variables(),
        })
      ).stdout,
    );

  test('instance types, spot prices, zones, reservations; unsupported operations', async () => {
    expect(await aws('describe-instance-types', '--instance-types', 'trn1.2xlarge')).toMatchObject({
      InstanceTypes: [{ InstanceType: 'trn1.2xlarge', VCpuInfo: { DefaultVCpus: 8 } }],
    });
    expect(
      await aws('describe-spot-price-history', '--instance-types', 'p4d.24xlarge', '--max-items', '1'),
    ).toMatchObject({ SpotPriceHistory: [{ InstanceType: 'p4d.24xlarge' }] });
    expect(await aws('describe-availability-zones')).toMatchObject({ AvailabilityZones: [{ State: 'available' }] });
    expect(await aws('describe-capacity-reservations')).toHaveProperty('CapacityReservations');
    const error: unknown = await aws('describe-vpcs').catch((e: { stderr: string }) => e.stderr);
    expect(error).toContain('(InvalidAction)');
  });
});
