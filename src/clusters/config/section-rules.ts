// Rules for every section of a kind, at any position: mutually exclusive keys, and tags.
import type { Rule } from './rule.ts';
import { repeated } from './rule.ts';

type Section = Readonly<Record<string, unknown>>;

const isSection = (value: unknown): value is Section =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** All sections of a value, with their paths. */
function* sections(value: unknown, path: string): Generator<readonly [string, Section]> {
  if (Array.isArray(value)) for (const [i, item] of value.entries()) yield* sections(item, `${path}[${i}]`);
  if (!isSection(value)) return;
  yield [path, value];
  for (const [key, inner] of Object.entries(value)) yield* sections(inner, path === '' ? key : `${path}.${key}`);
}

const isGiven = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  value !== false &&
  value !== '' &&
  !(Array.isArray(value) && value.length === 0);

/** At most one key of each group in a section. */
const exclusive: readonly (readonly string[])[] = [
  ['SecurityGroups', 'AdditionalSecurityGroups'],
  ['InstanceRole', 'InstanceProfile', 'AdditionalIamPolicies'],
  ['InstanceRole', 'S3Access'],
  ['InstanceProfile', 'S3Access'],
  ['InstanceType', 'Instances'],
  ['CustomSlurmSettings', 'CustomSlurmSettingsIncludeFile'],
  ['AwsBatchSettings', 'SlurmSettings'],
];

const RESERVED_TAG = 'parallelcluster:';
const MAX_TAGS = 40;

export const sectionRules: readonly Rule[] = [
  {
    type: 'ConfigSchemaValidator',
    *check(file) {
      for (const [path, section] of sections(file, ''))
        for (const keys of exclusive) {
          const given = keys.filter(key => isGiven(section[key]));
          if (given.length > 1)
            yield { path, message: `has ${given.join(' and ')}, which exclude each other: keep one` };
        }
    },
  },
  {
    type: 'ConfigSchemaValidator',
    *check(file) {
      for (const [path, { CapacityReservationTarget: target }] of sections(file, '')) {
        if (!isSection(target)) continue;
        const given = ['CapacityReservationId', 'CapacityReservationResourceGroupArn'].filter(key =>
          isGiven(target[key]),
        );
        if (given.length !== 1)
          yield {
            path: `${path}.CapacityReservationTarget`,
            message: 'needs either CapacityReservationId or CapacityReservationResourceGroupArn',
          };
      }
    },
  },
  {
    type: 'ConfigSchemaValidator',
    *check(file) {
      for (const [path, { CustomActions: actions }] of sections(file, ''))
        if (isSection(actions))
          for (const [event, action] of Object.entries(actions))
            if (isSection(action) && isGiven(action.Script) === isGiven(action.Sequence))
              yield { path: `${path}.CustomActions.${event}`, message: 'needs either Script or Sequence' };
    },
  },
  {
    type: 'ConfigSchemaValidator',
    *check(file) {
      for (const [path, { Tags: tags }] of sections(file, '')) {
        if (!Array.isArray(tags)) continue;
        const at = path === '' ? 'Tags' : `${path}.Tags`;
        const keys = tags.filter(isSection).map(({ Key }) => String(Key));
        if (keys.length > MAX_TAGS)
          yield { path: at, message: `has ${keys.length} tags, expected at most ${MAX_TAGS}` };
        for (const key of repeated(keys)) yield { path: at, message: `has the key ${key} more than once` };
        for (const key of keys)
          if (key.startsWith(RESERVED_TAG) && key !== `${RESERVED_TAG}custom_resource`)
            yield { path: at, message: `has the key ${key}: the prefix ${RESERVED_TAG} is reserved` };
      }
    },
  },
];
