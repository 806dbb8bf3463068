// The classes of a classifier in `config.json`: their number, and the names that go with the numbers.
import * as z from 'zod';
import type { TrenioError } from '../base/errors.ts';
import { size } from './config-file.ts';

/** The fields of config.json. */
export const labelFields = {
  /** The number of classes. */
  num_labels: size.labels.optional(),
  /** The name of each class number. */
  id2label: z.record(z.string().regex(/^\d+$/, 'keys are class numbers'), z.string()).optional(),
  /** The class number of each name. */
  label2id: z.record(z.string(), z.int().min(0)).optional(),
} as const;

/** The classes, complete. */
export interface Labels {
  /** The number of classes. */
  readonly num_labels: number;
  /** Class number, as a string, → name. */
  readonly id2label: Readonly<Record<string, string>>;
  /** The class number of each name. */
  readonly label2id: Readonly<Record<string, number>>;
}

/** The fields of a configuration that define them. */
export interface LabelFields {
  readonly num_labels?: number | undefined;
  readonly id2label?: Readonly<Record<string, string>> | undefined;
  readonly label2id?: Readonly<Record<string, number>> | undefined;
}

/**
 * The classes, from the first of these that is present: `id2label`, `label2id`, `num_labels`; by default,
 * two classes.
 */
export function labelsOf(config: LabelFields, fail: (field: string, problem: string) => TrenioError): Labels {
  const { num_labels } = config;
  const id2label = config.id2label ?? inverse(config.label2id);
  const n = id2label === undefined ? (num_labels ?? 2) : Object.keys(id2label).length;
  if (n === 0) throw fail('id2label', 'there are no classes');
  if (num_labels !== undefined && num_labels !== n)
    throw fail('num_labels', `it is ${num_labels}, id2label has ${n} classes`);
  const names = id2label ?? Object.fromEntries(Array.from({ length: n }, (_, i) => [String(i), `LABEL_${i}`]));
  for (let i = 0; i < n; i++) if (names[i] === undefined) throw fail('id2label', `class ${i} of ${n} has no name`);
  const ids = Object.fromEntries(Object.entries(names).map(([id, name]) => [name, Number(id)]));
  return { num_labels: n, id2label: names, label2id: ids };
}

const inverse = (label2id: Readonly<Record<string, number>> | undefined): Record<string, string> | undefined =>
  label2id && Object.fromEntries(Object.entries(label2id).map(([name, id]) => [String(id), name]));

/** With another number of labels, the names of the old ones are dropped. */
export function withLabels<T extends LabelFields>(config: T, given: LabelFields): T {
  if (given.num_labels === undefined || given.id2label !== undefined) return config;
  const { id2label: _, label2id: __, ...rest } = config;
  return rest as T;
}
