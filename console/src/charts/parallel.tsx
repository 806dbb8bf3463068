// Parallel coordinates: an axis for each hyperparameter and one for the objective, a line for each trial through its values. Good
// trials have strong colors, the best one the accent color.
//
//   lr        batch      layers     loss
//   │╲________│          │       __─│
//   │      ╱──│╲_________│__────╱   │
import { useEffect, useRef, useState } from 'preact/hooks';
import type { TuningRange } from '../../../src/api/console/messages.ts';
import { value } from '../format.ts';
import { axisTicks } from './ticks.ts';

export interface ParallelLine {
  readonly name: string;
  readonly values: Readonly<Record<string, string>>;
  readonly objective: number;
}

interface Axis {
  readonly name: string;
  readonly ticks: readonly { readonly at: number; readonly text: string }[];
  /** From 0 (bottom) to 1; undefined: the line does not cross this axis. */
  readonly position: (line: ParallelLine) => number | undefined;
}

export function ParallelCoordinates({
  ranges,
  lines,
  metric,
  isMaximized,
  best,
  shown,
  onShow,
  onOpen,
}: {
  readonly ranges: readonly TuningRange[];
  readonly lines: readonly ParallelLine[];
  readonly metric: string;
  readonly isMaximized: boolean;
  readonly best: string | undefined;
  /** The line under the pointer. */
  readonly shown: string | undefined;
  readonly onShow: (name: string | undefined) => void;
  readonly onOpen: (name: string) => void;
}) {
  const ref = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(720);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry!.contentRect.width)));
    observer.observe(ref.current!);
    return () => observer.disconnect();
  }, []);
  const axes = [...ranges.map(axisOf), objectiveAxis(metric, lines)];
  // The names of axes need space: a narrow screen scrolls.
  const wide = Math.max(width, 110 * axes.length);
  const [height, box] = [320, { left: 70, right: wide - 70, top: 40, bottom: 300 }];
  const x = (i: number): number =>
    axes.length === 1 ? box.left : box.left + (i / (axes.length - 1)) * (box.right - box.left);
  const y = (at: number): number => box.bottom - at * (box.bottom - box.top);
  const ranks = ranksOf(lines, isMaximized);
  // The best ones are drawn last, on top.
  const ordered = lines.toSorted((a, b) => weight(a) - weight(b));
  function weight({ name }: ParallelLine): number {
    return name === shown ? 3 : name === best ? 2 : ranks.get(name)!;
  }
  const path = (line: ParallelLine): string =>
    axes
      .flatMap(({ position }, i) => {
        const at = position(line);
        return at === undefined ? [] : [`${x(i)},${y(at)}`];
      })
      .join(' ');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <figure class="scroll-x" tabIndex={0} ref={ref}>
      <svg
        viewBox={`0 0 ${wide} ${height}`}
        width={wide}
        height={height}
        role="img"
        aria-label={`${lines.length} trials over ${axes.map(({ name }) => name).join(', ')}; the table below has their values`}
      >
        {ordered.map(line => {
          const isBest = line.name === best;
          const isShown = line.name === shown;
          const share = Math.round(20 + 70 * ranks.get(line.name)!);
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: the table below opens the same jobs by keyboard
            <g
              key={line.name}
              class="trial"
              data-trial={line.name}
              onPointerEnter={() => onShow(line.name)}
              onPointerLeave={() => onShow(undefined)}
              onClick={() => onOpen(line.name)}
            >
              <title>{`${line.name}: ${metric} ${value(line.objective)}`}</title>
              <polyline points={path(line)} fill="none" stroke="transparent" stroke-width="10" />
              <polyline
                points={path(line)}
                fill="none"
                stroke={
                  isBest || isShown ? 'var(--accent)' : `color-mix(in oklab, var(--c3) ${share}%, var(--surface))`
                }
                stroke-width={isShown ? 3.5 : isBest ? 2.5 : 1.5}
                stroke-linejoin="round"
                opacity={shown !== undefined && !isShown ? 0.35 : 1}
              />
            </g>
          );
        })}
        {axes.map((axis, i) => (
          <g key={axis.name}>
            <line x1={x(i)} x2={x(i)} y1={box.top} y2={box.bottom} stroke="var(--line-strong)" />
            <text class="axis ink" x={x(i)} y={18} text-anchor="middle">
              {axis.name}
            </text>
            {axis.ticks.map(tick => (
              <g key={tick.text}>
                <line x1={x(i) - 3} x2={x(i) + 3} y1={y(tick.at)} y2={y(tick.at)} stroke="var(--line-strong)" />
                <text class="axis halo" x={x(i) - 6} y={y(tick.at) + 4} text-anchor="end">
                  {tick.text}
                </text>
              </g>
            ))}
          </g>
        ))}
      </svg>
    </figure>
  );
}

/** From 0 (worst) to 1 (best). */
function ranksOf(lines: readonly ParallelLine[], isMaximized: boolean): ReadonlyMap<string, number> {
  const sorted = lines.toSorted((a, b) => (isMaximized ? a.objective - b.objective : b.objective - a.objective));
  return new Map(sorted.map(({ name }, i) => [name, sorted.length === 1 ? 1 : i / (sorted.length - 1)]));
}

function axisOf(range: TuningRange): Axis {
  if (range.kind === 'categorical') {
    const { name, values } = range;
    const at = (i: number): number => (i + 0.5) / values.length;
    return {
      name,
      ticks: values.map((text, i) => ({ at: at(i), text })),
      position: line => {
        const i = values.indexOf(line.values[name] ?? '');
        return i < 0 ? undefined : at(i);
      },
    };
  }
  const { name, min, max, scaling } = range;
  const isWhole = Number.isInteger(min) && Number.isInteger(max);
  const scale = scales[scaling];
  const [low, high] = [scale(min), scale(max)];
  const at = (number: number): number => (high === low ? 0.5 : (scale(number) - low) / (high - low));
  const inner =
    scaling === 'logarithmic'
      ? powersBetween(min, max)
      : scaling === 'linear'
        ? axisTicks(min, max, 4).filter(tick => tick > min && tick < max && (isWhole ? Number.isInteger(tick) : true))
        : [];
  // Labels must not overlap.
  const ticks = inner.filter(tick => at(tick) > 0.06 && at(tick) < 0.94);
  return {
    name,
    ticks: [min, ...ticks, max].map(tick => ({ at: at(tick), text: value(tick) })),
    position: line => {
      const number = Number(line.values[name] ?? Number.NaN);
      return Number.isNaN(number) ? undefined : Math.min(1, Math.max(0, at(number)));
    },
  };
}

const scales = {
  linear: (x: number) => x,
  logarithmic: (x: number) => Math.log(x),
  'reverse-logarithmic': (x: number) => -Math.log(1 - x),
} as const;

function powersBetween(min: number, max: number): readonly number[] {
  const powers: number[] = [];
  for (let e = Math.ceil(Math.log10(min)); e <= Math.floor(Math.log10(max)); e++) powers.push(Number(`1e${e}`));
  const every = Math.ceil(powers.length / 5);
  return powers.filter((_, i) => i % every === 0);
}

function objectiveAxis(name: string, lines: readonly ParallelLine[]): Axis {
  const all = lines.map(({ objective }) => objective);
  const ticks = all.length === 0 ? [0, 1] : axisTicks(Math.min(...all), Math.max(...all), 5);
  const [low, high] = [ticks[0]!, ticks.at(-1)!];
  const at = (number: number): number => (high === low ? 0.5 : (number - low) / (high - low));
  return {
    name,
    ticks: ticks.map(tick => ({ at: at(tick), text: value(tick) })),
    position: ({ objective }) => at(objective),
  };
}
