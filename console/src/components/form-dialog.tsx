// A dialog that creates something: its fields, the request that they make, and what the server says about it.
import { useState } from 'preact/hooks';
import { Button, Dialog, Problem } from './basics.tsx';

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly initial?: string;
  readonly kind?: 'text' | 'number' | 'lines';
  readonly isOptional?: boolean;
  /** Values to choose from, or only suggestions. */
  readonly suggestions?: readonly string[];
  readonly hint?: string;
}

export function FormDialog({
  title,
  fields,
  submit,
  action,
  onClose,
}: {
  readonly title: string;
  readonly fields: readonly Field[];
  /** The text of the button. */
  readonly action: string;
  readonly submit: (values: Readonly<Record<string, string>>) => Promise<void>;
  readonly onClose: () => void;
}) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>(
    Object.fromEntries(fields.map(({ name, initial = '' }) => [name, initial])),
  );
  const [error, setError] = useState<unknown>(undefined);
  const [isBusy, setBusy] = useState(false);
  const send = async (): Promise<void> => {
    setBusy(true);
    try {
      await submit(values);
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  const isComplete = fields.every(({ name, isOptional = false }) => isOptional || values[name]!.trim() !== '');
  return (
    <Dialog
      title={title}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" onClick={() => void send()} disabled={isBusy || !isComplete}>
            {action}
          </Button>
        </>
      }
    >
      {fields.map(({ name, label, kind = 'text', suggestions, hint }) => (
        <div key={name} class="field">
          <label for={`field-${name}`}>{label}</label>
          {kind === 'lines' ? (
            <textarea
              id={`field-${name}`}
              class="textarea"
              rows={4}
              value={values[name]}
              onInput={event => setValues({ ...values, [name]: event.currentTarget.value })}
            />
          ) : (
            <input
              id={`field-${name}`}
              class="input"
              type={kind}
              min={kind === 'number' ? 1 : undefined}
              list={suggestions === undefined ? undefined : `suggestions-${name}`}
              value={values[name]}
              onInput={event => setValues({ ...values, [name]: event.currentTarget.value })}
            />
          )}
          {suggestions === undefined ? null : (
            <datalist id={`suggestions-${name}`}>
              {suggestions.map(one => (
                <option key={one} value={one} />
              ))}
            </datalist>
          )}
          {hint === undefined ? null : <span class="small quiet">{hint}</span>}
        </div>
      ))}
      {error === undefined ? null : <Problem error={error} />}
    </Dialog>
  );
}

/** `name=value` on each line. @throws {Error} for other lines */
export function pairsOf(text: string): Readonly<Record<string, string>> {
  const pairs = text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');
  return Object.fromEntries(
    pairs.map(pair => {
      const at = pair.indexOf('=');
      if (at < 1) throw new Error(`'${pair}' is not name=value`);
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    }),
  );
}
