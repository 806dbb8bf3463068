// Access keys and the audit log, for admins.

import type { AccessKeyRow } from '../../../src/api/console/messages.ts';
import { get } from '../api.ts';
import { AccessKeys } from '../components/access-keys.tsx';
import { AuditLog } from '../components/audit-log.tsx';
import { PageHead, Problem } from '../components/basics.tsx';
import { usePolled } from '../hooks.ts';

const REFRESH_MS = 5000;

export function Access() {
  const { data, error, reload } = usePolled(
    signal => get<readonly AccessKeyRow[]>('access/keys', signal),
    REFRESH_MS,
    [],
  );
  return (
    <>
      <PageHead title="Access" note="Who may use this server, and what they did" />
      <div class="stack">
        {error === undefined ? null : <Problem error={error} />}
        <AccessKeys keys={data} hasFailed={error !== undefined} reload={reload} />
        <AuditLog keys={data ?? []} />
      </div>
    </>
  );
}
