// Each member of each operation works, is refused, or is listed as having no effect.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { applicationAutoscaling } from './application-autoscaling.ts';
import { logs } from './logs.ts';
import { memberEffects, refuseMembers, withoutEffect } from './member-effects.ts';
import { sagemaker } from './sagemaker.ts';
import { sagemakerMetrics } from './sagemaker-metrics.ts';
import type { ServiceModel } from './service-model.ts';

const services: readonly (readonly [name: string, model: ServiceModel, folder: string])[] = [
  ['sagemaker', sagemaker, 'sagemaker'],
  ['logs', logs, 'logs'],
  ['application-autoscaling', applicationAutoscaling, 'autoscaling'],
  ['sagemaker-metrics', sagemakerMetrics, 'metrics'],
];

/** Structures that are stored and returned as they are. */
const stored: ReadonlySet<string> = new Set(['MetadataProperties', 'TrialComponentArtifact']);

interface Reached {
  readonly member: string;
  /** `Structure.Member`. */
  readonly key: string;
  /** An input of the operation with this member only. */
  readonly operation: string;
  readonly inputOf: (value: unknown) => unknown;
  readonly shape: string;
}

/** The members of all inputs; those of listed members are not reached. */
function reached(name: string, model: ServiceModel): readonly Reached[] {
  const found = new Map<string, Reached>();
  const visit = (operation: string, shapeName: string, wrap: (value: unknown) => unknown): void => {
    const shape = model.shapes[shapeName];
    if (shape?.type === 'list') visit(operation, shape.of, value => wrap([value]));
    if (shape?.type === 'map') visit(operation, shape.value, value => wrap({ key: value }));
    if (shape?.type !== 'structure') return;
    for (const [member, of] of Object.entries(shape.members)) {
      const key = `${shapeName}.${member}`;
      if (found.has(key)) continue;
      const inputOf = (value: unknown): unknown => wrap({ [member]: value });
      found.set(key, { member, key, operation, inputOf, shape: of });
      if (memberEffects[name]?.[key] === undefined) visit(operation, of, inputOf);
    }
  };
  for (const [operation, input] of Object.entries(model.operations))
    if (input !== null) visit(operation, input, value => value);
  return [...found.values()];
}

test.each(services)('%s: each member is in the code of the service, or listed', (name, model, folder) => {
  const sources = globSync(join(import.meta.dirname, '..', folder, '*.ts')).filter(
    file => !/\.test(?:ing)?\.ts$/.test(file),
  );
  const words = new Set(sources.flatMap(file => readFileSync(file, 'utf8').match(/\w+/g) ?? []));
  const unknown = reached(name, model).filter(
    ({ member, key }) =>
      !words.has(member) && !stored.has(key.split('.')[0]!) && memberEffects[name]?.[key] === undefined,
  );
  expect(unknown.map(({ key }) => key)).toEqual([]);
});

test.each(services)('%s: each listed member exists, and those to be refused are refused', (name, model) => {
  const members = new Map(reached(name, model).map(one => [one.key, one]));
  const sample = { list: ['x'], map: { x: 'x' }, structure: { x: 'x' }, boolean: true } as const;
  for (const [key, { kind }] of Object.entries(memberEffects[name]!)) {
    const found = members.get(key);
    expect(found, key).toBeDefined();
    const { operation, inputOf, shape, member } = found!;
    const { type } = model.shapes[shape]!;
    const input = inputOf((sample as Readonly<Record<string, unknown>>)[type] ?? 'x');
    const refuse = (): void => refuseMembers(name, model, operation, input);
    if (kind === 'refused') expect(refuse, key).toThrow(`${member} is not supported by this server.`);
    else expect(refuse, key).not.toThrow();
    expect(withoutEffect(name, model, operation, input), key).toEqual(kind === 'none' ? [member] : []);
  }
});

test('defaults that clients send are accepted', () => {
  const input = { DebugRuleConfigurations: [], InputDataConfig: [{ RecordWrapperType: 'None' }] };
  expect(() => refuseMembers('sagemaker', sagemaker, 'CreateTrainingJob', input)).not.toThrow();
});
