// Dialogs that change access keys. The secret of a new key is shown once, and is nowhere in the page afterwards.
import { useState } from 'preact/hooks';
import type { AccessKeyRow, ConsoleRole, MadeKey } from '../../../src/api/console/messages.ts';
import { post, session } from '../api.ts';
import { Button, Command, Dialog, Problem, say } from './basics.tsx';

export type KeyTask =
  | { readonly kind: 'create' }
  | { readonly kind: 'rotate' | 'disable' | 'enable' | 'remove'; readonly row: AccessKeyRow };

interface DialogProps {
  readonly onDone: (made: MadeKey | undefined) => void;
  readonly onClose: () => void;
}

export function KeyDialog({ task, ...props }: DialogProps & { readonly task: KeyTask }) {
  if (task.kind === 'create') return <CreateDialog {...props} />;
  return task.kind === 'rotate' ? (
    <RotateDialog row={task.row} {...props} />
  ) : (
    <ConfirmDialog kind={task.kind} row={task.row} {...props} />
  );
}

interface Sending {
  readonly error: unknown;
  readonly isBusy: boolean;
  readonly send: (path: string, body: object) => Promise<MadeKey | undefined>;
}

/** The answer of a change, or undefined after a failure, which is shown. */
function useSending(): Sending {
  const [error, setError] = useState<unknown>(undefined);
  const [isBusy, setBusy] = useState(false);
  const send = async (path: string, body: object): Promise<MadeKey | undefined> => {
    setBusy(true);
    try {
      return await post<MadeKey>(path, body);
    } catch (failure) {
      setError(failure);
      setBusy(false);
      return undefined;
    }
  };
  return { error, isBusy, send };
}

const pathOf = ({ id }: AccessKeyRow, change: string): string => `access/keys/${encodeURIComponent(id)}/${change}`;
const nameOf = ({ name, id }: AccessKeyRow): string => name ?? id;

const roles: Readonly<Record<ConsoleRole, string>> = {
  admin: 'Everything, including the keys of this page.',
  developer: 'Reads and changes jobs, data and endpoints.',
  'read-only': 'Reads.',
};
const roleNames = Object.keys(roles) as readonly ConsoleRole[];

function CreateDialog({ onDone, onClose }: DialogProps) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<ConsoleRole>('developer');
  const [actions, setActions] = useState('');
  const { error, isBusy, send } = useSending();
  const create = async (): Promise<void> => {
    const list = actions.split(/[\s,]+/).filter(action => action !== '');
    const body = {
      role,
      ...(name.trim() === '' ? {} : { name: name.trim() }),
      ...(list.length === 0 ? {} : { actions: list }),
    };
    const made = await send('access/keys', body);
    if (made !== undefined) onDone(made);
  };
  return (
    <Dialog
      title="New key"
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" onClick={() => void create()} disabled={isBusy}>
            Create the key
          </Button>
        </>
      }
    >
      <label class="field">
        Name
        <input
          class="input"
          value={name}
          maxLength={100}
          placeholder="dashboard"
          onInput={event => setName(event.currentTarget.value)}
        />
        <span class="hint">Who or what it is for.</span>
      </label>
      <fieldset class="choices">
        <legend class="field">Role</legend>
        {roleNames.map(one => (
          <label key={one} class="choice">
            <input type="radio" name="role" checked={one === role} onChange={() => setRole(one)} />
            <span>
              <b>{one}</b>
              <span class="quiet small">{roles[one]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <label class="field">
        Only these actions
        <textarea
          class="textarea"
          rows={2}
          value={actions}
          placeholder="s3:Get*, sagemaker:InvokeEndpoint"
          onInput={event => setActions(event.currentTarget.value)}
        />
        <span class="hint">
          Empty: all of its role. With a list, the key is for clients: it does not open the console.
        </span>
      </label>
      {error === undefined ? null : <Problem error={error} />}
    </Dialog>
  );
}

const overlaps = [
  [0, 'At once'],
  [1, 'In an hour'],
  [24, 'In a day'],
  [168, 'In a week'],
  [720, 'In 30 days'],
] as const;

function RotateDialog({ row, onDone, onClose }: DialogProps & { readonly row: AccessKeyRow }) {
  const [overlapHours, setHours] = useState(24);
  const { error, isBusy, send } = useSending();
  const rotate = async (): Promise<void> => {
    const made = await send(pathOf(row, 'rotate'), { overlapHours });
    if (made !== undefined) onDone(made);
  };
  return (
    <Dialog
      title={`Rotate ${nameOf(row)}`}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" onClick={() => void rotate()} disabled={isBusy}>
            Rotate
          </Button>
        </>
      }
    >
      <p>
        Makes a new key with the same rights. The old one stays valid meanwhile, so that its clients can be changed.
      </p>
      <label class="field">
        The old key ends
        <select class="select" value={overlapHours} onChange={event => setHours(Number(event.currentTarget.value))}>
          {overlaps.map(([hours, text]) => (
            <option key={hours} value={hours}>
              {text}
            </option>
          ))}
        </select>
      </label>
      {overlapHours === 0 ? <OwnKeyNote row={row} /> : null}
      {error === undefined ? null : <Problem error={error} />}
    </Dialog>
  );
}

const confirmations = {
  disable: {
    title: 'Disable',
    text: 'The server refuses the key from now on, in the console too. It can be enabled again.',
    said: 'Disabled',
  },
  enable: { title: 'Enable', text: 'The server accepts the key again, with the secret that it had.', said: 'Enabled' },
  remove: {
    title: 'Remove',
    text: 'The server refuses the key from now on. This cannot be undone; what was done with the key stays in the audit log.',
    said: 'Removed',
  },
} as const;

function ConfirmDialog({
  kind,
  row,
  onDone,
  onClose,
}: DialogProps & { readonly kind: keyof typeof confirmations; readonly row: AccessKeyRow }) {
  const { title, text, said } = confirmations[kind];
  const { error, isBusy, send } = useSending();
  const confirm = async (): Promise<void> => {
    if ((await send(pathOf(row, kind), {})) === undefined) return;
    say(`${said} ${nameOf(row)}`);
    onDone(undefined);
  };
  return (
    <Dialog
      title={`${title} ${nameOf(row)}?`}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind={kind === 'enable' ? 'primary' : 'danger'} onClick={() => void confirm()} disabled={isBusy}>
            {title} the key
          </Button>
        </>
      }
    >
      <p>{text}</p>
      {kind === 'enable' ? null : <OwnKeyNote row={row} />}
      {error === undefined ? null : <Problem error={error} />}
    </Dialog>
  );
}

const OwnKeyNote = ({ row }: { readonly row: AccessKeyRow }) =>
  row.id === session.value?.keyId ? (
    <p class="small quiet">You are signed in with this key: your session ends, too.</p>
  ) : null;

export function SecretDialog({ made, onClose }: { readonly made: MadeKey; readonly onClose: () => void }) {
  const region = session.value?.region ?? 'us-east-1';
  const lines = [
    `export AWS_ENDPOINT_URL=${window.location.origin}`,
    `export AWS_ACCESS_KEY_ID=${made.id}`,
    `export AWS_SECRET_ACCESS_KEY=${made.secret}`,
    `export AWS_DEFAULT_REGION=${region} AWS_REGION=${region}`,
  ].join('\n');
  return (
    <Dialog
      title="The new key"
      onClose={onClose}
      foot={
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <p>
        Copy the secret now: <b>it is not shown again.</b> These lines make the AWS CLI and SDKs use this server.
      </p>
      <Command text={lines} />
    </Dialog>
  );
}
