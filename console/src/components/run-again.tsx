// "Run again with changes": a copy of a job with other hyperparameters or machines.
import { useState } from 'preact/hooks';
import type { JobDetail, JobRow, RunAgain } from '../../../src/api/console/messages.ts';
import { post } from '../api.ts';
import { go } from '../router.ts';
import { Button, Dialog, Problem, say } from './basics.tsx';
import { Icon } from './icon.tsx';

/** `run` becomes `run-2`, `run-2` becomes `run-3`. */
function nextName(name: string): string {
  const match = /^(.*)-(\d{1,4})$/.exec(name);
  return match === null ? `${name.slice(0, 58)}-2` : `${match[1]!.slice(0, 58)}-${Number(match[2]) + 1}`;
}

export function RunAgainDialog({ job, onClose }: { readonly job: JobDetail; readonly onClose: () => void }) {
  const [name, setName] = useState(nextName(job.row.name));
  const [type, setType] = useState(job.row.instanceType);
  const [instances, setInstances] = useState(job.row.instanceCount);
  const [minutes, setMinutes] = useState(Math.ceil(job.maxRuntimeSeconds / 60));
  const [pairs, setPairs] = useState<readonly (readonly [string, string])[]>(Object.entries(job.hyperparameters));
  const [error, setError] = useState<unknown>(undefined);
  const [isBusy, setBusy] = useState(false);
  const change = (at: number, pair: readonly [string, string]): void =>
    setPairs(pairs.map((one, i) => (i === at ? pair : one)));
  const start = async (): Promise<void> => {
    setBusy(true);
    const body: RunAgain = {
      name,
      hyperparameters: Object.fromEntries(pairs.filter(([key]) => key !== '')),
      instanceType: type,
      instanceCount: instances,
      maxRuntimeSeconds: minutes * 60,
    };
    try {
      const row = await post<JobRow>(`jobs/${encodeURIComponent(job.row.name)}/run-again`, body);
      say(`Created ${row.name}`);
      onClose();
      go(`/jobs/${encodeURIComponent(row.name)}`);
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={`Run ${job.row.name} again`}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" onClick={() => void start()} disabled={isBusy || name === ''}>
            Create the job
          </Button>
        </>
      }
    >
      <label class="field">
        Name
        <input class="input" value={name} maxLength={63} onInput={event => setName(event.currentTarget.value)} />
      </label>
      <div class="two-fields">
        <label class="field">
          Instance type
          <input class="input" value={type} onInput={event => setType(event.currentTarget.value)} />
        </label>
        <label class="field">
          Instances
          <input
            class="input"
            type="number"
            min={1}
            value={instances}
            onInput={event => setInstances(event.currentTarget.valueAsNumber)}
          />
        </label>
      </div>
      <label class="field">
        Maximum run time, in minutes
        <input
          class="input"
          type="number"
          min={1}
          value={minutes}
          onInput={event => setMinutes(event.currentTarget.valueAsNumber)}
        />
      </label>
      <fieldset class="pairs">
        <legend class="field" style={{ marginBottom: '8px' }}>
          Hyperparameters
        </legend>
        {pairs.map(([key, value], i) => (
          <div class="pair" key={i}>
            <input
              class="input mono"
              aria-label="Name of the hyperparameter"
              value={key}
              onInput={event => change(i, [event.currentTarget.value, value])}
            />
            <input
              class="input mono"
              aria-label={`Value of ${key}`}
              value={value}
              onInput={event => change(i, [key, event.currentTarget.value])}
            />
            <button
              type="button"
              class="button"
              data-kind="bare"
              aria-label={`Remove ${key}`}
              onClick={() => setPairs(pairs.filter((_, at) => at !== i))}
            >
              <Icon name="close" />
            </button>
          </div>
        ))}
        <div>
          <Button icon="plus" onClick={() => setPairs([...pairs, ['', '']])}>
            Add
          </Button>
        </div>
      </fieldset>
      {job.environment.length === 0 ? null : (
        <p class="small quiet">
          The environment variables are kept: {job.environment.join(', ')}. Their values are not shown here.
        </p>
      )}
      {error === undefined ? null : <Problem error={error} />}
    </Dialog>
  );
}
