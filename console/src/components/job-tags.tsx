// The note and the tags of a resource. A note is a tag that people write for each other.
import { useState } from 'preact/hooks';
import { problemOf, sagemaker } from '../api.ts';
import { useLoaded } from '../hooks.ts';
import { Button, Card, Problem, say } from './basics.tsx';
import { Icon } from './icon.tsx';

const NOTE = 'note';
/** The longest value of a tag. */
const LONGEST = 256;

interface Tag {
  readonly Key: string;
  readonly Value: string;
}

export function JobTags({ arn, mayChange }: { readonly arn: string; readonly mayChange: boolean }) {
  const { data, error, reload } = useLoaded(
    () => sagemaker<{ readonly Tags: readonly Tag[] }>('ListTags', { ResourceArn: arn }),
    [arn],
  );
  const [note, setNote] = useState<string | undefined>(undefined);
  const [added, setAdded] = useState({ key: '', value: '' });
  const change = async (operation: 'AddTags' | 'DeleteTags', input: object): Promise<void> => {
    try {
      await sagemaker(operation, { ResourceArn: arn, ...input });
      reload();
    } catch (failure) {
      say(problemOf(failure));
    }
  };
  const tags = data?.Tags ?? [];
  const saved = tags.find(({ Key }) => Key === NOTE)?.Value ?? '';
  const text = note ?? saved;
  const saveNote = async (): Promise<void> => {
    if (text === saved) return;
    await (text === ''
      ? change('DeleteTags', { TagKeys: [NOTE] })
      : change('AddTags', { Tags: [{ Key: NOTE, Value: text }] }));
    setNote(undefined);
  };
  return (
    <Card title="Note and tags">
      <div class="stack">
        {error === undefined ? null : <Problem error={error} />}
        <label class="field">
          Note
          <textarea
            class="textarea"
            rows={2}
            maxLength={LONGEST}
            value={text}
            readOnly={!mayChange}
            onInput={event => setNote(event.currentTarget.value)}
            onBlur={() => void saveNote()}
          />
        </label>
        <ul class="row wrap">
          {tags
            .filter(({ Key }) => Key !== NOTE)
            .map(({ Key, Value }) => (
              <li key={Key} class="chip">
                {Key}: {Value}
                {mayChange ? (
                  <button
                    type="button"
                    class="button"
                    data-kind="bare"
                    aria-label={`Remove the tag ${Key}`}
                    onClick={() => void change('DeleteTags', { TagKeys: [Key] })}
                  >
                    <Icon name="close" />
                  </button>
                ) : null}
              </li>
            ))}
        </ul>
        {mayChange ? (
          <div class="row wrap">
            <input
              class="input"
              aria-label="Key of a new tag"
              placeholder="Key"
              value={added.key}
              onInput={event => setAdded({ ...added, key: event.currentTarget.value })}
            />
            <input
              class="input"
              aria-label="Value of a new tag"
              placeholder="Value"
              value={added.value}
              onInput={event => setAdded({ ...added, value: event.currentTarget.value })}
            />
            <Button
              icon="plus"
              disabled={added.key === ''}
              onClick={() => {
                void change('AddTags', { Tags: [{ Key: added.key, Value: added.value }] });
                setAdded({ key: '', value: '' });
              }}
            >
              Add a tag
            </Button>
          </div>
        ) : null}
      </div>
    </Card>
  );
}
