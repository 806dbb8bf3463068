// The buckets of the object store: folders and objects, to download or remove. They are written by `aws s3 cp` and by jobs.
import { useState } from 'preact/hooks';
import type { BucketRow, ObjectList, StoredObject } from '../../../src/api/console/messages.ts';
import { get, mayWrite, post } from '../api.ts';
import { Button, Card, Download, Empty, PageHead, Problem, Skeleton } from '../components/basics.tsx';
import { bytes, date } from '../format.ts';
import { useLoaded } from '../hooks.ts';
import { href, query } from '../router.ts';
import { RemoveDialog } from './resources.tsx';

const pathTo = (bucket: string, prefix: string): string =>
  href(`/data?bucket=${encodeURIComponent(bucket)}&prefix=${encodeURIComponent(prefix)}`);

export function Data() {
  const bucket = query.value.get('bucket');
  const prefix = query.value.get('prefix') ?? '';
  return bucket === null ? <Buckets /> : <Folder key={`${bucket}/${prefix}`} bucket={bucket} prefix={prefix} />;
}

function Buckets() {
  const { data, error } = useLoaded(signal => get<readonly BucketRow[]>('buckets', signal), []);
  return (
    <>
      <PageHead title="Data" note="Buckets of the object store" />
      {error === undefined ? null : <Problem error={error} />}
      {data === undefined ? (
        error === undefined ? (
          <Skeleton lines={4} />
        ) : null
      ) : (
        <Card flush>
          {data.length === 0 ? (
            <Empty title="No bucket yet" command="aws s3 mb s3://data && aws s3 cp train.csv s3://data/train/">
              Jobs read their data from buckets, and write their models to them.
            </Empty>
          ) : (
            <div class="scroll-x">
              <table class="table">
                <thead>
                  <tr>
                    <th>Bucket</th>
                    <th>Created</th>
                  </tr>
                </thead>
                <tbody>
                  {data.map(({ name, createdMs }) => (
                    <tr key={name}>
                      <td>
                        <a class="name" href={pathTo(name, '')}>
                          {name}
                        </a>
                      </td>
                      <td class="quiet nowrap">{date(createdMs)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </Card>
      )}
    </>
  );
}

function Folder({ bucket, prefix }: { readonly bucket: string; readonly prefix: string }) {
  const [after, setAfter] = useState('');
  const address = `objects?bucket=${encodeURIComponent(bucket)}&prefix=${encodeURIComponent(prefix)}&after=${encodeURIComponent(after)}`;
  const { data, error, reload } = useLoaded(signal => get<ObjectList>(address, signal), [address]);
  const [removed, setRemoved] = useState<StoredObject | undefined>(undefined);
  const parts = prefix.split('/').filter(part => part !== '');
  const next = data?.next ?? null;
  return (
    <>
      <PageHead
        title={parts.at(-1) ?? bucket}
        note={
          <span class="row wrap">
            <a class="link" href={href('/data')}>
              Buckets
            </a>
            /
            <a class="link" href={pathTo(bucket, '')}>
              {bucket}
            </a>
            {parts.map((part, i) => (
              <span key={parts.slice(0, i + 1).join('/')} class="row">
                /
                <a class="link" href={pathTo(bucket, `${parts.slice(0, i + 1).join('/')}/`)}>
                  {part}
                </a>
              </span>
            ))}
          </span>
        }
      >
        {after === '' ? null : <Button onClick={() => setAfter('')}>First page</Button>}
        {next === null ? null : <Button onClick={() => setAfter(next)}>Next page</Button>}
      </PageHead>
      {error === undefined ? null : <Problem error={error} />}
      {data === undefined ? (
        error === undefined ? (
          <Skeleton lines={6} />
        ) : null
      ) : (
        <Card flush>
          {data.folders.length + data.objects.length === 0 ? (
            <Empty title="Nothing here" command={`aws s3 cp FILE s3://${bucket}/${prefix}`}>
              This folder has no objects.
            </Empty>
          ) : (
            <div class="scroll-x">
              <table class="table">
                <thead>
                  <tr>
                    <th>Name</th>
                    <th class="num">Size</th>
                    <th>Stored</th>
                    <th>
                      <span class="visually-hidden">Actions</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {data.folders.map(folder => (
                    <tr key={folder}>
                      <td>
                        <a class="name" href={pathTo(bucket, folder)}>
                          {folder.slice(prefix.length)}
                        </a>
                      </td>
                      <td class="num">–</td>
                      <td class="quiet">–</td>
                      <td />
                    </tr>
                  ))}
                  {data.objects.map(object => (
                    <tr key={object.key}>
                      <td class="mono">{object.key.slice(prefix.length)}</td>
                      <td class="num nowrap">{bytes(object.bytes)}</td>
                      <td class="quiet nowrap">{date(object.modifiedMs)}</td>
                      <td class="num">
                        <span class="row" style={{ justifyContent: 'flex-end' }}>
                          <Download
                            kind="bare"
                            label={`Download ${object.key}`}
                            address={`object?bucket=${encodeURIComponent(bucket)}&key=${encodeURIComponent(object.key)}`}
                          />
                          {mayWrite() ? (
                            <Button
                              kind="bare"
                              title={`Delete ${object.key}`}
                              icon="close"
                              onClick={() => setRemoved(object)}
                            />
                          ) : null}
                        </span>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </Card>
      )}
      {removed === undefined ? null : (
        <RemoveDialog
          name={`s3://${bucket}/${removed.key}`}
          remove={() => post('object/remove', { bucket, key: removed.key })}
          onClose={() => setRemoved(undefined)}
          onRemoved={() => {
            setRemoved(undefined);
            reload();
          }}
        />
      )}
    </>
  );
}
