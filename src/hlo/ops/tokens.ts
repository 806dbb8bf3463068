// Rows of the ops that order effects by tokens: transfers among channels, and to and from the host.
import type { Channel, HostTransfer } from '../attributes.ts';
import type { Literal } from '../literal.ts';
import { zeros } from '../literal.ts';
import { check, type ProcessContext, type Rows, tensors } from '../op-row.ts';
import { movingStrategy, processGroups } from '../process-groups.ts';
import type { Op } from '../program.ts';
import { isLiteral, type RuntimeValue, token } from '../steps.ts';
import { formatType, type TensorType, type Type, tokenType } from '../types.ts';
import { noCost, streaming } from './costs.ts';
import { type Checker, checkerOf, isUnique } from './shape-checks.ts';

const sendChecks: Checker = checkerOf('send');
const recvChecks: Checker = checkerOf('recv');
const infeedChecks: Checker = checkerOf('infeed');
const outfeedChecks: Checker = checkerOf('outfeed');
const afterAllChecks: Checker = checkerOf('after_all');

const channelTypes = ['UNKNOWN', 'DEVICE_TO_DEVICE', 'DEVICE_TO_HOST', 'HOST_TO_DEVICE'];

function requireToken(require: Checker, type: Type | undefined): void {
  require(type?.kind === 'token', 'token', () =>
    `takes a token as its last operand, got ${type === undefined ? 'none' : formatType(type)}`);
}
const show = (value: unknown): string => JSON.stringify(value);

function checkTransfer(require: Checker, host: string, { channelType = 1, ...transfer }: HostTransfer): void {
  const { isHostTransfer, sourceTargetPairs = [] } = transfer;
  require(sourceTargetPairs.every(pair => pair.length === 2), 1, () =>
    `takes pairs of a source and a target, got ${show(sourceTargetPairs)}`);
  require(isUnique(sourceTargetPairs.map(([source]) => source)), 2, () => 'a source is in two pairs');
  require(isUnique(sourceTargetPairs.map(([, target]) => target)), 3, () => 'a target is in two pairs');
  require(sourceTargetPairs.flat().every(id => id >= 0), 4, () =>
    `ids must not be below 0, got ${show(sourceTargetPairs)}`);
  const expected = isHostTransfer ? host : 'DEVICE_TO_DEVICE';
  require(channelTypes[channelType] === expected, 5, () =>
    `the channel type must be ${expected} when is_host_transfer = ${isHostTransfer}, got ${channelTypes[channelType] ?? channelType}`);
}

/** The types of the received values, then a token. `constraints`: for none at all, for the first ones, for the last one. */
function checkReceived(require: Checker, constraints: readonly number[], types: readonly Type[]): void {
  require(types.length > 0, constraints[0]!, () => 'returns at least a token');
  require(types.slice(0, -1).every(type => type.kind === 'tensor'), constraints[1]!, () =>
    `all results but the last must be tensors, got ${types.map(formatType).join(', ')}`);
  require(types.at(-1)?.kind === 'token', constraints[2]!, () =>
    `the last result must be a token, got ${formatType(types.at(-1)!)}`);
}

/** A layout has one list of dims for each tensor that is fed in. */
function checkLayout(layout: string, tensorCount: number): void {
  const refuse = (detail: string): void => check(false, 'infeed', 'trenio_infeed_layout', () => detail);
  let lists: unknown;
  try {
    lists = JSON.parse(layout.replace(/:\s*i\d+/g, ''));
  } catch {
    refuse(`the layout must be lists of dims, got ${layout}`);
  }
  if (!Array.isArray(lists)) {
    refuse(`the layout must be a list, got ${layout}`);
    return;
  }
  if (lists.length !== tensorCount) refuse(`the layout has ${lists.length} entries for ${tensorCount} tensors`);
  for (const dims of lists) {
    if (!Array.isArray(dims) || !dims.every(Number.isInteger))
      refuse(`the layout of each tensor must be a list of dims, got ${show(dims)}`);
  }
}

/**
 * The names of the channels that this process sends to and receives from: with pairs of processes, one for each target.
 * Undefined if this process takes no part.
 */
function routeOf(attributes: Channel & HostTransfer, process: ProcessContext, end: 'send' | 'receive') {
  const { channelId = 0, isHostTransfer, sourceTargetPairs = [] } = attributes;
  if (isHostTransfer || sourceTargetPairs.length === 0) return `${channelId}`;
  const pairs = sourceTargetPairs.flatMap(pair => processGroups([pair], process.grid, movingStrategy(attributes)));
  const mine = pairs.find(([source, target]) => process.process === (end === 'send' ? source : target));
  return mine === undefined ? undefined : `${channelId} to process ${mine.at(-1)}`;
}

function requireTypes(op: Op<'recv' | 'infeed'>, values: readonly RuntimeValue[]): void {
  const kind = (type: Type): string => formatType(type);
  const got = values.map(v => kind(isLiteral(v) ? v.type : tokenType)).join(', ');
  const expected = op.attributes.resultTypes.slice(0, -1).map(kind).join(', ');
  check(
    got === expected,
    op.name,
    `trenio_${op.name}_types`,
    () => `gets (${got}), must give (${expected})`,
    op.location,
  );
}

export const tokenRows: Rows<'after_all' | 'create_token' | 'send' | 'recv' | 'infeed' | 'outfeed'> = {
  after_all: {
    name: 'after_all',
    kind: 'control',
    pure: true,
    infer(operands) {
      afterAllChecks(
        operands.every(type => type.kind === 'token'),
        'tokens',
        () => `takes tokens, got ${operands.map(formatType).join(', ')}`,
      );
      return [tokenType];
    },
    execute: () => [token],
    cost: () => noCost,
  },
  create_token: {
    name: 'create_token',
    kind: 'control',
    pure: true,
    infer: () => [tokenType],
    execute: () => [token],
    cost: () => noCost,
  },
  send: {
    name: 'send',
    kind: 'control',
    pure: false,
    infer(operands, attributes) {
      tensors('send', operands.slice(0, -1), { perAxis: true });
      requireToken(sendChecks, operands.at(-1));
      checkTransfer(sendChecks, 'DEVICE_TO_HOST', attributes);
      return [tokenType];
    },
    execute(op, operands, process) {
      const channel = routeOf(op.attributes, process, 'send');
      if (channel !== undefined) process.send(channel, operands.slice(0, -1) as readonly Literal[]);
      return [token];
    },
    cost: op => streaming(op),
  },
  recv: {
    name: 'recv',
    kind: 'control',
    pure: false,
    infer(operands, attributes) {
      requireToken(recvChecks, operands.at(-1));
      checkTransfer(recvChecks, 'HOST_TO_DEVICE', attributes);
      checkReceived(recvChecks, [2, 3, 4], attributes.resultTypes);
      return attributes.resultTypes;
    },
    *execute(op, _operands, process) {
      const channel = routeOf(op.attributes, process, 'receive');
      const types = op.attributes.resultTypes.slice(0, -1) as readonly TensorType[];
      // As with collective_permute, a process that receives nothing gets zeros.
      if (channel === undefined) return [...types.map(zeros), token];
      const [values] = yield { kind: 'receive', op, channel };
      requireTypes(op, values!);
      return [...values!, token];
    },
    cost: op => streaming(op),
  },
  infeed: {
    name: 'infeed',
    kind: 'control',
    pure: false,
    infer(operands, { resultTypes, layout }) {
      requireToken(infeedChecks, operands.at(-1));
      checkReceived(infeedChecks, [1, 2, 3], resultTypes);
      if (layout !== undefined) checkLayout(layout, resultTypes.length - 1);
      return resultTypes;
    },
    *execute(op, _operands, process) {
      const next = process.nextInfeed();
      infeedChecks(next !== undefined, 'empty', () => 'the infeed is empty');
      const values = yield* process.call(next, []);
      requireTypes(op, values);
      return [...values, token];
    },
    cost: op => streaming(op),
  },
  outfeed: {
    name: 'outfeed',
    kind: 'control',
    pure: false,
    infer(operands) {
      tensors('outfeed', operands.slice(0, -1), { perAxis: true });
      requireToken(outfeedChecks, operands.at(-1));
      return [tokenType];
    },
    execute(_op, operands, process) {
      process.outfeed(operands.slice(0, -1) as readonly Literal[]);
      return [token];
    },
    cost: op => streaming(op),
  },
};
