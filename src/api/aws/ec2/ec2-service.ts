// The part of EC2 for renting and reserving: instance types, spot prices, Capacity Blocks. There are no EC2 instances.
import type { CapacityStore } from '../../../jobs/capacity/capacity-store.ts';
import { AwsError } from '../aws-error.ts';
import type { AwsReply, AwsRequest, AwsService } from '../aws-request.ts';
import { mayDo } from '../permissions.ts';
import { EC2_VERSION, ec2ErrorReply, ec2Reply, ec2SignatureError } from '../protocols/ec2-query.ts';
import { formOf } from '../protocols/query.ts';
import { readBody } from '../read-body.ts';
import type { XmlElements } from '../xml.ts';
import {
  type CapacityBlockOptions,
  describeCapacityBlockExtensionHistory,
  describeCapacityBlockExtensionOfferings,
  describeCapacityBlockOfferings,
  describeCapacityBlocks,
  describeCapacityReservations,
  purchaseCapacityBlock,
  purchaseCapacityBlockExtension,
} from './capacity-blocks.ts';
import { Ec2Parameters } from './ec2-parameters.ts';
import { describeInstanceTypeOfferings, describeInstanceTypes, describeSpotPriceHistory } from './instance-types.ts';
import { describeAvailabilityZones, describeRegions } from './places.ts';

type Operation = (parameters: Ec2Parameters, options: CapacityBlockOptions) => XmlElements;

const operations: Readonly<Record<string, Operation>> = {
  DescribeAvailabilityZones: describeAvailabilityZones,
  DescribeCapacityBlockExtensionHistory: describeCapacityBlockExtensionHistory,
  DescribeCapacityBlockExtensionOfferings: describeCapacityBlockExtensionOfferings,
  DescribeCapacityBlockOfferings: describeCapacityBlockOfferings,
  DescribeCapacityBlocks: describeCapacityBlocks,
  DescribeCapacityReservations: describeCapacityReservations,
  DescribeInstanceTypeOfferings: describeInstanceTypeOfferings,
  DescribeInstanceTypes: describeInstanceTypes,
  DescribeRegions: describeRegions,
  DescribeSpotPriceHistory: describeSpotPriceHistory,
  PurchaseCapacityBlock: purchaseCapacityBlock,
  PurchaseCapacityBlockExtension: purchaseCapacityBlockExtension,
};

/** The names of all operations. */
export const ec2Operations: readonly string[] = Object.keys(operations);

export interface Ec2Options {
  readonly account: string;
  readonly region: string;
  readonly capacity: CapacityStore;
  readonly now: () => number;
}

export class Ec2Service implements AwsService {
  readonly maxBodyBytes = 256 * 1024;
  readonly errorReply = ec2ErrorReply;
  readonly signatureError = ec2SignatureError;
  readonly #options: CapacityBlockOptions;

  constructor(options: Ec2Options) {
    this.#options = { ...options, zone: options.capacity.zone };
  }

  async handle(request: AwsRequest): Promise<AwsReply> {
    const form = formOf(await readBody(request, this.maxBodyBytes));
    const action = form.get('Action') ?? '';
    const operation = Object.hasOwn(operations, action) ? operations[action] : undefined;
    if (operation === undefined)
      throw new AwsError('InvalidAction', `The action ${action} is not valid for this web service.`);
    if (form.get('Version') !== EC2_VERSION)
      throw new AwsError('InvalidParameterValue', `The Version must be ${EC2_VERSION}, got '${form.get('Version')}'.`);
    if (!mayDo(request, { action: `ec2:${action}`, kind: action.startsWith('Describe') ? 'read' : 'write' }))
      throw new AwsError('UnauthorizedOperation', 'You are not authorized to perform this operation.', 403);
    if ((form.get('DryRun') ?? form.get('dryRun')) === 'true')
      throw new AwsError('DryRunOperation', 'Request would have succeeded, but DryRun flag is set.', 412);
    const parameters = new Ec2Parameters(form);
    const result = operation(parameters, this.#options);
    return ec2Reply(action, result, request.requestId);
  }
}
