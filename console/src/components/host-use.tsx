// The resource usage of a job's hosts on this machine: cores and memory, now and since the start.
import type { HostUseRow } from '../../../src/api/console/messages.ts';
import { get } from '../api.ts';
import { bytes } from '../format.ts';
import { usePolled } from '../hooks.ts';
import { Card, Problem, Skeleton } from './basics.tsx';

const REFRESH_MS = 2000;
/** Whether the job has ended, so that the values no longer change. */
const ENDED_MS = 2 ** 30;
const COLUMNS = 120;
/** With more cores than this, single cells are not readable. */
const MOST_CELLS = 32;

export function HostUse({ job, isRunning }: { readonly job: string; readonly isRunning: boolean }) {
  const { data, error } = usePolled(
    signal => get<readonly HostUseRow[]>(`jobs/${encodeURIComponent(job)}/use?columns=${COLUMNS}`, signal),
    isRunning ? REFRESH_MS : ENDED_MS,
    [job, isRunning],
  );
  if (data === undefined) return error === undefined ? <Skeleton lines={2} /> : <Problem error={error} />;
  const measured = data.filter(({ usedCores }) => usedCores.length > 0);
  if (measured.length === 0) return null;
  return (
    <Card title={isRunning ? 'Hosts now' : 'Hosts'} flush>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section class="scroll-x" tabIndex={0} aria-label="Resource usage of the hosts">
        <table class="table">
          <thead>
            <tr>
              <th>Host</th>
              <th>{isRunning ? 'Cores' : 'Cores, mean'}</th>
              <th>Since the start</th>
              <th class="num">{isRunning ? 'Memory' : 'Memory, most'}</th>
            </tr>
          </thead>
          <tbody>
            {measured.map(host => {
              const used = isRunning ? host.usedCores.at(-1)! : mean(host.usedCores);
              const memory = isRunning ? host.memoryBytes.at(-1)! : Math.max(...host.memoryBytes);
              return (
                <tr key={host.name}>
                  <td class="nowrap">{host.name}</td>
                  <td>
                    <span class="tabular nowrap">
                      {used.toFixed(2)} of {host.cores}
                    </span>
                    <Cells used={used} cores={host.cores} />
                  </td>
                  <td>
                    <Sparkline values={host.usedCores} most={host.cores} />
                  </td>
                  <td class="num nowrap">{bytes(memory)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
    </Card>
  );
}

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

/** One cell per core, filled according to its usage. */
function Cells({ used, cores }: { readonly used: number; readonly cores: number }) {
  const count = Math.min(cores, MOST_CELLS);
  const each = cores / count;
  return (
    <span class="cells" aria-hidden="true">
      {Array.from({ length: count }, (_, i) => (
        <span key={i}>
          <span style={{ width: `${100 * Math.min(1, Math.max(0, used / each - i))}%` }} />
        </span>
      ))}
    </span>
  );
}

function Sparkline({ values, most }: { readonly values: readonly number[]; readonly most: number }) {
  const [width, height] = [160, 28];
  const top = Math.max(most, ...values);
  const x = (i: number): number => (values.length === 1 ? 0 : (i / (values.length - 1)) * width);
  const points = values.map((one, i) => `${x(i).toFixed(1)},${(height - 1 - (one / top) * (height - 2)).toFixed(1)}`);
  return (
    <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden="true">
      <polyline points={`0,${height} ${points.join(' ')} ${width},${height}`} fill="var(--accent-soft)" />
      <polyline points={points.join(' ')} fill="none" stroke="var(--accent)" stroke-width="1.5" />
    </svg>
  );
}
