// The request of a job: hyperparameters, hosts, data, limits.
import type { JobDetail } from '../../../src/api/console/messages.ts';
import { duration } from '../format.ts';
import { Card, CopyButton } from './basics.tsx';

function Pairs({ values }: { readonly values: Readonly<Record<string, string>> }) {
  const entries = Object.entries(values);
  if (entries.length === 0) return <p class="quiet small">None.</p>;
  return (
    <dl class="facts">
      {entries.flatMap(([key, text]) => [
        <dt key={`${key} name`} class="mono">
          {key}
        </dt>,
        <dd key={key} class="mono">
          {text}
        </dd>,
      ])}
    </dl>
  );
}

export function JobConfiguration({ job }: { readonly job: JobDetail }) {
  return (
    <div class="split">
      <Card title="Hyperparameters">
        <Pairs values={job.hyperparameters} />
      </Card>
      <Card title="Job">
        <dl class="facts">
          <dt>ARN</dt>
          <dd class="row">
            <span class="mono" style={{ overflowWrap: 'anywhere' }}>
              {job.arn}
            </span>
            <CopyButton text={job.arn} label="Copy the ARN" />
          </dd>
          <dt>Image</dt>
          <dd class="mono">{job.row.image}</dd>
          {job.command.length === 0 ? null : (
            <>
              <dt>Command</dt>
              <dd class="mono">{job.command.join(' ')}</dd>
            </>
          )}
          <dt>Network</dt>
          <dd>{job.hasNetwork ? 'as this machine has it' : 'isolated'}</dd>
          {job.shared === null || job.shared.length === 0 ? null : (
            <>
              <dt>Not isolated</dt>
              <dd>
                {job.shared.map(note => (
                  <div key={note}>{note}</div>
                ))}
              </dd>
            </>
          )}
          <dt>Longest run</dt>
          <dd>{duration(job.maxRuntimeSeconds * 1000)}</dd>
          {job.maxWaitSeconds === null ? null : (
            <>
              <dt>Longest wait</dt>
              <dd>{duration(job.maxWaitSeconds * 1000)}</dd>
            </>
          )}
          <dt>Attempts</dt>
          <dd>{job.attempt}</dd>
        </dl>
      </Card>
      <Card title="Hosts" flush>
        <table class="table">
          <thead>
            <tr>
              <th>Host</th>
              <th class="num">Cores</th>
              <th>Log stream</th>
            </tr>
          </thead>
          <tbody>
            {job.hosts.map(host => (
              <tr key={host.name}>
                <td class="nowrap">{host.name}</td>
                <td class="num">{host.cores}</td>
                <td class="mono quiet">{host.stream ?? 'not started'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Card>
      <Card title="Data">
        <dl class="facts">
          {job.channels.flatMap(channel => [
            <dt key={`${channel.name} name`}>{channel.name}</dt>,
            <dd key={channel.name}>
              <span class="mono">{channel.uri}</span>
              {channel.distribution === 'ShardedByS3Key' ? ' (shared out over the hosts)' : ''}
            </dd>,
          ])}
          <dt>Output</dt>
          <dd class="mono">{job.outputUri}</dd>
          {job.checkpointUri === null ? null : (
            <>
              <dt>Checkpoints</dt>
              <dd class="mono">{job.checkpointUri}</dd>
            </>
          )}
        </dl>
      </Card>
      <Card title="Environment">
        {job.environment.length === 0 ? (
          <p class="quiet small">None.</p>
        ) : (
          <>
            <Pairs values={Object.fromEntries(job.environment.map(key => [key, '••••••']))} />
            <p class="quiet small" style={{ marginTop: '12px' }}>
              Values may be secrets, and are not shown.
            </p>
          </>
        )}
      </Card>
      <Card title="Tags">
        <Pairs values={job.tags} />
      </Card>
    </div>
  );
}
