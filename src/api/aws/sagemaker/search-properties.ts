// The properties of a training job, or of another record, that Search supports: `TrainingJobName`,
// `ResourceConfig.InstanceType`, `Metrics.loss`, `HyperParameters.lr`, `Tags.team`. Names and types are derived from
// the shape of SageMaker's responses.
import { AwsError } from '../aws-error.ts';
import { sagemaker } from '../models/sagemaker.ts';
import type { Shape } from '../models/service-model.ts';

/** `decimal`: text that may be a number, such as a hyperparameter. `group`: has members but no value. */
export type PropertyKind = 'text' | 'decimal' | 'number' | 'time' | 'boolean' | 'group';

export interface Property {
  readonly name: string;
  readonly kind: PropertyKind;
  /** The values of the property in a record, or in a part of one: several if the path contains lists, none if it is absent. */
  read(record: unknown): readonly unknown[];
}

const { shapes } = sagemaker;
/** The shape of the searched records. */
export type SearchRoot = 'TrainingJob' | 'Experiment' | 'Trial' | 'TrialComponent';

/** @throws {AwsError} ValidationException for a name that training jobs do not have */
export function propertyOf(root: SearchRoot, name: string): Property {
  if (root === 'TrialComponent') {
    const special = componentProperty(name);
    if (special !== undefined) return special;
  }
  const [, group, key = ''] = /^(Metrics|HyperParameters|Tags)\.(.+)$/s.exec(name) ?? [];
  switch (group) {
    case 'Metrics':
      return { name, kind: 'number', read: record => named(record, 'FinalMetricDataList', 'MetricName', key) };
    case 'Tags':
      return { name, kind: 'text', read: record => named(record, 'Tags', 'Key', key) };
    case 'HyperParameters':
      return { name, kind: 'decimal', read: record => [...valuesAt(record, ['HyperParameters', key])] };
    default: {
      const { path, kind } = memberOf(root, name);
      return { name, kind, read: record => [...valuesAt(record, path)] };
    }
  }
}

/** `Parameters.lr` and `Metrics.loss.min`, which are not members of a member; and the trials that a component belongs to. */
function componentProperty(name: string): Property | undefined {
  const [, parameter] = /^Parameters\.(.+)$/s.exec(name) ?? [];
  if (parameter !== undefined)
    return {
      name,
      kind: 'decimal',
      read: record =>
        [...valuesAt(record, ['Parameters', parameter])].flatMap(one =>
          Object.values(one as Readonly<Record<string, string | number>>).map(String),
        ),
    };
  const [, metric = '', statistic = ''] = /^Metrics\.(.+)\.(max|min|last|count|avg|stddev)$/is.exec(name) ?? [];
  if (metric === '') return undefined;
  const member = statisticMembers.find(one => one.toLowerCase() === statistic.toLowerCase())!;
  return { name, kind: 'number', read: record => named(record, 'Metrics', 'MetricName', metric, member) };
}

const statisticMembers = ['Max', 'Min', 'Last', 'Count', 'Avg', 'StdDev'];

/** The objects of a nested property, such as the channels of `InputDataConfig`, and a named property in each of them. */
export function nestedProperty(
  root: SearchRoot,
  outer: string,
): {
  readonly read: (record: unknown) => readonly unknown[];
  readonly inner: (name: string) => Property;
} {
  const { path, kind } = memberOf(root, outer);
  if (kind !== 'group') throw invalid(`NestedPropertyName '${outer}' is not a list of objects.`);
  return {
    read: record => [...valuesAt(record, path)],
    inner: name => {
      if (!name.startsWith(`${outer}.`))
        throw invalid(`The nested filter '${name}' does not begin with its NestedPropertyName '${outer}'.`);
      const rest = name.slice(outer.length + 1).split('.');
      return { name, kind: memberOf(root, name).kind, read: object => [...valuesAt(object, rest)] };
    },
  };
}

function memberOf(root: SearchRoot, name: string): { readonly path: readonly string[]; readonly kind: PropertyKind } {
  const unknown = (): AwsError => invalid(`Unknown property name: ${name}`);
  const parts = name.split('.');
  const path: string[] = [];
  let shape = itemOf(shapes[root]!);
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]!;
    if (shape.type === 'map') {
      // Keys may contain dots.
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
const named = (
  record: unknown,
  list: string,
  nameMember: string,
  name: string,
  valueMember = 'Value',
): readonly unknown[] =>
  [...valuesAt(record, [list])].flatMap(item =>
    [...valuesAt(item, [nameMember])].includes(name) ? [...valuesAt(item, [valueMember])] : [],
  );

export const invalid = (message: string): AwsError => new AwsError('ValidationException', message);
