// Graphs of programs: the nodes that are shown or folded, and layouts without overlaps.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Builder, buildFunc } from '../../../hlo/builder.ts';
import { literal } from '../../../hlo/literal.ts';
import { opSamples } from '../../../hlo/op-samples.testing.ts';
import { moduleOf, type Value } from '../../../hlo/program.ts';
import { tensorType } from '../../../hlo/types.ts';
import { componentsOf, layered, ranksOf } from './layers.ts';
import { layoutBox, type PlacedBox, type Rectangle } from './layout.ts';
import { graphOf } from './model.ts';
import { pageOf } from './page.ts';
import { centersOf, spread } from './positions.ts';
import { drawModule } from './svg.ts';

const f32 = tensorType('f32', [4]);
const programOf = (body: (b: Builder, x: Value) => readonly Value[]) =>
  moduleOf(buildFunc('main', [f32], (b, [x]) => body(b, x!)));
const titlesOf = (module: ReturnType<typeof programOf>): string[] =>
  graphOf(module)[0]!.nodes.map(node => node.titles.join(' / '));

describe('contents', () => {
  test('constants and broadcasts are in the labels of what uses them', () => {
    const module = programOf((b, x) => [b.maximum(x, b.fill('f32', [4], 0))]);
    expect(titlesOf(module)).toEqual(['argument 0', 'maximum(·, 0)', 'result']);
    const scaled = programOf((b, x) => [b.multiply(x, b.broadcastInDim(b.sum(x), [], [4]))]);
    const [box] = graphOf(scaled);
    expect(titlesOf(scaled)).toEqual(['argument 0', 'reduce(·, 0)', 'multiply', 'result']);
    expect(box!.edges.map(edge => edge.label)).toEqual(['', '', 'broadcast', '']);
    expect(box!.nodes[1]!.lines).toEqual(['f32', 'add over [0]']);
  });
  test('elementwise ops one after the other are one node', () => {
    const module = programOf((b, x) => [b.negate(b.unary('tanh', b.add(x, b.fill('f32', [4], 1))))]);
    expect(titlesOf(module)).toEqual(['argument 0', 'add(·, 1) / tanh / negate', 'result']);
  });
  test('regions are boxes within their op, values of the surroundings are named', () => {
    const module = programOf((b, x) => {
      const y = b.negate(x);
      const branch = b.region([], inner => [inner.add(y, y)]);
      return b.emit('if', [b.fill('i1', [], true)], {}, [branch, branch]);
    });
    const node = graphOf(module)[0]!.nodes.find(n => n.titles[0]!.startsWith('if'))!;
    expect(node.boxes.map(box => box.title)).toEqual(['true', 'false']);
    expect(node.boxes[0]!.nodes[0]!.titles[0]).toMatch(/^add\(%\d+, %\d+\)$/);
  });
  test('a value with many users has a name instead of many edges', () => {
    const module = programOf((b, x) => {
      const y = b.negate(x);
      return Array.from({ length: 12 }, () => b.multiply(y, y));
    });
    const [box] = graphOf(module);
    expect(box!.nodes[1]!.titles).toEqual([expect.stringMatching(/^%\d+ =$/), 'negate']);
    expect(box!.nodes[2]!.lines.at(-1)).toMatch(/^uses %\d+$/);
  });
});

describe('layers and coordinates', () => {
  const graphs = fc.integer({ min: 1, max: 30 }).chain(count =>
    fc.tuple(
      fc.constant(count),
      fc
        .array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { maxLength: 60 })
        .map(pairs =>
          pairs.filter(([a, b]) => a !== b).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) })),
        ),
    ),
  );
  test('edges go down, through one stop in each layer between', () => {
    fc.assert(
      fc.property(graphs, ([count, links]) => {
        const ranks = ranksOf(count, links);
        for (const { from, to } of links) expect(ranks[to]!).toBeGreaterThan(ranks[from]!);
        const parts = componentsOf(count, links);
        expect(parts.flat().toSorted((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, i) => i));
        for (const members of parts) {
          const mine = links.filter(link => members.includes(link.from));
          const layering = layered(members, ranks, mine);
          const layerOf = new Map(layering.layers.flatMap((layer, i) => layer.map(stop => [stop, i] as const)));
          expect(layerOf.size).toBe(layering.stops.length);
          for (const route of layering.routes)
            expect(route.map(stop => layerOf.get(stop)! - layerOf.get(route[0]!)!)).toEqual(route.map((_, i) => i));
          const widths = layering.stops.map((_, i) => 10 + (i % 3));
          const centers = centersOf(layering, widths, 5);
          for (const layer of layering.layers)
            for (let i = 1; i < layer.length; i++) {
              const [a, b] = [layer[i - 1]!, layer[i]!];
              expect(centers[b]! - centers[a]!).toBeGreaterThanOrEqual((widths[a]! + widths[b]!) / 2 + 5 - 1e-6);
            }
        }
      }),
      { numRuns: 100 },
    );
  });
  test('boxes keep their preferred coordinates where there is room', () => {
    expect(spread([0, 100, 50], [10, 10, 10], 0)).toEqual([0, 70, 80]);
    expect(spread([7], [10], 3)).toEqual([7]);
  });
});

describe('drawings', () => {
  const apart = (a: Rectangle, b: Rectangle): boolean =>
    a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
  function expectTidy(box: PlacedBox): void {
    box.nodes.forEach((node, i) => {
      expect(node.x).toBeGreaterThanOrEqual(0);
      expect(node.x + node.width).toBeLessThanOrEqual(box.width + 1e-6);
      expect(node.y + node.height).toBeLessThanOrEqual(box.height + 1e-6);
      for (const other of box.nodes.slice(0, i)) expect(apart(node, other)).toBe(true);
      node.boxes.forEach(expectTidy);
    });
  }
  test('every op, in boxes that do not overlap', () => {
    for (const { func } of opSamples()) {
      const module = moduleOf(func);
      for (const box of graphOf(module)) expectTidy(layoutBox(box));
      const { svg } = drawModule(module);
      expect(svg.startsWith('<svg xmlns=')).toBe(true);
      expect(svg).not.toMatch(/="[^"]*(?:NaN|undefined|Infinity)/);
    }
  });
  test('a long program is cut into parts, and every op is still there', () => {
    const module = programOf((b, x) => {
      let [y, z]: [Value, Value] = [x, b.negate(x)];
      for (let i = 0; i < 120; i++)
        [y, z] = [b.sum(b.add(y, z)), y].map(v => b.broadcastInDim(b.sum(v), [], [4])) as [Value, Value];
      return [y, z];
    });
    const [box] = graphOf(module);
    const placed = layoutBox(box!);
    expectTidy(placed);
    expect(placed.nodes.length).toBe(box!.nodes.length);
    expect(placed.height).toBeLessThan(20 * placed.width);
  });
  test('texts are escaped, and a page needs nothing but itself', () => {
    const constant = literal('f32', [4], [1, 2, 3, 4]);
    const module = programOf((b, x) => [
      b.emit1('custom_call', [x, b.constant(constant)], {
        callTargetName: '<script>&"',
        backendConfig: '',
        resultTypes: [f32],
        hasSideEffect: false,
      }),
    ]);
    const page = pageOf(module, 'a <b>');
    expect(page).toContain('@&lt;script&gt;&amp;&quot;');
    expect(page).toContain('<title>a &lt;b&gt;</title>');
    expect(page.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|src=|@import|url\(/);
  });
});
