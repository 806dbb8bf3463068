// The page of a kind of resource (resources.ts): the list, and one of them with all that its description says.
import { useState } from 'preact/hooks';
import { mayWrite, problemOf, sagemaker } from '../api.ts';
import { Badge, Button, Card, Dialog, Empty, PageHead, Problem, Skeleton, say } from '../components/basics.tsx';
import { CreateModelDialog, DeployDialog } from '../components/create-dialogs.tsx';
import { ago } from '../format.ts';
import { useLoaded, useNow, usePolled } from '../hooks.ts';
import type { Tone } from '../job-row.ts';
import { type Column, endpointConfigs, models, processing, type ResourceKind, transform } from '../resources.ts';
import { go, href, query } from '../router.ts';

const REFRESH_MS = 5000;
const MOST = 100;

type Row = Readonly<Record<string, unknown>>;

export const Processing = () => <Resources kind={processing} />;
export const Transform = () => <Resources kind={transform} />;
export const Models = () => <Resources kind={models} />;
export const EndpointConfigs = () => <Resources kind={endpointConfigs} />;

function Resources({ kind }: { readonly kind: ResourceKind }) {
  const name = query.value.get('name');
  return name === null ? (
    <List key={kind.path} kind={kind} />
  ) : (
    <One key={`${kind.path} ${name}`} kind={kind} name={name} />
  );
}

const toneOf = (state: string): Tone =>
  state === 'Completed' ? 'good' : state === 'Failed' ? 'bad' : state === 'Stopped' ? 'idle' : 'run';

/** Times are seconds since 1970 on the wire. */
function Cell({ column, row, now }: { readonly column: Column; readonly row: Row; readonly now: number }) {
  const value = row[column.member];
  if (value === undefined || value === null) return <>–</>;
  if (column.kind === 'time') return <>{ago(Number(value) * 1000, now)}</>;
  if (column.kind === 'state') return <Badge tone={toneOf(String(value))}>{String(value)}</Badge>;
  return <>{String(value)}</>;
}

function List({ kind }: { readonly kind: ResourceKind }) {
  const { data, error, reload } = usePolled(
    async () => {
      const answer = await sagemaker<Row>(kind.list.operation, { MaxResults: MOST });
      return answer[kind.list.rows] as readonly Row[];
    },
    REFRESH_MS,
    [kind.path],
  );
  const now = useNow(5000);
  const [isNew, setNew] = useState(false);
  return (
    <>
      <PageHead title={kind.title} note={kind.note}>
        {kind === models && mayWrite() ? (
          <Button icon="plus" kind="primary" onClick={() => setNew(true)}>
            New model
          </Button>
        ) : null}
      </PageHead>
      {error === undefined ? null : <Problem error={error} />}
      {data === undefined ? (
        error === undefined ? (
          <Skeleton lines={6} />
        ) : null
      ) : (
        <Card flush>
          {data.length === 0 ? (
            <Empty title="None yet" command={kind.command}>
              {kind.note}. This creates one:
            </Empty>
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
            <section class="scroll-x" tabIndex={0} aria-label={kind.title}>
              <table class="table">
                <thead>
                  <tr>
                    <th>Name</th>
                    {kind.columns.map(({ title }) => (
                      <th key={title}>{title}</th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {data.map(row => {
                    const name = String(row[kind.id]);
                    return (
                      <tr key={name}>
                        <td>
                          <a class="name" href={href(`${kind.path}?name=${encodeURIComponent(name)}`)}>
                            {name}
                          </a>
                        </td>
                        {kind.columns.map(column => (
                          <td key={column.title} class={column.kind === 'time' ? 'quiet nowrap' : 'quiet'}>
                            <Cell column={column} row={row} now={now} />
                          </td>
                        ))}
                      </tr>
                    );
                  })}
                </tbody>
              </table>
            </section>
          )}
        </Card>
      )}
      {isNew ? <CreateModelDialog onClose={() => setNew(false)} onCreated={reload} /> : null}
    </>
  );
}

function One({ kind, name }: { readonly kind: ResourceKind; readonly name: string }) {
  const { data, error, reload } = useLoaded(
    () => sagemaker<Row>(kind.describe, { [kind.id]: name }),
    [kind.path, name],
  );
  const [dialog, setDialog] = useState<'remove' | 'deploy' | undefined>(undefined);
  const stop = async (operation: string): Promise<void> => {
    try {
      await sagemaker(operation, { [kind.id]: name });
      say(`Stopping ${name}`);
      reload();
    } catch (failure) {
      say(problemOf(failure));
    }
  };
  const state = kind.columns.find(column => column.kind === 'state');
  const isActive = state !== undefined && data?.[state.member] === 'InProgress';
  const { stop: stopWith, remove } = kind;
  return (
    <>
      <PageHead title={name} note={kind.title}>
        {kind === models && mayWrite() ? (
          <Button icon="endpoints" kind="primary" onClick={() => setDialog('deploy')}>
            Deploy
          </Button>
        ) : null}
        {stopWith !== undefined && isActive && mayWrite() ? (
          <Button icon="stop" kind="danger" onClick={() => void stop(stopWith)}>
            Stop
          </Button>
        ) : null}
        {remove !== undefined && mayWrite() ? (
          <Button kind="danger" onClick={() => setDialog('remove')}>
            Delete
          </Button>
        ) : null}
        <a class="button" href={href(kind.path)}>
          All
        </a>
      </PageHead>
      {error === undefined ? null : <Problem error={error} />}
      {data === undefined ? (
        error === undefined ? (
          <Skeleton lines={6} />
        ) : null
      ) : (
        <Card flush>
          <div class="scroll-x">
            <table class="table">
              <tbody>
                {membersOf(data).map(([path, text]) => (
                  <tr key={path}>
                    <th scope="row" class="quiet">
                      {path}
                    </th>
                    <td class="tabular">{text}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </Card>
      )}
      {dialog === 'deploy' ? <DeployDialog model={name} onClose={() => setDialog(undefined)} /> : null}
      {dialog === 'remove' && remove !== undefined ? (
        <RemoveDialog
          name={name}
          remove={() => sagemaker(remove, { [kind.id]: name })}
          onClose={() => setDialog(undefined)}
          onRemoved={() => go(kind.path)}
        />
      ) : null}
    </>
  );
}

export function RemoveDialog({
  name,
  remove,
  onClose,
  onRemoved,
}: {
  readonly name: string;
  readonly remove: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}) {
  const [error, setError] = useState<unknown>(undefined);
  const confirm = async (): Promise<void> => {
    try {
      await remove();
      say(`Deleted ${name}`);
      onRemoved();
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <Dialog
      title={`Delete ${name}?`}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" onClick={() => void confirm()}>
            Delete
          </Button>
        </>
      }
    >
      <p>It cannot be restored.</p>
      {error === undefined ? null : <Problem error={error} />}
    </Dialog>
  );
}

/** The leaves of a description, by their path: `ProcessingResources.ClusterConfig.InstanceType`. */
function membersOf(value: unknown, path = ''): readonly (readonly [path: string, text: string])[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, member]) => membersOf(member, path === '' ? key : `${path}.${key}`));
  if (/Time$/.test(path) && typeof value === 'number') return [[path, new Date(value * 1000).toLocaleString('en-GB')]];
  return [[path, String(value)]];
}
