// Samples of collective ops, of transfers with the host, and of other dialects' ops, for a single process.
import type { Builder } from './builder.ts';
import type { Literal } from './literal.ts';
import { literal } from './literal.ts';
import type { Add } from './op-sample.testing.ts';
import type { Value } from './program.ts';
import type { Mesh } from './sharding/mesh.ts';
import { shardingOf } from './sharding/sharding.ts';
import { tensorType, tokenType } from './types.ts';

const oneAxis: Mesh = { axes: [{ name: 'data', size: 1 }] };
const token = (b: Builder): Value => b.emit('create_token', [], {})[0]!;

export function addDistributed(add: Add, x: Literal): void {
  const alone = { replicaGroups: [[0]] };
  const roots = literal('i32', [1], [0]);
  add('all_to_all', '', [x], (b, args) =>
    b.emit('all_to_all', args, { ...alone, splitDimension: 1, concatDimension: 0, splitCount: 1 }),
  );
  add('collective_permute', '', [x], (b, args) =>
    b.emit('collective_permute', args, { sourceTargetPairs: [[0, 0]], channelId: 1 }),
  );
  add('collective_broadcast', '', [x], (b, args) => b.emit('collective_broadcast', args, alone));
  add('collective_broadcast', 'with a root', [x, roots], (b, args) =>
    b.emit('collective_broadcast', args, { ...alone, hasDynamicRoot: true }),
  );
  add('collective_reduce', '', [x], (b, args) => b.emit('collective_reduce', args, alone, [b.combiner('add', 'f32')]));
  add('cross-replica-sum', '', [x], (b, args) => b.emit('cross-replica-sum', args, alone));
  add('after_all', '', [x], (b, args) => {
    b.emit('after_all', [token(b), token(b)], {});
    return args;
  });
  add('create_token', '', [x], (b, args) => {
    token(b);
    return args;
  });
  add('send', 'and recv', [x], (b, args) => {
    const channel = { channelId: 1, isHostTransfer: false };
    const [sent] = b.emit('send', [args[0]!, token(b)], channel);
    const resultTypes = [x.type, tokenType];
    return [b.emit('recv', [sent], { ...channel, resultTypes })[0]!];
  });
  add('outfeed', '', [x], (b, args) => {
    b.emit('outfeed', [args[0]!, token(b)], { outfeedConfig: 'out' });
    return args;
  });
  add('async_start', 'and async_done', [x], (b, args) => {
    const body = b.region([x.type], (inner, [y]) => [inner.slice(y!, [0, 0], [1, 5])]);
    const [future] = b.emit('async_start', args, {}, [body]);
    return b.emit('async_done', [future], {});
  });
  add('interpreter.probe', '', [x], (b, args) => b.emit('interpreter.probe', args, { probeId: 'p' }));
  add('interpreter.print', '', [x], (b, args) => {
    b.emit('interpreter.print', args, {});
    return args;
  });
  add('sdy.sharding_constraint', '', [x], (b, args) =>
    b.emit('sdy.sharding_constraint', args, { sharding: shardingOf(oneAxis, [['data'], []]) }),
  );
  add('sdy.reshard', '', [x], (b, args) =>
    b.emit('sdy.reshard', args, { sharding: shardingOf(oneAxis, [['data'], []]) }),
  );
  add('sdy.sharding_group', '', [x], (b, args) => {
    b.emit('sdy.sharding_group', args, { groupId: 0 });
    return args;
  });
  add('sdy.manual_computation', '', [x], (b, args) => {
    const body = b.region([tensorType('f32', [3, 5])], (inner, [y]) => [inner.negate(y!)]);
    const shardings = [shardingOf(oneAxis, [[], []])];
    const attributes = { inShardings: shardings, outShardings: shardings, manualAxes: [], resultTypes: [x.type] };
    return b.emit('sdy.manual_computation', args, attributes, [body]);
  });
}
