// The live metrics of one job. The server sends at most as many points as the chart has pixels.
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { SeriesPage, SeriesSummary } from '../../../src/api/console/messages.ts';
import { get } from '../api.ts';
import { LineChart } from '../charts/line-chart.tsx';
import { count, value } from '../format.ts';
import { useLoaded, useThrottled } from '../hooks.ts';
import { Problem } from './basics.tsx';
import { CurveChoices, type CurveView } from './curve-choices.tsx';

const REFRESH_MS = 1000;
const COLUMNS = 600;

export function MetricCharts({ job, series }: { readonly job: string; readonly series: readonly SeriesSummary[] }) {
  const [view, setView] = useState<CurveView<'step' | 'time'>>({ x: 'step', isLog: false });
  return (
    <div class="stack">
      <div class="row wrap">
        <CurveChoices time="time" view={view} onChange={setView} />
      </div>
      <div class="grid charts">
        {series.map((one, i) => (
          <MetricChart key={one.name} job={job} series={one} by={view.x} isLog={view.isLog} index={i} />
        ))}
      </div>
    </div>
  );
}

function MetricChart({
  job,
  series,
  by,
  isLog,
  index,
}: {
  readonly job: string;
  readonly series: SeriesSummary;
  readonly by: 'step' | 'time';
  readonly isLog: boolean;
  readonly index: number;
}) {
  const { name } = series;
  const { data, error, reload } = useLoaded(
    signal =>
      get<SeriesPage>(
        `jobs/${encodeURIComponent(job)}/series?metric=${encodeURIComponent(name)}&columns=${COLUMNS}&by=${by}`,
        signal,
      ),
    [job, name, by],
  );
  const reloadSoon = useThrottled(reload, REFRESH_MS);
  useEffect(() => {
    if (data !== undefined && data.count !== series.count) reloadSoon();
  }, [series.count]);
  const curves = useMemo(() => (data === undefined ? [] : [curveOf(data, name, by)]), [data]);
  return (
    <figure class="card chart-card" data-points={data?.count}>
      <header>
        <h3>{name}</h3>
        <span class="quiet small tabular">{count(series.count)} points</span>
        <span class="value">{value(series.lastValue)}</span>
      </header>
      {error === undefined ? null : <Problem error={error} />}
      <LineChart
        curves={curves}
        label={`${name}: ${count(series.count)} points, last ${value(series.lastValue)} at step ${series.lastStep}`}
        xKind={by === 'step' ? 'step' : 'clock'}
        isLog={isLog}
        firstColor={index}
      />
    </figure>
  );
}

/** An exponential moving average of the points, which shows the trend of noisy curves. */
export function smoothed(values: readonly number[], weight = 0.92): readonly number[] {
  let [mean, total] = [0, 0];
  return values.map(value => {
    mean = weight * mean + (1 - weight) * value;
    total = weight * total + 1 - weight;
    return mean / total;
  });
}

export const curveOf = (page: SeriesPage, label: string, by: 'step' | 'time' | 'elapsed') => ({
  label,
  x:
    by === 'step'
      ? page.steps
      : by === 'time'
        ? page.timesMs.map(ms => ms / 1000)
        : page.timesMs.map(ms => (ms - page.timesMs[0]!) / 1000),
  y: page.values,
});
