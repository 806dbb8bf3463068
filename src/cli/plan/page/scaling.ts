// Throughput and efficiency over nodes: for each machine the layout of its smallest row, with more copies of the model.
import { predict } from '../../../simulator/index.ts';
import { type ScalingPoint, scalingOf } from '../../../simulator/plan/index.ts';
import { html, lines, type Markup } from '../../command/markup.ts';
import { type Entry, machinesOf } from '../entries.ts';
import { compact, percent } from '../number-text.ts';
import { markLegend } from './legend.ts';
import { type Area, type Point, pointChart, type Series } from './points.ts';
import { doublingScale, logScale, percentScale, type Scale } from './scale.ts';

/** Undefined if there is only one number of nodes. */
export function scalingCharts(entries: readonly Entry[]): Markup | undefined {
  const curves = machinesOf(entries).flatMap((machine, index) => curvesOf(entries, machine, index));
  const points = curves.flatMap(curve => curve.points);
  const nodes = points.map(point => point.nodes);
  if (new Set(nodes).size < 2) return undefined;
  const seriesOf = (y: (point: ScalingPoint) => number): readonly Series[] =>
    curves.map(({ kind, index, machine, points }) => ({
      index,
      line: kind === 'strong' ? 'solid' : 'dashed',
      points: points.map(
        (point): Point => ({
          x: point.nodes,
          y: y(point),
          hollow: !point.fits,
          hint: `${kind} scaling, ${point.nodes} × ${machine}: ${compact(point.samplesPerSecond)} samples/s, efficiency ${percent(point.efficiency)}${point.fits ? '' : ', does not fit'}${point.why === undefined ? '' : `; ${point.why}`}`,
        }),
      ),
    }));
  const x = { title: 'nodes, logarithmic scale', format: (value: number) => value.toLocaleString('en-US') };
  const across = ({ left, right }: Area): Scale => {
    const scale = doublingScale(nodes, left + 3, right - 3);
    return { ...scale, ticks: everyNth(scale.ticks, 9) };
  };
  return lines([
    markLegend({
      names: machinesOf(entries),
      lines: [
        { className: 'line', name: 'strong: the same global batch' },
        { className: 'line dashed', name: 'weak: the same batch on each copy' },
      ],
      hollow: points.some(point => !point.fits),
    }),
    html`<div class="pair">${[
      pointChart({
        id: 'throughput',
        title: 'Throughput over nodes',
        description: describe(curves, point => `${compact(point.samplesPerSecond)} samples/s`),
        x,
        y: { title: 'samples/s, logarithmic scale', format: compact },
        scale: area => ({
          x: across(area),
          y: logScale(
            points.map(point => point.samplesPerSecond),
            area.bottom,
            area.top,
          ),
        }),
        series: seriesOf(point => point.samplesPerSecond),
      }),
      pointChart({
        id: 'efficiency',
        title: 'Scaling efficiency over nodes',
        description: describe(curves, point => percent(point.efficiency)),
        x,
        y: { title: "efficiency: throughput of a node against the smallest row's", format: value => `${value} %` },
        scale: area => ({
          x: across(area),
          y: percentScale(Math.max(...points.map(point => point.efficiency * 100)), area.bottom, area.top),
        }),
        series: seriesOf(point => point.efficiency * 100),
      }),
    ].map(chart => html`<figure>${chart}</figure>`)}</div>`,
    ...reasonsOf(curves),
  ]);
}

interface Curve {
  readonly machine: string;
  readonly index: number;
  readonly kind: 'strong' | 'weak';
  readonly points: readonly ScalingPoint[];
}
function curvesOf(entries: readonly Entry[], machine: string, index: number): readonly Curve[] {
  const own = entries.filter(entry => entry.machine.name === machine);
  const base = own.reduce((least, entry) => (entry.nodes < least.nodes ? entry : least));
  // A machine without a network cannot scale.
  const canGrow = base.machine.network !== undefined || base.machine.device.kind !== 'cpu';
  const most = canGrow ? Math.max(16 * base.nodes, ...own.map(entry => entry.nodes)) : base.nodes;
  const nodes: number[] = [];
  for (let count = base.nodes; count <= most; count *= 2) nodes.push(count);
  const curves = scalingOf(base.question, nodes, predict);
  return (['strong', 'weak'] as const).map(kind => ({ machine, index, kind, points: curves[kind] }));
}

/** Why throughput grows faster than the number of nodes, if it does. */
function reasonsOf(curves: readonly Curve[]): readonly Markup[] {
  const reasons = curves.flatMap(({ machine, kind, points }) =>
    points.flatMap(({ nodes, why }) => (why === undefined ? [] : [`${nodes} × ${machine}, ${kind}: ${why}`])),
  );
  return reasons.length === 0
    ? []
    : [
        html`<h3>Where throughput grows more than the number of nodes</h3><ul>${reasons.map(reason => html`<li>${reason}</li>`)}</ul>`,
      ];
}

const describe = (curves: readonly Curve[], value: (point: ScalingPoint) => string): string =>
  curves
    .map(
      ({ machine, kind, points }) =>
        `${machine}, ${kind}: ${points.map(p => `${p.nodes} nodes ${value(p)}`).join(', ')}`,
    )
    .join('; ');

const everyNth = (ticks: readonly number[], most: number): readonly number[] => {
  const every = Math.ceil(ticks.length / most);
  return ticks.filter((_, i) => i % every === 0);
};
