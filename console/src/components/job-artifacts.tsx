// The objects that a job has produced, as downloads.
import type { JobDetail } from '../../../src/api/console/messages.ts';
import { bytes, date } from '../format.ts';
import { Card, Download, Empty } from './basics.tsx';

export function JobArtifacts({ job }: { readonly job: JobDetail }) {
  if (job.artifacts.length === 0)
    return (
      <Card>
        <Empty title="Nothing yet" command={`aws s3 ls --recursive ${job.outputUri}/`}>
          The model is uploaded to {job.outputUri} when the job ends, checkpoints while it runs.
        </Empty>
      </Card>
    );
  return (
    <Card flush>
      <div class="scroll-x">
        <table class="table">
          <thead>
            <tr>
              <th>Object</th>
              <th class="num">Size</th>
              <th>Stored</th>
              <th>
                <span class="visually-hidden">Download</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {job.artifacts.map(({ bucket, key, bytes: size, modifiedMs }) => (
              <tr key={`${bucket}/${key}`}>
                <td class="mono">
                  s3://{bucket}/{key}
                </td>
                <td class="num">{bytes(size)}</td>
                <td class="quiet">{date(modifiedMs)}</td>
                <td class="num">
                  <Download
                    kind="bare"
                    label={`Download ${key}`}
                    address={`object?bucket=${encodeURIComponent(bucket)}&key=${encodeURIComponent(key)}`}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
