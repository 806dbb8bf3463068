// A run in TensorBoard's HParams tab: its hyperparameters, and the names of its metrics.
import { TrenioError } from '../base/errors.ts';
import { userLocation } from '../tensor/location.ts';
import { Message, type SummaryValue } from './messages.ts';

/** A hyperparameter. */
export type Hyperparameter = number | string | boolean | null;

const dataTypes = { string: 1, boolean: 2, number: 3 } as const;
const success = 1;

/** The three summaries that the tab needs. */
export function hparamsSummaries(
  hparams: Readonly<Record<string, Hyperparameter>>,
  metrics: readonly string[],
  domains: Readonly<Record<string, readonly Hyperparameter[]>>,
): readonly SummaryValue[] {
  for (const [name, values] of Object.entries(domains)) {
    const expected = `an array of ${typeof hparams[name]}s, and ${name} one of the hyperparameters`;
    if (!Object.hasOwn(hparams, name) || !values.every(value => typeof value === typeof hparams[name]))
      throw new TrenioError(
        'INVALID_OPTION',
        { what: 'addHparams', option: `hparamDomainDiscrete.${name}`, got: JSON.stringify(values), expected },
        { location: userLocation() },
      );
  }
  const given = Object.entries(hparams).filter(
    (entry): entry is [string, number | string | boolean] => entry[1] !== null,
  );
  const experiment = new Message();
  const start = new Message();
  for (const [name, value] of given) {
    start.message(1, new Message().string(1, name).message(2, valueMessage(value)));
    const info = new Message().string(1, name).int(4, dataTypes[typeof value as keyof typeof dataTypes]);
    const domain = domains[name];
    if (domain !== undefined) {
      const list = new Message();
      for (const one of domain) if (one !== null) list.message(1, valueMessage(one));
      info.message(5, list);
    }
    experiment.message(4, info);
  }
  for (const tag of metrics) experiment.message(5, new Message().message(1, new Message().string(2, tag)));
  const summary = (tag: string, field: number, message: Message): SummaryValue => ({
    tag: `_hparams_/${tag}`,
    content: { kind: 'none' },
    plugin: { name: 'hparams', content: new Message().message(field, message).finish() },
  });
  return [
    summary('experiment', 2, experiment),
    summary('session_start_info', 3, start),
    summary('session_end_info', 4, new Message().int(1, success)),
  ];
}

/** `google.protobuf.Value`. */
function valueMessage(value: number | string | boolean): Message {
  if (typeof value === 'number') return new Message().double(2, value, true);
  if (typeof value === 'string') return new Message().string(3, value, true);
  return new Message().bool(4, value, true);
}
