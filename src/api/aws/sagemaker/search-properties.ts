// The properties of a training job that Search can name: `TrainingJobName`, `ResourceConfig.InstanceType`, `Metrics.loss`,
// `HyperParameters.lr`, `Tags.team`. Which there are, and their types, follow from the shape of SageMaker's answers.
import { AwsError } from '../aws-error.ts';
import { sagemaker } from '../models/sagemaker.ts';
import { sagemakerAnswers } from '../models/sagemaker-answers.ts';
import type { Shape } from '../models/service-model.ts';

/** `decimal`: text that may be a number, such as a hyperparameter. `group`: has members, and no value of its own. */
export type PropertyKind = 'text' | 'decimal' | 'number' | 'time' | 'boolean' | 'group';

export interface Property {
  readonly name: string;
  readonly kind: PropertyKind;
  /** Its values in a record, or in a part of one: several where lists are on the way, none if it is absent. */
  read(record: unknown): readonly unknown[];
}

const shapes: Readonly<Record<string, Shape>> = { ...sagemaker.shapes, ...sagemakerAnswers.shapes };
const ROOT = 'TrainingJob';

/** @throws {AwsError} ValidationException for a name that training jobs do not have */
export function propertyOf(name: string): Property {
  const [, group, key = ''] = /^(Metrics|HyperParameters|Tags)\.(.+)$/s.exec(name) ?? [];
  switch (group) {
    case 'Metrics':
      return { name, kind: 'number', read: record => named(record, 'FinalMetricDataList', 'MetricName', key) };
    case 'Tags':
      return { name, kind: 'text', read: record => named(record, 'Tags', 'Key', key) };
    case 'HyperParameters':
      return { name, kind: 'decimal', read: record => [...valuesAt(record, ['HyperParameters', key])] };
    default: {
      const { path, kind } = memberOf(name);
      return { name, kind, read: record => [...valuesAt(record, path)] };
    }
  }
}

/** The objects of a nested property, such as the channels of `InputDataConfig`, and the property of a name in each of them. */
export function nestedProperty(outer: string): {
  readonly read: (record: unknown) => readonly unknown[];
  readonly inner: (name: string) => Property;
} {
  const { path, kind } = memberOf(outer);
  if (kind !== 'group') throw invalid(`NestedPropertyName '${outer}' is not a list of objects.`);
  return {
    read: record => [...valuesAt(record, path)],
    inner: name => {
      if (!name.startsWith(`${outer}.`))
        throw invalid(`The nested filter '${name}' does not begin with its NestedPropertyName '${outer}'.`);
      const rest = name.slice(outer.length + 1).split('.');
      return { name, kind: memberOf(name).kind, read: object => [...valuesAt(object, rest)] };
    },
  };
}

function memberOf(name: string): { readonly path: readonly string[]; readonly kind: PropertyKind } {
  const unknown = (): AwsError => invalid(`Unknown property name: ${name}`);
  const parts = name.split('.');
  const path: string[] = [];
  let shape = itemOf(shapes[ROOT]!);
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]!;
    if (shape.type === 'map') {
      // A key may have dots.
      path.push(parts.slice(i).join('.'));
      return { path, kind: kindOf(itemOf(shapes[shape.value]!)) };
    }
    if (shape.type !== 'structure' || !Object.hasOwn(shape.members, part)) throw unknown();
    path.push(part);
    shape = itemOf(shapes[shape.members[part]!]!);
  }
  return { path, kind: kindOf(shape) };
}

/** The element shape of a list, however deeply nested. */
const itemOf = (shape: Shape): Shape => (shape.type === 'list' ? itemOf(shapes[shape.of]!) : shape);

function kindOf({ type }: Shape): PropertyKind {
  switch (type) {
    case 'structure':
    case 'map':
    case 'list':
      return 'group';
    case 'integer':
    case 'long':
    case 'float':
    case 'double':
      return 'number';
    case 'timestamp':
      return 'time';
    case 'boolean':
      return 'boolean';
    case 'string':
    case 'blob':
      return 'text';
  }
}

function* valuesAt(value: unknown, path: readonly string[]): Generator<unknown> {
  if (value === undefined || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) yield* valuesAt(item, path);
    return;
  }
  const [first, ...rest] = path;
  if (first === undefined) yield value;
  else if (typeof value === 'object' && Object.hasOwn(value, first))
    yield* valuesAt((value as Readonly<Record<string, unknown>>)[first], rest);
}

/** The values of the items of a list that have this name. */
const named = (record: unknown, list: string, nameMember: string, name: string): readonly unknown[] =>
  [...valuesAt(record, [list])].flatMap(item =>
    [...valuesAt(item, [nameMember])].includes(name) ? [...valuesAt(item, ['Value'])] : [],
  );

export const invalid = (message: string): AwsError => new AwsError('ValidationException', message);
