// The states of a job on a line, each as long as it lasted.
import type { JobDetail } from '../../../src/api/console/messages.ts';
import { date, duration, moment } from '../format.ts';
import { toneOf } from '../job-row.ts';

export function JobTimeline({ job, now }: { readonly job: JobDetail; readonly now: number }) {
  const lasting = job.transitions.map(step => ({ ...step, ms: Math.max(0, (step.endMs ?? now) - step.startMs) }));
  const total = lasting.reduce((sum, { ms }) => sum + ms, 0) || 1;
  return (
    <>
      <div class="timeline" aria-hidden="true">
        {lasting.map((step, i) => (
          <span
            key={i}
            data-tone={step.status === 'Starting' ? 'idle' : toneOf(step.status)}
            title={`${step.status}: ${duration(step.ms)}`}
            style={{ flex: `${step.ms / total} 1 0` }}
          />
        ))}
      </div>
      <ol class="steps" style={{ padding: 0, listStyle: 'none', marginBottom: 0 }}>
        {lasting.map((step, i) => (
          <li key={i} title={`${moment(step.startMs)}: ${step.message}`}>
            <b>{step.status === 'Starting' ? 'Waiting' : step.status}</b>
            {step.ms > 0 || step.endMs === null ? duration(step.ms) : date(step.startMs)}
          </li>
        ))}
      </ol>
    </>
  );
}
