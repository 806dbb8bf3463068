// A few named points over two axes: cost and result.
import { useEffect, useRef, useState } from 'preact/hooks';
import { axisTicks } from './ticks.ts';

export interface ScatterPoint {
  readonly label: string;
  readonly x: number;
  readonly y: number;
  /** An index into the series colors. */
  readonly color: number;
  readonly href?: string;
  readonly isBest?: boolean;
}

export function Scatter({
  points,
  xName,
  yName,
  formatX,
  formatY,
  height = 260,
}: {
  readonly points: readonly ScatterPoint[];
  readonly xName: string;
  readonly yName: string;
  readonly formatX: (value: number) => string;
  readonly formatY: (value: number) => string;
  readonly height?: number;
}) {
  const ref = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(720);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.max(320, Math.round(entry!.contentRect.width))));
    observer.observe(ref.current!);
    return () => observer.disconnect();
  }, []);
  const box = { left: 64, right: width - 24, top: 24, bottom: height - 34 };
  const scaleOf = (values: readonly number[], from: number, to: number, includesZero: boolean) => {
    const ticks = axisTicks(includesZero ? Math.min(0, ...values) : Math.min(...values), Math.max(...values), 5);
    const [low, high] = [ticks[0]!, ticks.at(-1)!];
    return { ticks, at: (value: number) => from + ((value - low) / (high - low || 1)) * (to - from) };
  };
  const x = scaleOf(
    points.map(point => point.x),
    box.left,
    box.right,
    true,
  );
  const y = scaleOf(
    points.map(point => point.y),
    box.bottom,
    box.top,
    false,
  );
  // A label that would overlap another one, or a point, is only shown in the title of its point; the best point is labeled first.
  const labels: { readonly left: number; readonly right: number; readonly y: number }[] = [];
  const hasRoom = new Set(
    points
      .toSorted((a, b) => Number(b.isBest ?? false) - Number(a.isBest ?? false))
      .filter(point => {
        const isLeft = x.at(point.x) > (box.left + box.right) * 0.6;
        const wide = point.label.length * 6.4;
        const left = isLeft ? x.at(point.x) - 12 - wide : x.at(point.x) - 8;
        const label = { left, right: left + wide + 20, y: y.at(point.y) };
        if (labels.some(one => label.left < one.right && one.left < label.right && Math.abs(one.y - label.y) < 14))
          return false;
        const covers = points.some(
          other =>
            other !== point &&
            Math.abs(y.at(other.y) - label.y) < 10 &&
            x.at(other.x) > (isLeft ? label.left : x.at(point.x)) - 5 &&
            x.at(other.x) < (isLeft ? x.at(point.x) : label.right) + 5,
        );
        if (covers && !point.isBest) return false;
        labels.push(label);
        return true;
      }),
  );
  const text = points.map(point => `${point.label}: ${formatX(point.x)}, ${formatY(point.y)}`).join('; ');
  return (
    <figure style={{ overflow: 'hidden' }} ref={ref}>
      <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" aria-label={text}>
        {y.ticks.map(tick => (
          <g key={tick}>
            <line x1={box.left} x2={box.right} y1={y.at(tick)} y2={y.at(tick)} stroke="var(--line)" />
            <text class="axis" x={box.left - 8} y={y.at(tick) + 4} text-anchor="end">
              {formatY(tick)}
            </text>
          </g>
        ))}
        {x.ticks.map(tick => (
          <text key={tick} class="axis" x={x.at(tick)} y={box.bottom + 18} text-anchor="middle">
            {formatX(tick)}
          </text>
        ))}
        <text class="axis" x={box.right} y={height - 2} text-anchor="end">
          {xName}
        </text>
        <text class="axis" x={4} y={12}>
          {yName}
        </text>
        {points.map(point => (
          <g key={point.label}>
            <title>{`${point.label}: ${formatX(point.x)}, ${formatY(point.y)}`}</title>
            <circle
              cx={x.at(point.x)}
              cy={y.at(point.y)}
              r={point.isBest ? 7 : 5}
              fill={`var(--c${(point.color % 8) + 1})`}
              stroke="var(--surface)"
              stroke-width="2"
            />
            {hasRoom.has(point) ? (
              <text
                class="axis ink halo"
                x={x.at(point.x) + (x.at(point.x) > (box.left + box.right) * 0.6 ? -10 : 10)}
                y={y.at(point.y) + 4}
                text-anchor={x.at(point.x) > (box.left + box.right) * 0.6 ? 'end' : 'start'}
              >
                {point.label}
              </text>
            ) : null}
          </g>
        ))}
      </svg>
    </figure>
  );
}
