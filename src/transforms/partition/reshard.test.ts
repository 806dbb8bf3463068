// Every layout of a matrix to every other one, also from terms: each device gets its part, and few bytes more than it lacks are
// moved.
import { expect, test } from 'vitest';
import { Builder } from '../../hlo/builder.ts';
import { interpretReplicas } from '../../hlo/interpreter.ts';
import { type Literal, literal, toNumbers } from '../../hlo/literal.ts';
import { moduleOf } from '../../hlo/program.ts';
import { deviceCount, type Mesh } from '../../hlo/sharding/mesh.ts';
import { tensorType } from '../../hlo/types.ts';
import { type Axes, sizeOfAxes } from './axes.ts';
import { DeviceIndex } from './device-index.ts';
import { indexTable, type Layout } from './layout.ts';
import { movedBytes } from './moved-bytes.ts';
import { reshard } from './reshard.ts';

/** The ways to divide a matrix evenly along some of the axes. */
function layoutsOf(shape: readonly number[], mesh: Mesh): readonly Layout[] {
  const found = new Map<string, Layout>();
  const add = (layout: Layout): void => {
    if (partShape(layout, shape, mesh).every(Number.isInteger)) found.set(JSON.stringify(layout), layout);
    for (const { name } of mesh.axes.filter(axis => !layout.flat().some(used => used.name === axis.name)))
      for (const d of [0, 1]) add(layout.with(d, [...layout[d]!, { name }]));
  };
  add([[], []]);
  return [...found.values()];
}
const partShape = (layout: Layout, shape: readonly number[], mesh: Mesh): readonly number[] =>
  shape.map((size, d) => size / sizeOfAxes(layout[d]!, mesh));

/** For each device, the positions of its part. */
function partsOf(layout: Layout, shape: readonly number[], mesh: Mesh): readonly (readonly number[])[] {
  const [rowIndex, columnIndex] = layout.map(axes => indexTable(axes, mesh)) as [readonly number[], readonly number[]];
  const [height, width] = partShape(layout, shape, mesh) as [number, number];
  return rowIndex.map((row, device) =>
    Array.from({ length: height * width }, (_, k) => {
      const [i, j] = [row * height + Math.floor(k / width), columnIndex[device]! * width + (k % width)];
      return i * shape[1]! + j;
    }),
  );
}

function moved(from: Layout, to: Layout, shape: readonly number[], mesh: Mesh, summed: Axes = []) {
  const b = new Builder();
  const arg = b.argument(tensorType('f32', partShape(from, shape, mesh)), 0);
  const terms = summed.length === 0 ? undefined : { axes: summed, combiner: 'add' as const };
  const site = { b, devices: new DeviceIndex(b, mesh), mesh };
  const result = reshard(site, { value: arg, layout: from, terms }, tensorType('f32', shape), to);
  const body = { args: [arg], ops: b.ops, results: [result] };
  const module = moduleOf({ name: 'main', body, aliases: [undefined] }, { numPartitions: deviceCount(mesh) });
  // Of a sum, each device has an equal term.
  const share = 1 / sizeOfAxes(summed, mesh);
  const args = partsOf(from, shape, mesh).map((positions): Literal[] => [
    literal(
      'f32',
      partShape(from, shape, mesh),
      positions.map(at => at * share),
    ),
  ]);
  return { bytes: movedBytes(b.ops), parts: interpretReplicas(module, args).map(([part]) => toNumbers(part!)) };
}

const twoByTwo: Mesh = {
  axes: [
    { name: 'x', size: 2 },
    { name: 'y', size: 2 },
  ],
};
const cases: readonly (readonly [shape: readonly number[], mesh: Mesh])[] = [
  [[4, 8], twoByTwo],
  [[2, 6], twoByTwo],
  [[4, 4], { axes: [{ name: 'x', size: 4 }] }],
  [
    [6, 6],
    {
      axes: [
        { name: 'x', size: 2 },
        { name: 'y', size: 3 },
      ],
    },
  ],
];
const labelOf = (from: Layout, to: Layout): string => `${JSON.stringify(from)} to ${JSON.stringify(to)}`;

test.each(cases)('%j over %j', (shape, mesh) => {
  for (const from of layoutsOf(shape, mesh))
    for (const to of layoutsOf(shape, mesh)) {
      const { bytes, parts } = moved(from, to, shape, mesh);
      const [has, needed] = [partsOf(from, shape, mesh), partsOf(to, shape, mesh)];
      expect(parts, labelOf(from, to)).toEqual(needed);
      const missing = needed.map((positions, device) => positions.filter(at => !has[device]!.includes(at)).length);
      // Parts of coprime sizes do not replace one another.
      if (mesh.axes.every(({ size }) => size % 2 === 0))
        expect(bytes, labelOf(from, to)).toBeLessThanOrEqual(3 * 4 * Math.max(...missing));
    }
});

test('terms', () => {
  const all = layoutsOf([4, 8], twoByTwo);
  for (const terms of [[{ name: 'x' }], [{ name: 'y' }], [{ name: 'x' }, { name: 'y' }]])
    for (const from of all.filter(layout => !layout.flat().some(a => terms.some(b => a.name === b.name))))
      for (const to of all)
        expect(moved(from, to, [4, 8], twoByTwo, terms).parts, labelOf(from, to)).toEqual(
          partsOf(to, [4, 8], twoByTwo),
        );
});
