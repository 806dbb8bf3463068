import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DeviceMesh, type MeshAxisName, type MeshSizes, meshAxisNames, meshSizesFor } from './device-mesh.ts';

/** Values that JavaScript allows and TypeScript rejects. */
const unchecked = (sizes: object): MeshSizes => sizes as MeshSizes;
const messageOf = (call: () => unknown): string => {
  try {
    call();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('expected an error');
};

test('the coordinates of a rank, and its groups', () => {
  const mesh = new DeviceMesh({ data: 2, tensor: 4 }, 6);
  expect(mesh.axes).toEqual([
    { name: 'data', size: 2 },
    { name: 'tensor', size: 4 },
  ]);
  expect([mesh.rank, mesh.size(), mesh.size('data'), mesh.size('tensor')]).toEqual([6, 8, 2, 4]);
  expect([mesh.coordinate('data'), mesh.coordinate('tensor')]).toEqual([1, 2]);
  expect([mesh.group('data'), mesh.group('tensor')]).toEqual([
    [2, 6],
    [4, 5, 6, 7],
  ]);
  expect(mesh.groups('data')).toEqual([
    [0, 4],
    [1, 5],
    [2, 6],
    [3, 7],
  ]);
  expect(String(mesh)).toBe('{ data: 2, tensor: 4 }');
});

test('an axis that the mesh lacks has one coordinate', () => {
  const mesh = new DeviceMesh({ tensor: 3 }, 2);
  expect([mesh.size('data'), mesh.coordinate('data'), mesh.group('data')]).toEqual([1, 0, [2]]);
  expect(mesh.groups('data')).toEqual([[0], [1], [2]]);
});

test('one rank, and one axis over all ranks', () => {
  expect([new DeviceMesh({ data: 1 }).groups('data'), new DeviceMesh({ data: 1 }).size()]).toEqual([[[0]], 1]);
  const mesh = new DeviceMesh({ data: 4 }, 3);
  expect([mesh.groups('data'), mesh.coordinate('data')]).toEqual([[[0, 1, 2, 3]], 3]);
});

test('it is immutable', () => {
  const sizes = { data: 2, tensor: 2 };
  const mesh = new DeviceMesh(sizes);
  sizes.data = 8;
  expect(mesh.size()).toBe(4);
  for (const change of [{ rank: 1 }, { axes: [] }]) expect(() => Object.assign(mesh, change)).toThrow(/read only/);
  expect(() => Object.assign(mesh.axes[0]!, { size: 3 })).toThrow(/read only/);
});

/** One name of each axis. */
const axisNames = ['data', 'dp_replicate', 'dp_shard', 'tp', 'context', 'ep', 'pipeline'] as const;
const meshes = fc
  .shuffledSubarray([...axisNames], { minLength: 1, maxLength: 5 })
  .chain(names => fc.tuple(...names.map(name => fc.tuple(fc.constant(name), fc.integer({ min: 1, max: 4 })))))
  .map(axes => Object.fromEntries(axes) as { readonly [A in MeshAxisName]?: number });

test('coordinates identify ranks, and a group has each coordinate of its axis once, in order', () => {
  fc.assert(
    fc.property(meshes, sizes => {
      const count = new DeviceMesh(sizes).size();
      const ranks = Array.from({ length: count }, (_, rank) => new DeviceMesh(sizes, rank));
      const positions = ranks.map(mesh => meshAxisNames.map(axis => mesh.coordinate(axis)).join());
      expect(new Set(positions).size).toBe(count);
      for (const axis of meshAxisNames) {
        expect(
          ranks[0]!
            .groups(axis)
            .flat()
            .toSorted((a, b) => a - b),
        ).toEqual(ranks.map(({ rank }) => rank));
        for (const mesh of ranks) {
          const members = mesh.group(axis).map(rank => ranks[rank]!);
          expect(members[mesh.coordinate(axis)]).toBe(mesh);
          expect(members.map(member => member.coordinate(axis))).toEqual(members.map((_, i) => i));
          for (const other of meshAxisNames.filter(name => name !== axis))
            expect(new Set(members.map(member => member.coordinate(other))).size).toBe(1);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('the size -1 stands for the remaining ranks', () => {
  expect(meshSizesFor({ data: -1, tensor: 2 }, 8)).toEqual({ data: 4, tensor: 2 });
  expect(Object.keys(meshSizesFor({ tensor: 2, data: -1 }, 8))).toEqual(['tensor', 'data']);
  expect(meshSizesFor({ data: -1 }, 1)).toEqual({ data: 1 });
  expect(meshSizesFor({ data: -1, tensor: undefined }, 4).data).toBe(4);
});

describe('errors', () => {
  test('sizes that do not match the number of ranks', () => {
    const refused = [{ data: 2, tensor: 3 }, { data: -1, tensor: 3 }, { data: -1, tensor: -1 }, {}, { data: 0 }].map(
      sizes => messageOf(() => new DeviceMesh(meshSizesFor(sizes, 4))),
    );
    expect(refused).toMatchInlineSnapshot(`
      [
        "invalid mesh { data: 2, tensor: 3 }: the product of its axes is 6, and the run has 4 ranks
        fix: use sizes of 1 or more whose product is the number of ranks, 4; one size may be -1, which stands for the remaining ranks",
        "invalid mesh { data: -1, tensor: 3 }: the product of the other axes is 3, which does not divide 4 ranks
        fix: use sizes of 1 or more whose product is the number of ranks, 4; one size may be -1, which stands for the remaining ranks",
        "invalid mesh { data: -1, tensor: -1 }: 2 axes are -1, but only one can stand for the remaining ranks
        fix: use sizes of 1 or more whose product is the number of ranks, 4; one size may be -1, which stands for the remaining ranks",
        "invalid mesh {}: it has no axes
        fix: use sizes of 1 or more whose product is the number of ranks, 4; one size may be -1, which stands for the remaining ranks",
        "invalid mesh { data: 0 }: the axis "data" has the size 0, expected 1 or more
        fix: use sizes of 1 or more whose product is the number of ranks, 4; one size may be -1, which stands for the remaining ranks",
      ]
    `);
    for (const sizes of [
      { data: 1.5 },
      { data: '2' },
      { data: null },
      { data: -2 },
      { data: 2 ** 52, tensor: 2 ** 52 },
    ])
      expect(messageOf(() => meshSizesFor(unchecked(sizes), 4))).toMatch(/^invalid mesh/);
  });

  test('unknown axes', () => {
    const mesh = new DeviceMesh({ data: 2 });
    expect([
      messageOf(() => meshSizesFor(unchecked({ daat: 2, tensor: 2 }), 4)),
      messageOf(() => mesh.size('pipelines' as MeshAxisName)),
      messageOf(() => mesh.coordinate('rows' as MeshAxisName)),
      messageOf(() => mesh.groups(3 as never)),
    ]).toMatchInlineSnapshot(`
      [
        "unknown mesh axis 'daat'
        fix: did you mean data?",
        "unknown mesh axis 'pipelines'
        fix: did you mean pipeline?",
        "unknown mesh axis 'rows'
        fix: use one of data, dp_replicate, dp_shard, tp, tensor, cp, context, ep, expert, pp, pipeline",
        "unknown mesh axis '3'
        fix: use one of data, dp_replicate, dp_shard, tp, tensor, cp, context, ep, expert, pp, pipeline",
      ]
    `);
  });

  test('a rank outside of the mesh', () => {
    for (const rank of [4, -1, 0.5, Number.NaN])
      expect(() => new DeviceMesh({ data: 4 }, rank)).toThrow(`there is no rank ${rank} among its 4 ranks`);
  });
});
