// EC2's view of the hardware catalog: instance types, where they are offered, and spot prices. Figures that the
// catalog does not have are omitted.
import { toDollars } from '../../../base/money.ts';
import { chips, instances } from '../../../hardware/index.ts';
import { AwsError } from '../aws-error.ts';
import { isoTime, itemsOf } from '../protocols/ec2-query.ts';
import type { XmlElements } from '../xml.ts';
import { type Ec2Parameters, filtered, invalidValue } from './ec2-parameters.ts';
import { type Place, zoneId } from './places.ts';

type Instance = (typeof instances)[number];
/** UltraServers are not instance types. */
const types: readonly Instance[] = instances.filter(({ name }) => name.includes('.'));

const MIB_PER_GIB = 1024;
const LINUX = 'Linux/UNIX';

export function describeInstanceTypes(parameters: Ec2Parameters): XmlElements {
  const names = parameters.list('InstanceType');
  const absent = names.filter(name => !types.some(one => one.name === name));
  if (absent.length > 0)
    throw new AwsError(
      'InvalidInstanceType',
      `The following supplied instance types do not exist: [${absent.join(', ')}]`,
    );
  const wanted = names.length === 0 ? types : types.filter(({ name }) => names.includes(name));
  const found = filtered(wanted, parameters.filters(), {
    'instance-type': one => [one.name],
    'current-generation': () => [true],
    'supported-usage-class': usageClasses,
    'processor-info.supported-architecture': () => ['x86_64'],
    'vcpu-info.default-vcpus': one => [one.vcpus.value],
    'memory-info.size-in-mib': one => [one.hostMemoryGib.value * MIB_PER_GIB],
    'network-info.efa-supported': hasEfa,
  });
  const { page, nextToken } = parameters.page(found, 5, 100);
  return { instanceTypeSet: itemsOf(page.map(describe)), nextToken };
}

const usageClasses = ({ prices }: Instance): readonly string[] =>
  ['on-demand', 'spot', 'capacity-block'].filter(kind => prices.some(one => one.kind === kind));

const hasEfa = ({ network }: Instance): readonly boolean[] => [network?.name.startsWith('EFA') ?? false];

function describe(one: Instance): XmlElements {
  const { network, localStorageGb, ebsGbps } = one;
  return {
    instanceType: one.name,
    currentGeneration: true,
    supportedUsageClasses: itemsOf(usageClasses(one)),
    bareMetal: false,
    processorInfo: { supportedArchitectures: itemsOf(['x86_64']) },
    vCpuInfo: { defaultVCpus: one.vcpus.value },
    memoryInfo: { sizeInMiB: one.hostMemoryGib.value * MIB_PER_GIB },
    instanceStorageSupported: localStorageGb !== undefined,
    instanceStorageInfo: localStorageGb && { totalSizeInGB: localStorageGb.value },
    ebsInfo: ebsGbps && {
      ebsOptimizedSupport: 'default',
      ebsOptimizedInfo: { maximumBandwidthInMbps: ebsGbps.value * 1000 },
    },
    networkInfo: network && {
      networkPerformance: `${network.gbps.value} Gigabit`,
      maximumNetworkCards: network.interfaces?.value,
      efaSupported: hasEfa(one)[0],
    },
    ...accelerators(one),
  };
}

function accelerators({ chip: name, chips: count, acceleratorMemoryGib }: Instance): XmlElements {
  const chip = chips.find(one => one.name === name)!;
  const memoryInfo = { sizeInMiB: (acceleratorMemoryGib.value / count.value) * MIB_PER_GIB };
  const total = acceleratorMemoryGib.value * MIB_PER_GIB;
  switch (chip.kind) {
    case 'neuron': {
      const version = /v(\d)$/.exec(chip.core)?.[1];
      const device = {
        count: count.value,
        name: chip.title.replace(/^AWS /, ''),
        coreInfo: { count: chip.cores.value, version },
        memoryInfo,
      };
      return { neuronInfo: { neuronDevices: itemsOf([device]), totalNeuronDeviceMemoryInMiB: total } };
    }
    case 'gpu': {
      const [manufacturer, ...rest] = chip.title.split(' ');
      const device = { name: rest[0] ?? chip.title, manufacturer, count: count.value, memoryInfo };
      return { gpuInfo: { gpus: itemsOf([device]), totalGpuMemoryInMiB: total } };
    }
  }
}

const locationTypes = ['region', 'availability-zone', 'availability-zone-id'] as const;

export function describeInstanceTypeOfferings(parameters: Ec2Parameters, place: Place): XmlElements {
  const asked = parameters.text('LocationType') ?? 'region';
  const locationType = locationTypes.find(one => one === asked);
  if (locationType === undefined) throw invalidValue('LocationType', asked, `one of ${locationTypes.join(', ')}`);
  const location = {
    region: place.region,
    'availability-zone': place.zone,
    'availability-zone-id': zoneId(place),
  }[locationType];
  const found = filtered(types, parameters.filters(), {
    'instance-type': one => [one.name],
    location: () => [location],
  });
  const { page, nextToken } = parameters.page(found, 5, 1000);
  return {
    instanceTypeOfferingSet: itemsOf(page.map(({ name }) => ({ instanceType: name, locationType, location }))),
    nextToken,
  };
}

/**
 * One price for each type: the catalog's. It has been in effect since the catalog's date, so it is the answer for any time:
 * EC2, too, begins with the price that was in effect at StartTime.
 */
export function describeSpotPriceHistory(parameters: Ec2Parameters, { zone, ...place }: Place): XmlElements {
  const names = parameters.list('InstanceType');
  const products = parameters.list('ProductDescription');
  const asked = parameters.text('AvailabilityZone') ?? parameters.text('availabilityZone');
  const askedId = parameters.text('AvailabilityZoneId');
  const startMs = parameters.time('StartTime');
  const endMs = parameters.time('EndTime');
  if (startMs !== undefined && endMs !== undefined && endMs < startMs)
    throw invalidValue('EndTime', isoTime(endMs), 'a time after StartTime');
  const prices = types.flatMap(({ name, prices: all }) => {
    const price = all.find(({ kind }) => kind === 'spot');
    return price === undefined ? [] : [{ name, price, since: sinceOf(price.date) }];
  });
  const found = filtered(
    prices.filter(
      one =>
        (names.length === 0 || names.includes(one.name)) &&
        (products.length === 0 || products.some(product => product.startsWith(LINUX))) &&
        (asked === undefined || asked === zone) &&
        (askedId === undefined || askedId === zoneId({ zone, ...place })) &&
        (endMs === undefined || one.since <= endMs),
    ),
    parameters.filters(),
    {
      'instance-type': one => [one.name],
      'availability-zone': () => [zone],
      'product-description': () => [LINUX],
      'spot-price': one => [toDollars(one.price.perHour.value).toFixed(6)],
    },
  );
  const { page, nextToken } = parameters.page(found, 1, 1000);
  return {
    spotPriceHistorySet: itemsOf(
      page.map(one => ({
        instanceType: one.name,
        productDescription: LINUX,
        spotPrice: toDollars(one.price.perHour.value).toFixed(6),
        timestamp: isoTime(one.since),
        availabilityZone: zone,
      })),
    ),
    // Clients stop at an empty token.
    nextToken: nextToken ?? '',
  };
}

/** A day, month or year. */
const sinceOf = (date: string): number => Date.parse(`${date}${'-01-01'.slice(0, 10 - date.length)}T00:00:00Z`);
