// The simulator behind sliders: what a training takes and costs on machines, before they are rented. The same as `trenio plan`,
// whose command line the page shows.
import { useMemo, useState } from 'preact/hooks';
import { command, get } from '../api.ts';
import { Card, Command, Empty, PageHead, Problem, Segments, Skeleton } from '../components/basics.tsx';
import { PlanResult } from '../components/plan-result.tsx';
import { Slider } from '../components/slider.tsx';
import { count, duration, money } from '../format.ts';
import { useLoaded, useSettled } from '../hooks.ts';
import type { PlanAnswer } from '../plan-answer.ts';

const offered = [
  'trn1.32xlarge',
  'trn1n.32xlarge',
  'trn2.48xlarge',
  'trn2u.48xlarge',
  'p4d.24xlarge',
  'p4de.24xlarge',
  'p5.48xlarge',
  'p5en.48xlarge',
  'g5.48xlarge',
] as const;

const DEADLINES = [0, 1, 2, 4, 8, 12, 24, 48, 96, 168, 336, 720] as const;
const BUDGETS = [0, 100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000] as const;

const SAMPLES = ['', '1kB', '10kB', '100kB', '300kB', '1MB', '3MB', '10MB', '30MB', '100MB', '300MB', '1GB'] as const;
const STORAGES = ['', '1GB/s', '2GB/s', '5GB/s', '10GB/s', '20GB/s', '50GB/s', '200GB/s', '500GB/s'] as const;

export function Plan() {
  const [kind, setKind] = useState<'model' | 'program'>('model');
  const [model, setModel] = useState('llama3-8b');
  const [program, setProgram] = useState('');
  const [machines, setMachines] = useState<readonly string[]>(['trn1.32xlarge', 'trn2.48xlarge', 'p5.48xlarge']);
  const [most, setMost] = useState(5);
  const [amount, setAmount] = useState(10);
  const [batch, setBatch] = useState(0);
  const [search, setSearch] = useState<'off' | 'time' | 'cost'>('off');
  const [deadline, setDeadline] = useState(0);
  const [budget, setBudget] = useState(0);
  const [sample, setSample] = useState(0);
  const [storage, setStorage] = useState(0);
  const { data: models } = useLoaded(signal => get<readonly string[]>('models', signal), []);

  const tokens = 10 ** (amount / 2 + 5);
  const samples = Math.round(10 ** (amount / 4 + 3));
  // The size of a program's samples is not known.
  const readsNothing = kind === 'program' && sample === 0;
  const isAsked = machines.length > 0 && (kind === 'model' || program !== '');
  const words = useMemo(
    () => [
      'plan',
      ...(kind === 'model'
        ? ['--model', model, '--tokens', quantity(tokens)]
        : [program, '--samples', String(samples)]),
      '--on',
      machines.join(','),
      '--nodes',
      most === 0 ? '1' : `1..${2 ** most}`,
      ...(batch === 0 ? [] : ['--global-batch', String(2 ** (batch + 3))]),
      ...(sample === 0 ? [] : ['--sample-bytes', SAMPLES[sample]!]),
      ...(storage === 0 || readsNothing ? [] : ['--storage-bandwidth', STORAGES[storage]!]),
      ...(search === 'off' ? [] : ['--search', '--by', search]),
      ...(deadline === 0 ? [] : ['--deadline', `${DEADLINES[deadline]}h`]),
      ...(budget === 0 ? [] : ['--budget', String(BUDGETS[budget])]),
    ],
    [kind, model, program, machines, most, amount, batch, sample, storage, readsNothing, search, deadline, budget],
  );
  const asked = useSettled(words);
  const { data, error, isLoading } = useLoaded(
    signal => (isAsked ? command<PlanAnswer>(asked, signal) : Promise.resolve(undefined)),
    [asked],
  );
  return (
    <>
      <PageHead title="Plan" note="Time, memory and cost of a training on machines that you have not rented yet" />
      <div class="grid plan-grid">
        <Card>
          <div class="stack">
            <Segments
              label="What is trained"
              choices={[
                { value: 'model', text: 'Model' },
                { value: 'program', text: 'Own program' },
              ]}
              value={kind}
              onChange={setKind}
            />
            {kind === 'model' ? (
              <label class="field">
                Model
                <select class="select" value={model} onChange={event => setModel(event.currentTarget.value)}>
                  {(models ?? [model]).map(name => (
                    <option key={name}>{name}</option>
                  ))}
                </select>
              </label>
            ) : (
              <label class="field">
                StableHLO program
                <input
                  class="input mono"
                  value={program}
                  placeholder="s3://bucket/step.mlir"
                  onChange={event => setProgram(event.currentTarget.value)}
                />
                <span class="hint">
                  An object of this server; one execution is a step. To plan a script, run the command below in a
                  terminal.
                </span>
              </label>
            )}
            <Slider
              name={kind === 'model' ? 'Tokens' : 'Samples'}
              shown={quantity(kind === 'model' ? tokens : samples)}
              value={amount}
              max={kind === 'model' ? 16 : 20}
              onInput={setAmount}
            />
            <fieldset class="field">
              <legend class="field" style={{ marginBottom: '4px' }}>
                Machines
              </legend>
              {offered.map(name => (
                <label key={name} class="check" style={{ fontWeight: 400 }}>
                  <input
                    type="checkbox"
                    checked={machines.includes(name)}
                    onChange={() =>
                      setMachines(machines.includes(name) ? machines.filter(one => one !== name) : [...machines, name])
                    }
                  />
                  {name}
                </label>
              ))}
            </fieldset>
            <Slider name="Nodes, up to" shown={String(2 ** most)} value={most} max={10} onInput={setMost} />
            <Slider
              name="Samples in a step"
              shown={batch === 0 ? 'as usual' : count(2 ** (batch + 3))}
              value={batch}
              max={12}
              onInput={setBatch}
            />
            <Slider
              name="Size of a sample on storage"
              shown={sample > 0 ? spaced(SAMPLES[sample]!) : kind === 'model' ? 'as usual' : 'not counted'}
              value={sample}
              max={SAMPLES.length - 1}
              onInput={setSample}
            />
            {readsNothing ? null : (
              <Slider
                name="Storage bandwidth"
                shown={storage === 0 ? '100 GB/s' : spaced(STORAGES[storage]!)}
                value={storage}
                max={STORAGES.length - 1}
                onInput={setStorage}
              />
            )}
            <div class="field">
              Layouts
              <Segments
                label="Layouts"
                choices={[
                  { value: 'off', text: 'Published' },
                  { value: 'time', text: 'Fastest' },
                  { value: 'cost', text: 'Cheapest' },
                ]}
                value={search}
                onChange={setSearch}
              />
            </div>
            <Slider
              name="Deadline"
              shown={deadline === 0 ? 'none' : duration(DEADLINES[deadline]! * 3_600_000)}
              value={deadline}
              max={DEADLINES.length - 1}
              onInput={setDeadline}
            />
            <Slider
              name="Budget"
              shown={budget === 0 ? 'none' : money(BUDGETS[budget]!)}
              value={budget}
              max={BUDGETS.length - 1}
              onInput={setBudget}
            />
          </div>
        </Card>
        <div class="stack" aria-busy={isLoading} style={{ opacity: isLoading && data !== undefined ? 0.6 : 1 }}>
          {error === undefined ? null : <Problem error={error} />}
          {kind === 'program' && program === '' ? (
            <Card>
              <Empty title="Choose a program">Enter the address of a StableHLO program in the object store.</Empty>
            </Card>
          ) : machines.length === 0 ? (
            <Card>
              <Empty title="Choose a machine">Tick one or more machines to compare them.</Empty>
            </Card>
          ) : data === undefined ? (
            error === undefined ? (
              <Skeleton lines={8} />
            ) : null
          ) : (
            <PlanResult plan={data} />
          )}
          <Card title="The same in a shell">
            <Command text={['trenio', ...words].join(' ')} />
          </Card>
        </div>
      </div>
    </>
  );
}

/** `10kB` as `10 kB`. */
const spaced = (text: string): string => text.replace(/\d+/, '$& ');

/** `300B`, as `trenio plan` reads it. */
function quantity(number: number): string {
  for (const [size, unit] of [
    [1e12, 'T'],
    [1e9, 'B'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const)
    if (number >= size) return `${Number((number / size).toPrecision(2))}${unit}`;
  return String(Math.round(number));
}
