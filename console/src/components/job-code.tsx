// The files of a job's script.
import { useState } from 'preact/hooks';
import type { CodeFile, JobDetail } from '../../../src/api/console/messages.ts';
import { get } from '../api.ts';
import { bytes } from '../format.ts';
import { useLoaded } from '../hooks.ts';
import { Card, Empty, Problem, Skeleton } from './basics.tsx';

export function JobCode({ job }: { readonly job: JobDetail }) {
  const { data, error } = useLoaded(
    signal =>
      job.hasCode
        ? get<readonly CodeFile[]>(`jobs/${encodeURIComponent(job.row.name)}/code`, signal)
        : Promise.resolve([]),
    [job.row.name],
  );
  const [path, setPath] = useState<string | undefined>(undefined);
  if (error !== undefined) return <Problem error={error} />;
  if (data === undefined) return <Skeleton lines={8} />;
  const program = job.hyperparameters.sagemaker_program?.replace(/^"|"$/g, '');
  const file = data.find(one => one.path === (path ?? program)) ?? data[0];
  if (file === undefined)
    return (
      <Card>
        <Empty title="No uploaded code">
          This job runs what its image <code>{job.row.image}</code> contains. Jobs with an archive in the hyperparameter{' '}
          <code>sagemaker_submit_directory</code> show its files here.
        </Empty>
      </Card>
    );
  return (
    <div class="card code-grid">
      <nav aria-label="Files">
        {data.map(one => (
          <button
            key={one.path}
            type="button"
            class="nav-item"
            aria-current={one === file ? 'page' : undefined}
            onClick={() => setPath(one.path)}
          >
            <span class="truncate mono">{one.path}</span>
          </button>
        ))}
      </nav>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <pre tabIndex={0}>{file.text ?? `${file.path}: ${bytes(file.bytes)}, not shown`}</pre>
    </div>
  );
}
