// Several processes: forming groups, the results of each process of a group, different programs, and deadlocks.
import { describe, expect, test } from 'vitest';
import { isTrenioError } from '../base/errors.ts';
import type { OpAttributes } from './attributes.ts';
import { type Builder, buildFunc } from './builder.ts';
import { type InterpreterOptions, interpret, interpretReplicas } from './interpreter.ts';
import { type Literal, literal, toNumbers } from './literal.ts';
import { processGroups } from './process-groups.ts';
import { type Func, moduleOf, type Value } from './program.ts';
import { type MeshAxes, readMeshAxes } from './sharding/mesh-axes.ts';
import { meshGroups } from './sharding/of-module.ts';
import { readAll } from './text/lexer.ts';
import { tensorType, tokenType } from './types.ts';

const f32x2 = tensorType('f32', [2]);
const toks = (b: Builder): Value => b.emit('create_token', [], {})[0]!;
const failure = (run: () => unknown): { readonly code: string; readonly message: string } => {
  try {
    run();
  } catch (error) {
    if (isTrenioError(error)) return error;
    throw error;
  }
  return { code: 'none', message: '' };
};

/** The result of one op for each process of a grid, of the operand [10 p, 10 p + 1] of process p. */
function each(
  grid: { numReplicas?: number; numPartitions?: number },
  body: (b: Builder, x: Value) => readonly Value[],
): number[][] {
  const module = moduleOf(
    buildFunc('main', [f32x2], (b, [x]) => body(b, x!)),
    grid,
  );
  const count = module.numReplicas * module.numPartitions;
  const inputs = Array.from({ length: count }, (_, p) => [literal('f32', [2], [10 * p, 10 * p + 1])]);
  return interpretReplicas(module, inputs).map(results => toNumbers(results[0]!));
}

/** A program that runs others as processes: programs[replica][partition]. */
function parallel(
  functions: readonly Func[],
  programs: readonly (readonly string[])[],
  options: InterpreterOptions & { readonly infeed?: readonly string[] } = {},
): readonly Literal[] {
  const find = (name: string): Func => functions.find(f => f.name === name)!;
  const resultTypes = programs.flat().flatMap(name => find(name).body.results.map(v => v.type));
  const attributes: OpAttributes['interpreter.run_parallel'] = {
    programs,
    resultTypes,
    ...(options.infeed === undefined ? {} : { infeed: options.infeed }),
  };
  const main = buildFunc('main', [], b => {
    const values = b.emit('interpreter.run_parallel', [], attributes);
    return values.filter(v => v.type.kind === 'tensor');
  });
  const { infeed: _, ...rest } = options;
  return interpret(moduleOf(main, { functions }), [], rest);
}

describe('groups of processes', () => {
  const grid = { numReplicas: 4, numPartitions: 2 };
  const groups = [[0, 1], [2]];
  test('the four interpretations of groups', () => {
    // Process (replica, partition) has the id 2 · replica + partition.
    expect(processGroups(groups, grid, 'cross_replica')).toEqual([[0, 2], [1, 3], [4], [5]]);
    expect(processGroups([[1, 0]], grid, 'cross_partition')).toEqual([
      [1, 0],
      [3, 2],
      [5, 4],
      [7, 6],
    ]);
    expect(processGroups(groups, grid, 'cross_replica_and_partition')).toEqual([
      [0, 2, 1, 3],
      [4, 5],
    ]);
    expect(processGroups([[7, 0]], grid, 'flattened_ids')).toEqual([[7, 0]]);
  });
  test('-1 is padding, and no groups mean one group of all processes', () => {
    expect(processGroups([[2, -1]], grid, 'cross_replica')).toEqual([[4], [5]]);
    expect(processGroups([], { numReplicas: 2, numPartitions: 1 }, 'cross_replica')).toEqual([[0, 1]]);
    expect(processGroups([], { numReplicas: 1, numPartitions: 2 }, 'flattened_ids')).toEqual([[0, 1]]);
  });
  test('lines along the axes of a mesh', () => {
    const module = {
      ...moduleOf(buildFunc('main', [], () => [])),
      meshes: [
        {
          name: 'm',
          mesh: {
            axes: [
              { name: 'x', size: 2 },
              { name: 'y', size: 3 },
            ],
          },
        },
      ],
    };
    const along = (...axes: string[]): MeshAxes => ({ mesh: 'm', axes: axes.map(name => ({ name })) });
    expect(meshGroups(along('y'), module)).toEqual([
      [0, 1, 2],
      [3, 4, 5],
    ]);
    expect(meshGroups(along('y', 'x'), module)).toEqual([[0, 3, 1, 4, 2, 5]]);
    const inline =
      '#stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "a", size = 2>], device_ids = dense<[1, 0]> : tensor<2xi64>>, axes = [#stablehlo.axis_ref<name = "a">]>';
    expect(meshGroups(readAll(inline, readMeshAxes), module)).toEqual([[1, 0]]);
    expect(meshGroups({ mesh: 'm', axes: [1] }, module)[0]).toEqual([0, 1, 2]);
    expect(failure(() => meshGroups(along('z'), module)).message).toContain('the mesh has only the axes "x", "y"');
    expect(failure(() => meshGroups({ ...along('x'), mesh: 'n' }, module)).message).toContain('no mesh @n');
  });
});

describe('the results of each process', () => {
  test('all_to_all: part i of each member goes to member i', () => {
    const attributes = { splitDimension: 0, concatDimension: 0, splitCount: 2 };
    const swap = (replicaGroups: number[][], channelId?: number) => (b: Builder, x: Value) =>
      b.emit('all_to_all', [x], { ...attributes, replicaGroups, ...(channelId === undefined ? {} : { channelId }) });
    expect(each({ numReplicas: 2 }, swap([[0, 1]]))).toEqual([
      [0, 10],
      [1, 11],
    ]);
    expect(each({ numReplicas: 2 }, swap([[1, 0]]))).toEqual([
      [11, 1],
      [10, 0],
    ]);
    expect(each({ numPartitions: 2 }, swap([[0, 1]], 1))).toEqual([
      [0, 10],
      [1, 11],
    ]);
  });
  test('all_to_all: one dim shrinks, the other grows', () => {
    const [out] = each({ numReplicas: 2 }, (b, x) => {
      const row = b.reshape(x, [1, 2]);
      const replicaGroups = [[0, 1]];
      const y = b.emit1('all_to_all', [row], { splitDimension: 1, concatDimension: 0, splitCount: 2, replicaGroups });
      expect(y.type.shape).toEqual([2, 1]);
      return [y];
    });
    expect(out).toEqual([0, 10]);
  });
  test('collective_permute: a process that is not a target gets zeros; one that is its own source keeps its value', () => {
    const sourceTargetPairs = [
      [0, 1],
      [1, 2],
      [3, 3],
    ] as const;
    expect(each({ numReplicas: 4 }, (b, x) => b.emit('collective_permute', [x], { sourceTargetPairs }))).toEqual([
      [0, 0],
      [0, 1],
      [10, 11],
      [30, 31],
    ]);
  });
  test('collective_broadcast: the value of the first of each group; zeros outside of the groups', () => {
    expect(
      each({ numReplicas: 3 }, (b, x) => b.emit('collective_broadcast', [x], { replicaGroups: [[2, 0]] })),
    ).toEqual([
      [20, 21],
      [0, 0],
      [20, 21],
    ]);
    const rooted = (b: Builder, x: Value): readonly Value[] => {
      const root = b.constant(literal('i32', [1], [1]));
      return b.emit('collective_broadcast', [x, root], { replicaGroups: [[0, 1]], hasDynamicRoot: true });
    };
    expect(each({ numReplicas: 2 }, rooted)).toEqual([
      [10, 11],
      [10, 11],
    ]);
  });
  test('collective_reduce: only the root has the sum', () => {
    const reduce = (replicaGroups: number[][]) => (b: Builder, x: Value) =>
      b.emit('collective_reduce', [x], { replicaGroups }, [b.combiner('add', 'f32')]);
    expect(each({ numReplicas: 3 }, reduce([[1, 0, 2]]))).toEqual([
      [0, 0],
      [30, 33],
      [0, 0],
    ]);
  });
  test('cross-replica-sum, and groups of unequal size', () => {
    const replicaGroups = [
      [0, 2],
      [1, -1],
    ];
    expect(each({ numReplicas: 3 }, (b, x) => b.emit('cross-replica-sum', [x], { replicaGroups }))).toEqual([
      [20, 22],
      [10, 11],
      [20, 22],
    ]);
  });
  test('an async op returns a future, and async_done its value', () => {
    const out = each({ numReplicas: 2 }, (b, x) => {
      const body = b.region([x.type], (inner, args) =>
        inner.emit('all_gather', args, { allGatherDim: 0, replicaGroups: [[0, 1]] }),
      );
      const [future] = b.emit('async_start', [x], {}, [body]);
      return b.emit('async_done', [future!], {});
    });
    expect(out).toEqual([
      [0, 1, 10, 11],
      [0, 1, 10, 11],
    ]);
  });
});

describe('programs that differ', () => {
  const one = (value: number) => literal('f32', [2], [value, value + 0.5]);
  const transfer = { channelId: 3, channelType: 1, isHostTransfer: false } as const;
  const sender = buildFunc('sender', [], b => {
    const first = b.emit('send', [b.constant(one(1)), toks(b)], transfer)[0]!;
    return b.emit('send', [b.constant(one(2)), first], transfer);
  });
  const receiver = buildFunc('receiver', [], b => {
    const resultTypes = [f32x2, tokenType];
    const [x, token] = b.emit('recv', [toks(b)], { ...transfer, resultTypes });
    const [y] = b.emit('recv', [token!], { ...transfer, resultTypes });
    return [b.subtract(y!, x!), x!];
  });
  test('values are received in the order in which they were sent, whichever process runs first', () => {
    for (const programs of [[['sender', 'receiver']], [['receiver'], ['sender']]]) {
      const [difference, first] = parallel([sender, receiver], programs).map(toNumbers);
      expect([difference, first]).toEqual([
        [1, 1],
        [1, 1.5],
      ]);
    }
  });
  test('pairs of processes send along a ring', () => {
    const sourceTargetPairs = [
      [0, 1],
      [1, 2],
    ] as const;
    const ring = buildFunc('ring', [], b => {
      const id = b.convert(b.emit1('replica_id', [], {}), 'f32');
      const [token] = b.emit('send', [id, toks(b)], { ...transfer, channelId: 0, sourceTargetPairs });
      const resultTypes = [tensorType('f32'), tokenType];
      return [b.emit('recv', [token!], { ...transfer, channelId: 0, sourceTargetPairs, resultTypes })[0]!];
    });
    expect(parallel([ring], [['ring'], ['ring'], ['ring']]).map(toNumbers)).toEqual([[0], [0], [1]]);
  });
  test('infeed reads from a function, outfeed reports to the host', () => {
    const feed = (name: string, value: number) => buildFunc(name, [], b => [b.constant(one(value))]);
    const reader = buildFunc('reader', [], b => {
      const attributes = { infeedConfig: '', resultTypes: [f32x2, tokenType] };
      const [x, token] = b.emit('infeed', [toks(b)], attributes);
      const [y, last] = b.emit('infeed', [token!], attributes);
      b.emit('outfeed', [y!, last!], { outfeedConfig: '' });
      return [x!, y!];
    });
    const told: number[][] = [];
    const functions = [feed('a', 1), feed('b', 2), reader];
    const run = (infeed: readonly string[]) =>
      parallel(functions, [['reader']], { infeed, onOutfeed: values => told.push(toNumbers(values[0]!)) });
    expect(run(['b', 'a']).map(toNumbers)).toEqual([
      [2, 2.5],
      [1, 1.5],
    ]);
    expect(told).toEqual([[1, 1.5]]);
    expect(failure(() => run(['a'])).message).toContain('the infeed is empty');
  });
  test('a collective in loops of equal length, in functions of different names', () => {
    const looping = (name: string, start: number) =>
      buildFunc(name, [], b => {
        const types = [tensorType('i32'), tensorType('f32')];
        const cond = b.region(types, (inner, [i]) => [inner.compare('LT', i!, inner.fill('i32', [], 3))]);
        const body = b.region(types, (inner, [i, v]) => [
          inner.add(i!, inner.fill('i32', [], 1)),
          inner.emit1('all_reduce', [v!], { replicaGroups: [[0, 1]] }, [inner.combiner('add', 'f32')]),
        ]);
        return [b.emit('while', [b.fill('i32', [], 0), b.fill('f32', [], start)], {}, [cond, body])[1]!];
      });
    expect(parallel([looping('p', 1), looping('q', 2)], [['p'], ['q']]).map(toNumbers)).toEqual([[12], [12]]);
  });
});

describe('a deadlock is an error that says what each process waits for', () => {
  const transfer = { channelId: 5, isHostTransfer: false };
  const gather = buildFunc('gather', [], b => [
    b.emit1('all_gather', [b.constant(literal('f32', [1], [1]))], { allGatherDim: 0, replicaGroups: [[0, 1]] }),
  ]);
  const idle = buildFunc('idle', [], b => [b.fill('f32', [], 0)]);
  const waiting = buildFunc('waiting', [], b => [
    b.emit('recv', [toks(b)], { ...transfer, resultTypes: [f32x2, tokenType] })[0]!,
  ]);
  const sending = buildFunc('sending', [], b => b.emit('send', [b.fill('f32', [], 0), toks(b)], transfer));
  test.each([
    [[['gather'], ['idle']], 'DEADLOCK', 'process 0 waits at all_gather for process 1'],
    [[['waiting'], ['idle']], 'DEADLOCK', 'process 0 waits at recv for data in channel 5'],
    [[['gather'], ['waiting']], 'DEADLOCK', 'all_gather for process 1; process 1 waits at recv'],
    [[['sending']], 'DEADLOCK', 'data sent to channel 5 is never received'],
    [[['sending'], ['waiting']], 'INVALID_OP', 'gets (tensor<f32>), must give (tensor<2xf32>)'],
    [[['gather']], 'COLLECTIVE_MISMATCH', 'all_gather waits for process 1 of its group [0, 1]'],
    [[['gather'], ['gather'], ['gather']], 'COLLECTIVE_MISMATCH', 'process 2'],
  ])('%j', (programs, code, text) => {
    const { message, ...error } = failure(() => parallel([gather, idle, waiting, sending], programs));
    expect([error.code, message.includes(text) ? text : message]).toEqual([code, text]);
  });
  test('members with different types', () => {
    const wide = buildFunc('wide', [], b => [
      b.emit1('all_gather', [b.constant(literal('f32', [2], [1, 2]))], { allGatherDim: 0, replicaGroups: [[0, 1]] }),
    ]);
    expect(failure(() => parallel([gather, wide], [['gather'], ['wide']])).message).toContain(
      'process 1 has (tensor<2xf32>), process 0 has (tensor<1xf32>)',
    );
  });
  test('cyclic calls end with an error even without the verifier', () => {
    const circle = buildFunc('main', [], b => b.emit('func.call', [], { callee: 'main', resultTypes: [] }));
    expect(failure(() => interpret(moduleOf(circle), [])).message).toContain('more than 1000 levels deep');
  });
});

test('probes store values; prints go to the listener', () => {
  const seen: unknown[] = [];
  const main = buildFunc('main', [f32x2], (b, [x]) => {
    const [y] = b.emit('interpreter.probe', [x!], { probeId: 'p' });
    b.emit('interpreter.probe', [b.negate(y)], { probeId: 'p' });
    b.emit('interpreter.print', [y], {});
    return [y];
  });
  const [out] = interpret(moduleOf(main), [literal('f32', [2], [1, 2])], {
    onProbe: (id, iteration, value) => seen.push([id, iteration, toNumbers(value)]),
    onPrint: value => seen.push(['print', toNumbers(value)]),
  });
  expect(toNumbers(out!)).toEqual([1, 2]);
  expect(seen).toEqual([
    ['p', 0, [1, 2]],
    ['p', 1, [-1, -2]],
    ['print', [1, 2]],
  ]);
});
