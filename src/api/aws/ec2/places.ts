// The single region and zone of a server, in EC2's terms.
import { itemsOf } from '../protocols/ec2-query.ts';
import type { XmlElements } from '../xml.ts';
import { type Ec2Parameters, filtered } from './ec2-parameters.ts';

export interface Place {
  readonly region: string;
  readonly zone: string;
}

/** Such as `use1-az1`. */
export function zoneId({ region, zone }: Place): string {
  const short = region
    .replace(/(north|south)(east|west)/, (_, a: string, b: string) => `${a[0]}${b[0]}`)
    .replace(/north|south|east|west|central/, word => word[0]!)
    .replaceAll('-', '');
  return `${short}-az${zone.charCodeAt(zone.length - 1) - 96}`;
}

export function describeRegions(parameters: Ec2Parameters, { region }: Place): XmlElements {
  const names = parameters.list('RegionName');
  parameters.text('AllRegions');
  const all = [
    { regionName: region, regionEndpoint: `ec2.${region}.amazonaws.com`, optInStatus: 'opt-in-not-required' },
  ];
  const found = filtered(
    all.filter(one => names.length === 0 || names.includes(one.regionName)),
    parameters.filters(),
    {
      'region-name': one => [one.regionName],
      endpoint: one => [one.regionEndpoint],
      'opt-in-status': one => [one.optInStatus],
    },
  );
  return { regionInfo: itemsOf(found) };
}

export function describeAvailabilityZones(parameters: Ec2Parameters, place: Place): XmlElements {
  const [names, ids] = [parameters.list('ZoneName'), parameters.list('ZoneId')];
  parameters.text('AllAvailabilityZones');
  const { region, zone } = place;
  const all = [
    {
      zoneName: zone,
      zoneId: zoneId(place),
      zoneState: 'available',
      regionName: region,
      zoneType: 'availability-zone',
      groupName: region,
      networkBorderGroup: region,
      optInStatus: 'opt-in-not-required',
    },
  ];
  const found = filtered(
    all.filter(one => (names.length === 0 || names.includes(zone)) && (ids.length === 0 || ids.includes(one.zoneId))),
    parameters.filters(),
    {
      'zone-name': one => [one.zoneName],
      'zone-id': one => [one.zoneId],
      'region-name': one => [one.regionName],
      state: one => [one.zoneState],
      'zone-type': one => [one.zoneType],
    },
  );
  return { availabilityZoneInfo: itemsOf(found) };
}
