// The access keys of the server: who has which rights, since when, and until when.
import { useState } from 'preact/hooks';
import type { AccessKeyRow, MadeKey } from '../../../src/api/console/messages.ts';
import { session } from '../api.ts';
import { ago, date } from '../format.ts';
import { useNow } from '../hooks.ts';
import type { Tone } from '../job-row.ts';
import { Badge, Button, Card, Skeleton } from './basics.tsx';
import { KeyDialog, type KeyTask, SecretDialog } from './key-dialogs.tsx';

export function AccessKeys({
  keys,
  hasFailed,
  reload,
}: {
  readonly keys: readonly AccessKeyRow[] | undefined;
  readonly hasFailed: boolean;
  readonly reload: () => void;
}) {
  const [task, setTask] = useState<KeyTask | undefined>(undefined);
  const [made, setMade] = useState<MadeKey | undefined>(undefined);
  const done = (key: MadeKey | undefined): void => {
    setTask(undefined);
    setMade(key);
    reload();
  };
  return (
    <Card
      title="Keys"
      flush
      actions={
        <Button icon="plus" kind="primary" onClick={() => setTask({ kind: 'create' })}>
          New key
        </Button>
      }
    >
      {keys === undefined ? (
        <div class="card-body">{hasFailed ? null : <Skeleton lines={3} />}</div>
      ) : (
        <>
          <KeyTable keys={keys} onTask={setTask} />
          {keys.some(({ isLastAdmin }) => isLastAdmin) ? (
            <p class="table-note">
              The last key of an admin cannot be disabled or removed. To replace it, rotate it, or create another one.
            </p>
          ) : null}
        </>
      )}
      {task === undefined ? null : <KeyDialog task={task} onDone={done} onClose={() => setTask(undefined)} />}
      {made === undefined ? null : <SecretDialog made={made} onClose={() => setMade(undefined)} />}
    </Card>
  );
}

function KeyTable({
  keys,
  onTask,
}: {
  readonly keys: readonly AccessKeyRow[];
  readonly onTask: (task: KeyTask) => void;
}) {
  const now = useNow(10_000);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section class="scroll-x" tabIndex={0} aria-label="Keys">
      <table class="table">
        <thead>
          <tr>
            <th>Key</th>
            <th>State</th>
            <th>Role</th>
            <th>Created</th>
            <th>Last used</th>
            <th>
              <span class="visually-hidden">Changes</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map(key => (
            <tr key={key.id} data-key={key.id}>
              <td>
                <KeyName row={key} />
              </td>
              <td class="nowrap">
                <KeyState row={key} now={now} />
              </td>
              <td>
                <span class="nowrap">{key.role}</span>
                {key.actions === null ? null : (
                  <div class="key-actions">
                    {key.actions.map(action => (
                      <code key={action} class="chip">
                        {action}
                      </code>
                    ))}
                  </div>
                )}
              </td>
              <td class="quiet nowrap">{key.createdMs === null ? '–' : ago(key.createdMs, now)}</td>
              <td class="quiet nowrap">{key.lastUsedMs === null ? 'not known' : ago(key.lastUsedMs, now)}</td>
              <td>
                <Changes row={key} onTask={onTask} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const KeyName = ({ row }: { readonly row: AccessKeyRow }) => (
  <div class="key-name">
    <span class="row">
      {row.name === null ? null : <b>{row.name}</b>}
      {row.id === session.value?.keyId ? <span class="chip">this session</span> : null}
      {row.isFixed ? <span class="chip">given at the start</span> : null}
    </span>
    <code class="nowrap">{row.id}</code>
    {row.replaces === null ? null : (
      <span class="quiet nowrap">
        replaces <code>{row.replaces}</code>
      </span>
    )}
  </div>
);

const tones: Readonly<Record<AccessKeyRow['state'], Tone>> = {
  usable: 'good',
  ending: 'warn',
  expired: 'idle',
  disabled: 'idle',
};

const KeyState = ({ row: { state, expiresMs }, now }: { readonly row: AccessKeyRow; readonly now: number }) => (
  <Badge tone={tones[state]}>
    {state === 'ending'
      ? `Until ${date(expiresMs!)}`
      : state === 'expired'
        ? `Expired ${ago(expiresMs!, now)}`
        : state === 'disabled'
          ? 'Disabled'
          : 'Usable'}
  </Badge>
);

function Changes({ row, onTask }: { readonly row: AccessKeyRow; readonly onTask: (task: KeyTask) => void }) {
  if (row.isFixed) return null;
  const name = row.name ?? row.id;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a line everywhere
    <div class="row key-changes" role="group" aria-label={`Change ${name}`}>
      <Button kind="bare" onClick={() => onTask({ kind: 'rotate', row })}>
        Rotate
      </Button>
      {row.state === 'disabled' ? (
        <Button kind="bare" onClick={() => onTask({ kind: 'enable', row })}>
          Enable
        </Button>
      ) : (
        <Button kind="bare" onClick={() => onTask({ kind: 'disable', row })} disabled={row.isLastAdmin}>
          Disable
        </Button>
      )}
      <Button kind="bare" onClick={() => onTask({ kind: 'remove', row })} disabled={row.isLastAdmin}>
        Remove
      </Button>
    </div>
  );
}
