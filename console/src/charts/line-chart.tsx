// Curves over steps or time, drawn by uPlot. Dragging zooms, a double click resets; the legend follows the pointer.
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { stamp, timeTick, value } from '../format.ts';
import { color, seriesColor, theme } from '../theme.ts';

export interface Curve {
  readonly label: string;
  /** Ascending. */
  readonly x: readonly number[];
  /** Null: no value there; the curve continues after it. */
  readonly y: readonly (number | null)[];
}

export interface LineChartProps {
  readonly curves: readonly Curve[];
  /** The text alternative of the whole chart. */
  readonly label: string;
  /** `seconds`: since the start, `clock`: seconds since 1970. */
  readonly xKind: 'step' | 'seconds' | 'clock';
  /** The name of the horizontal axis in the legend. */
  readonly xName?: string;
  readonly isLog?: boolean;
  readonly height?: number;
  readonly firstColor?: number;
}

export function LineChart({
  curves,
  label,
  xKind,
  xName = xKind === 'step' ? 'step' : 'time',
  isLog = false,
  height = 200,
  firstColor = 0,
}: LineChartProps) {
  const ref = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const dark = theme.value;
  const shape = `${curves.map(curve => curve.label).join('\n')}|${xKind}|${isLog}|${dark}|${height}`;
  useEffect(() => {
    const element = ref.current!;
    const axis = {
      stroke: color('quiet'),
      font: '11px Inter, sans-serif',
      grid: { stroke: color('line'), width: 1 },
      ticks: { show: false },
    };
    const chart = new uPlot(
      {
        width: element.clientWidth,
        height,
        scales: { x: { time: xKind === 'clock' }, y: { distr: isLog ? 3 : 1, ...(isLog ? {} : { range: yRange }) } },
        cursor: { points: { size: 6 }, drag: { x: true, y: false } },
        legend: { live: true },
        // The time of the last drawing, for measurements.
        hooks: { draw: [u => (u.root.dataset.paintedMs = String(performance.now()))] },
        axes: [
          {
            ...axis,
            size: 28,
            ...(xKind === 'step' ? {} : { values: (_u, splits) => splits.map(xTick[xKind]) }),
          },
          { ...axis, size: 52, values: (_u, splits) => splits.map(split => (split === null ? '' : value(split))) },
        ],
        series: [
          {
            label: xName,
            value: (_u, x: number | null) => (x === null ? '–' : xText[xKind](x)),
          },
          ...curves.map((curve, i) => ({
            label: curve.label,
            stroke: seriesColor(firstColor + i),
            width: 1.5,
            spanGaps: true,
            points: { show: curve.y.filter(one => one !== null).length < 3, size: 5 },
            value: (_u: uPlot, v: number | null) => value(v),
          })),
        ],
      },
      dataOf(curves),
      element,
    );
    plot.current = chart;
    const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
      plot.current = undefined;
    };
  }, [shape]);
  useEffect(() => plot.current?.setData(dataOf(curves)), [curves]);
  return <div class="chart" ref={ref} role="img" aria-label={label} style={{ minHeight: `${height + 30}px` }} />;
}

/** A constant gets an axis around it: a range of nothing has the same number at every tick. */
const yRange: uPlot.Range.Function = (_u, low, high) => {
  if (low === null || high === null) return [0, 1];
  if (low !== high) return uPlot.rangeNum(low, high, 0.1, true);
  const margin = Math.abs(low) / 2 || 1;
  return [low - margin, high + margin];
};

function dataOf(curves: readonly Curve[]): uPlot.AlignedData {
  const [first] = curves;
  if (first === undefined) return [[]];
  if (curves.length === 1) return [first.x as number[], first.y as (number | null)[]];
  return uPlot.join(curves.map(({ x, y }) => [x as number[], y as (number | null)[]]));
}

/** The ticks of the horizontal axis, and its values in the legend. */
const xTick = { seconds, clock: (at: number) => timeTick(at * 1000) };
const xText = { step: value, seconds, clock: (at: number) => stamp(at * 1000) };

function seconds(value: number | null): string {
  if (value === null) return '';
  if (value < 120) return `${Number(value.toPrecision(3))} s`;
  return value < 7200 ? `${Number((value / 60).toPrecision(3))} min` : `${Number((value / 3600).toPrecision(3))} h`;
}
