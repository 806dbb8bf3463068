// The output of a job of a cluster, by node and rank, as it grows.
import { useState } from 'preact/hooks';
import type { ClusterJobLine, ClusterJobLog } from '../../../src/api/console/messages.ts';
import { plainText } from '../ansi.ts';
import { get } from '../api.ts';
import { usePolled } from '../hooks.ts';
import { Card, PageHead, Problem, Skeleton } from './basics.tsx';

const REFRESH_MS = 2000;

export function ClusterJob({ name, job }: { readonly name: string; readonly job: string }) {
  const path = `clusters/${encodeURIComponent(name)}/jobs/${encodeURIComponent(job)}`;
  const { data, error } = usePolled(signal => get<ClusterJobLog>(path, signal), REFRESH_MS, [path]);
  const [node, setNode] = useState('');
  const [rank, setRank] = useState('');
  if (data === undefined)
    return (
      <>
        <PageHead title={`Job ${job}`} note={name} />
        {error === undefined ? <Skeleton lines={8} /> : <Problem error={error} />}
      </>
    );
  const isShown = (line: ClusterJobLine): boolean =>
    (node === '' || line.node === node) && (rank === '' || String(line.rank) === rank);
  const ranks = [...new Set(data.lines.flatMap(line => line.rank ?? []))].toSorted((a, b) => a - b);
  const lines = data.lines.filter(isShown);
  return (
    <>
      <PageHead
        title={`${data.name}, job ${data.id}`}
        note={`${data.state.toLowerCase()} on ${name}, of ${data.user}`}
      />
      {error === undefined ? null : <Problem error={error} />}
      <Card title="Output">
        <div class="job-filters">
          <label>
            Node{' '}
            <select class="select" value={node} onChange={event => setNode(event.currentTarget.value)}>
              <option value="">all</option>
              {data.nodes.map(one => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </label>
          <label>
            Rank{' '}
            <select class="select" value={rank} onChange={event => setRank(event.currentTarget.value)}>
              <option value="">all</option>
              {ranks.map(one => (
                <option key={one} value={String(one)}>
                  {one}
                </option>
              ))}
            </select>
          </label>
        </div>
        {data.problem === null ? null : <p class="quiet">{data.problem}</p>}
        {data.hasMore ? <p class="quiet">Earlier lines are in the file.</p> : null}
        {lines.length === 0 && data.problem === null ? <p class="quiet">No line yet.</p> : null}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
        <section class="job-output" tabIndex={0} aria-label="Output">
          {lines.map((line, i) => (
            <div key={i}>
              <span class="quiet">{line.rank === null ? '' : `${line.rank} `}</span>
              {plainText(line.text)}
            </div>
          ))}
        </section>
      </Card>
    </>
  );
}
