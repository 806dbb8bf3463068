import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Lexer, tokens } from '../text/lexer.ts';
import { parseModule } from '../text/parser.ts';
import { printModule } from '../text/printer.ts';
import { Source } from '../text/source.ts';
import { tensorType } from '../types.ts';
import { verify } from '../verifier.ts';
import { DeviceMesh } from './device-mesh.ts';
import { printGspmd, readGspmd, tileDevices } from './gspmd.ts';
import { fromGspmd, toGspmd } from './gspmd-mesh.ts';
import {
  axisSizes,
  checkMesh,
  coordinateOf,
  deviceAt,
  deviceCount,
  groupsAlong,
  type Mesh,
  type MeshAxis,
} from './mesh.ts';
import { localBox, localShape, paddedBox, replicas } from './placement.ts';
import { checkSharding, type Sharding, shardIndex, shardingOf, shardShape } from './sharding.ts';
import { printMesh, printSharding } from './shardy-printer.ts';
import { readMesh, readSharding } from './shardy-reader.ts';

function read<T>(text: string, reader: (lexer: Lexer) => T): T {
  const lexer = new Lexer(new Source(text));
  const value = reader(lexer);
  expect(lexer.kind).toBe(tokens.end);
  return value;
}
const mesh: Mesh = {
  axes: [
    { name: 'x', size: 2 },
    { name: 'y', size: 4 },
  ],
};

describe('meshes', () => {
  test('text is read and printed', () => {
    for (const text of ['<["x"=2, "y"=4]>', '<["x"=2], device_ids=[1, 0]>', '<[]>', '<[], device_ids=[3]>']) {
      expect(printMesh(read(text, readMesh))).toBe(text);
    }
    expect(read('<["x"=2, "y"=4]>', readMesh)).toEqual(mesh);
  });

  test('groups along axes and parts of axes', () => {
    expect(groupsAlong(mesh, [{ name: 'y' }])).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6, 7],
    ]);
    expect(groupsAlong(mesh, [{ name: 'y' }, { name: 'x' }])).toEqual([[0, 4, 1, 5, 2, 6, 3, 7]]);
    expect(groupsAlong({ ...mesh, deviceIds: [7, 6, 5, 4, 3, 2, 1, 0] }, [{ name: 'x' }])[0]).toEqual([7, 3]);
    // y of 4 is (1)2 × (2)2: the major part moves by 2, the minor one by 1.
    expect(groupsAlong(mesh, [{ name: 'y', subAxis: { preSize: 1, size: 2 } }])).toEqual([
      [0, 2],
      [1, 3],
      [4, 6],
      [5, 7],
    ]);
    expect(groupsAlong(mesh, [{ name: 'y', subAxis: { preSize: 2, size: 2 } }])[0]).toEqual([0, 1]);
    expect(groupsAlong(mesh, [])).toEqual([[0], [1], [2], [3], [4], [5], [6], [7]]);
    expect(() => groupsAlong(mesh, [{ name: 'z' }])).toThrow('the mesh has only the axes "x", "y"');
    expect(() => groupsAlong(mesh, [{ name: 'y' }, { name: 'y' }])).toThrow('used twice');
  });

  test('rejects invalid meshes', () => {
    expect(checkMesh(mesh)).toBeUndefined();
    expect(checkMesh({ axes: [], deviceIds: [5] })).toBeUndefined();
    expect(checkMesh({ axes: [...mesh.axes, { name: 'x', size: 2 }] })).toBe('the axis "x" occurs twice');
    expect(checkMesh({ axes: [{ name: 'x', size: 0 }] })).toBe('the axis "x" has the size 0, expected 1 or more');
    expect(checkMesh({ axes: [{ name: 'x', size: 2 }], deviceIds: [0, 0] })).toContain('1 is missing');
    expect(checkMesh({ axes: [{ name: 'x', size: 2 }], deviceIds: [0] })).toBe('it has 2 positions and 1 device ids');
  });
});

describe('shardings', () => {
  test('text is read and printed', () => {
    for (const text of [
      '<@mesh, [{"x"}, {}]>',
      '<@"a mesh", []>',
      '<mesh<["x"=2]>, [{"x", ?}p0, {?}, {}]>',
      '<@mesh, [{"x", "y":(2)2}, {"y":(1)2, ?}p12], replicated={"z"}, unreduced={"w"}>',
      '<@mesh, [{}], unreduced=max{"x"}>',
    ]) {
      expect(printSharding(read(text, readSharding))).toBe(text);
    }
    // Without '=' the terms are added.
    expect(read('<@mesh, [{}], unreduced {"x"}>', readSharding).reduction).toBe('sum');
  });

  test.each([
    ['<@mesh, [{?, "x"}]>', "expected '}', as '?' is the last entry"],
    ['<@mesh, [{"x"}p]>', "expected a priority such as 'p0'"],
    ['<@mesh, [{"x"}p01]>', "expected a priority such as 'p0'"],
    ['<@mesh, [{x}]>', 'expected the name of an axis, in quotes'],
    ['<[{"x"}]>', "expected a mesh: '@name' or 'mesh<…>'"],
    ['<@mesh, [{}], replicated={"x"}, replicated={"y"}>', "expected 'replicated' or 'unreduced', each once"],
  ])('%s', (text, message) => {
    expect(() => read(text, readSharding)).toThrow(message);
  });

  test.each([
    ['<@m, [{"x"}, {"y"}]>', undefined],
    ['<@m, [{"x", "y":(1)2}, {"y":(2)2}]>', undefined],
    ['<@m, [{"y":(1)2, "x", "y":(2)2}, {}]>', undefined],
    ['<@m, [{}]>', 'it has 1 dims, the tensor has 2'],
    ['<@m, [{"z"}, {}]>', 'the mesh has no axis "z"'],
    ['<@m, [{"x"}, {"x"}]>', '"x": the axis is used twice'],
    ['<@m, [{"y"}, {"y":(1)2}]>', '"y": the axis is used both whole and in part'],
    ['<@m, [{"y":(1)3}, {}]>', '"y": the sub-axis (1)3 does not divide the axis, whose size is 4'],
    ['<@m, [{"y":(1)4}, {}]>', '"y": the sub-axis (1)4 is the whole axis: write the axis alone'],
    ['<@m, [{"y":(1)2, "y":(2)2}, {}]>', '"y":(2)2 continues the sub-axis before it: write the two as one'],
    ['<@m, [{}p1, {}]>', 'dim 0 is closed and has no axes, so it cannot have a priority'],
    ['<@m, [{}, {}], replicated={"y", "x"}>', 'the replicated axes are not in the order of the mesh'],
    ['<@m, [{}, {}], unreduced={"y", "x"}>', 'the unreduced axes are not in the order of the mesh'],
  ])('%s on x = 2, y = 4: %s', (text, problem) => {
    expect(checkSharding(read(text, readSharding), mesh, 2)).toBe(problem);
  });

  test('gives the shard of each device', () => {
    expect(shardShape([8, 10], shardingOf('m', [['x'], ['y']]), mesh)).toEqual([4, 3]);
    expect(coordinateOf(mesh, 6)).toEqual([1, 2]);
    expect(coordinateOf(mesh, 8)).toBeUndefined();
    const split = read('<@m, [{"y":(2)2}, {"y":(1)2}]>', readSharding);
    expect([0, 1, 2, 3].map(d => shardIndex(split, mesh, coordinateOf(mesh, d)!))).toEqual([
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ]);
  });
});

test('a placement is the part of a process, which may be shorter or empty at the end', () => {
  const boxes = (size: number, ranks: number): readonly string[] =>
    Array.from({ length: ranks }, (_, rank) => {
      const onRank = new DeviceMesh({ data: ranks }, rank);
      const sharding = shardingOf(onRank, [['data'], []]);
      const placement = { type: tensorType('f32', [size, 2]), sharding, mesh: onRank };
      expect(localShape(placement)).toEqual([Math.ceil(size / ranks), 2]);
      const { offset, shape } = localBox(placement);
      expect([offset[1], shape[1]]).toEqual([0, 2]);
      return `${offset[0]}+${shape[0]}`;
    });
  expect(boxes(8, 4)).toEqual(['0+2', '2+2', '4+2', '6+2']);
  expect(boxes(10, 4)).toEqual(['0+3', '3+3', '6+3', '9+1']);
  expect(boxes(5, 4)).toEqual(['0+2', '2+2', '4+1', '5+0']);
  const mesh = new DeviceMesh({ dp_replicate: 2, tp: 2 }, 3);
  const placement = { type: tensorType('f32', [5]), sharding: shardingOf(mesh, [['tp']]), mesh };
  expect(paddedBox(placement)).toEqual({ offset: [3], shape: [3] });
  expect(replicas(placement)).toEqual([1, 3]);
});

interface Case {
  readonly axes: readonly MeshAxis[];
  readonly deviceIds?: readonly number[];
  readonly dims: readonly (readonly string[])[];
  readonly gspmd: string;
  readonly blocks: readonly (readonly number[])[];
}
const golden = JSON.parse(
  readFileSync(new URL('../../../test/golden/shardings.json', import.meta.url), 'utf8'),
) as readonly Case[];
const blocksOf = (sharding: Sharding, of: Mesh): readonly (readonly number[])[] =>
  Array.from({ length: deviceCount(of) }, (_, device) => shardIndex(sharding, of, coordinateOf(of, device)!));

describe('matches the layouts of JAX', () => {
  test.each(golden.map(c => [`${axisSizes(c).join('×')} ${JSON.stringify(c.dims)}`, c] as const))('%s', (_name, c) => {
    const sharding = shardingOf('m', c.dims);
    expect(checkSharding(sharding, c, c.dims.length)).toBeUndefined();
    expect(blocksOf(sharding, c)).toEqual(c.blocks);
    // The text of JAX refers to positions in the mesh.
    const positions: Mesh = { axes: c.axes };
    expect(printGspmd(readGspmd(c.gspmd))).toBe(c.gspmd);
    expect(printGspmd(toGspmd(sharding, positions))).toBe(c.gspmd);
    const named = fromGspmd(readGspmd(c.gspmd), deviceCount(c), c.dims.length)!;
    expect(checkMesh(named.mesh)).toBeUndefined();
    expect(checkSharding(named.sharding, named.mesh, c.dims.length)).toBeUndefined();
    expect(blocksOf(named.sharding, named.mesh)).toEqual(blocksOf(sharding, positions));
    // Devices in another order are a list of tiles, which is equivalent.
    const listed = fromGspmd(toGspmd(sharding, c), deviceCount(c), c.dims.length)!;
    if (c.dims.flat().length > 0) expect(blocksOf(listed.sharding, listed.mesh)).toEqual(c.blocks);
    expect(deviceAt(c, 0)).toBe(c.deviceIds?.[0] ?? 0);
  });
});

describe('GSPMD', () => {
  test.each([
    '{replicated}',
    '{manual}',
    '{unknown}',
    '{maximal device=3}',
    '{}',
    '{{replicated}, {devices=[2,1]<=[2]}}',
    '{devices=[2,2]0,2,1,3}',
    '{devices=[1,2,2,2]<=[8] last_tile_dims={manual, replicated}}',
    '{devices=[2,1,2,2]<=[2,2,2]T(1,0,2) last_tile_dims={replicated, unreduced}}',
  ])('%s', text => {
    expect(printGspmd(readGspmd(text))).toBe(text);
  });
  test('annotations of tools are kept', () => {
    const text = '{devices=[2]<=[2] metadata={op_name="a"} shard_as 3}';
    expect(printGspmd(readGspmd(text))).toBe(text);
    expect(printGspmd(readGspmd('{replicated   shard_like 1 }'))).toBe('{replicated shard_like 1}');
  });
  test('manual and unreduced tile dims', () => {
    const named = fromGspmd(readGspmd('{devices=[1,2,2,2]<=[8] last_tile_dims={manual, unreduced}}'), 8, 2)!;
    expect(named.manualAxes).toEqual(['axis_1']);
    expect(named.sharding.unreduced).toEqual([{ name: 'axis_2' }]);
    expect(tileDevices({ kind: 'iota', shape: [2, 3], permutation: [1, 0] })).toEqual([0, 3, 1, 4, 2, 5]);
  });
  test.each([
    ['{devices=[2]<=[4]}', '2 tiles have 4 devices'],
    ['{devices=[2]<=[2]T(1)}', 'T(1) is not a permutation of 1 dims'],
    ['{devices=[2]0,0}', 'a device occurs twice'],
    ['{devices=[2]<=[2] last_tile_dims={open}}', 'expected replicated, manual, unreduced'],
    ['{replicated', "expected '}' at character 12, found ''"],
    ['{sharded}', "expected 'replicated', 'manual', 'unknown', 'maximal' or 'devices'"],
    ['{replicated} x', 'expected the end'],
    [`${'{'.repeat(100)}`, 'at most 32 levels of tuples'],
  ])('%s', (text, message) => {
    expect(() => readGspmd(text)).toThrow(message);
  });
});

describe('verification of shardings in a module', () => {
  const problemOf = (text: string): string | undefined => {
    try {
      verify(parseModule(text));
      return undefined;
    } catch (error) {
      return (error as Error).message.split('\n')[0];
    }
  };
  const withArgument = (type: string, attribute: string): string | undefined =>
    problemOf(`sdy.mesh @m = <["x"=2, "y"=4]>
      sdy.mesh @one = <[], device_ids=[3]>
      func.func @f(%a: ${type} {${attribute}}) { return }`);

  test.each([
    ['tensor<8x4xf32>', 'sdy.sharding = #sdy.sharding<@m, [{"x"}, {"y"}]>', undefined],
    ['tensor<8x4xf32>', 'sdy.sharding = #sdy.sharding<@one, []>', undefined],
    ['tensor<8x?xf32>', 'sdy.sharding = #sdy.sharding<@m, [{"x"}, {"y"}]>', undefined],
    ['tensor<8x4xf32>', 'sdy.sharding = #sdy.sharding<@n, [{"x"}, {"y"}]>', 'the module has no mesh @n'],
    [
      'tensor<8x6xf32>',
      'sdy.sharding = #sdy.sharding<@m, [{"x"}, {"y"}]>',
      'dim 1 of size 6 is not divisible into 4 equal parts',
    ],
    ['tensor<8xf32>', 'sdy.sharding = #sdy.sharding<@m, [{"x"}, {"y"}]>', 'it has 2 dims, the tensor has 1'],
    ['tensor<8xf32>', 'sdy.sharding = #sdy.sharding<@m, [{"x"]>', "expected '}'"],
    ['tensor<8xf32>', 'sdy.sharding = #sdy.sharding_per_value<[<@m, [{}]>]>', "expected '#sdy.sharding'"],
    ['tensor<8xf32>', 'mhlo.sharding = "{devices=[2]<=[2]}"', undefined],
    ['tensor<8xf32>', 'mhlo.sharding = "\\08\\03"', undefined],
    ['tensor<8xf32>', 'mhlo.sharding = "{devices=[2]<=[4]}"', '2 tiles have 4 devices'],
  ])('%s {%s}', (type, attribute, problem) => {
    const found = withArgument(type, attribute);
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(problem);
  });

  const manual = (
    shardings: readonly [string, string],
    axes: string,
    whole: string,
    local: string,
  ): string | undefined =>
    problemOf(`sdy.mesh @m = <["x"=2, "y"=4]>
      func.func @f(%a: tensor<${whole}xf32>) -> tensor<${whole}xf32> {
        %0 = sdy.manual_computation(%a) in_shardings=[<@m, [${shardings[0]}]>] out_shardings=[<@m, [${shardings[1]}]>] manual_axes={${axes}} (%b: tensor<${local}xf32>) {
          %1 = stablehlo.negate %b : tensor<${local}xf32>
          sdy.return %1 : tensor<${local}xf32>
        } : (tensor<${whole}xf32>) -> tensor<${whole}xf32>
        return %0 : tensor<${whole}xf32>
      }`);
  test.each([
    [['{"x"}', '{"x"}'], '"x"', '8', '4', undefined],
    [['{"x", "y"}', '{"x", "y"}'], '"x"', '8', '4', undefined],
    [['{"x"}', '{"x"}'], '"x"', '8', '8', 'operand 0 is tensor<4xf32> on each device, the region has tensor<8xf32>'],
    [['{"y", "x"}', '{"x"}'], '"x"', '8', '4', 'the manual axis "x" follows the free axis "y"'],
    [['{"x"}', '{"x"}'], '"z"', '8', '4', 'the manual axis "z" is not one of the mesh'],
    [['{"y"}', '{"y"}'], '"y"', '6', '2', 'has size 6, which 4 devices cannot share evenly'],
  ] as const)('a manual computation over %s along %s', (shardings, axes, whole, local, problem) => {
    const found = manual(shardings, axes, whole, local);
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(problem);
  });

  test('shardings of ops, arguments and results are fields, with the text that was read', () => {
    const text = String.raw`module @m attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @m = <["x"=2, "y"=4]>
  func.func public @main(%arg0: tensor<8x4xf32> {jax.buffer_donor = true, mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate metadata={op_name=\22a\22}}", sdy.sharding = #sdy.sharding<@m, [{"x"}, {?}]>, z.last = 1 : i32}) -> (tensor<8x4xf32> {jax.result_info = "result[0]", mhlo.sharding = "{mesh['a'=2], [{'a'}, {}]}"}) {
    %0 = stablehlo.negate %arg0 {mhlo.sharding = "\08\03"} : tensor<8x4xf32>
    %1 = stablehlo.add %0, %0 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}, {"y"}]>]>} : tensor<8x4xf32>
    return %1 : tensor<8x4xf32>
  }
}
`;
    const module = parseModule(text);
    verify(module);
    expect(printModule(module)).toBe(text);
    const [main] = module.functions;
    const [negated, sum] = main!.body.ops;
    const [argument] = main!.argAttributes!;
    expect(argument!.sharding!.named).toEqual([
      {
        ...shardingOf('m', [['x'], []]),
        dims: [
          { axes: [{ name: 'x' }], isOpen: false },
          { axes: [], isOpen: true },
        ],
      },
    ]);
    expect(argument!.sharding!.tiled).toMatchObject({ kind: 'tiled', tiles: [2, 1, 4] });
    expect(argument!.discardable).toEqual({ 'jax.buffer_donor': 'true', 'z.last': '1 : i32' });
    expect(main!.resultAttributes![0]!.sharding!.tiled).toMatchObject({ kind: 'opaque' });
    expect(negated).toMatchObject({ sharding: { tiled: { kind: 'opaque', text: '"\\08\\03"' } } });
    expect(negated!.discardable).toBeUndefined();
    expect(sum!.sharding).toEqual({ named: [shardingOf('m', [['x'], ['y']])] });
  });

  test('all notations of meshes', () => {
    const axes = 'axes = [{name = "x", size = 2 : i64}], device_ids = dense<[1, 0]> : tensor<2xi64>';
    for (const declaration of [
      'sdy.mesh @m = <["x"=2], device_ids=[1, 0]>',
      'sdy.mesh @m = #sdy.mesh<["x"=2], device_ids=[1, 0]>',
      '"sdy.mesh"() <{mesh = #sdy.mesh<["x"=2], device_ids=[1, 0]>, sym_name = "m"}> : () -> ()',
      `"sdy.mesh"() {sym_name = "m", stablehlo.mesh = {${axes}}} : () -> ()`,
    ]) {
      const module = parseModule(`${declaration}\nfunc.func @f() { return }`);
      expect(module.meshes![0]).toMatchObject({
        name: 'm',
        mesh: { axes: [{ name: 'x', size: 2 }], deviceIds: [1, 0] },
      });
      expect(parseModule(printModule(module)).meshes).toEqual(module.meshes);
    }
    expect(problemOf('sdy.mesh @m = <["x"=0]>\nfunc.func @f() { return }')).toContain('the axis "x" has the size 0');
    expect(problemOf('sdy.mesh @m = <["x"=2]>\nsdy.mesh @m = <["x"=2]>')).toContain('each mesh once');
  });
});
