// Writes src/api/aws/models/SERVICE.json: the members, types and limits of the operations that the server answers, one shape per
// line; and instance-types.ts, for editors. They come from the public service models of the AWS clients (botocore, Apache-2.0).
//
//   node scripts/write-aws-models.ts BOTOCORE_DATA_FOLDER
//
// The folder is botocore/data of an installed botocore. Only facts are kept: no documentation.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { operationsByService } from '../src/api/aws/models/operations.ts';
import type { Shape } from '../src/api/aws/models/service-model.ts';

const reference = z.object({ shape: z.string() });
const sourceShape = z.object({
  type: z.enum([
    'structure',
    'list',
    'map',
    'string',
    'integer',
    'long',
    'float',
    'double',
    'boolean',
    'timestamp',
    'blob',
  ]),
  members: z.record(z.string(), reference).optional(),
  member: reference.optional(),
  key: reference.optional(),
  value: reference.optional(),
  required: z.array(z.string()).optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  pattern: z.string().optional(),
  enum: z.array(z.string()).optional(),
});
const source = z.object({
  metadata: z.object({ apiVersion: z.string(), targetPrefix: z.string().optional() }),
  operations: z.record(z.string(), z.object({ input: reference.optional(), output: reference.optional() })),
  shapes: z.record(z.string(), sourceShape),
});
type Source = z.infer<typeof source>;

function readSource(folder: string, service: string): Source {
  const versions = readdirSync(join(folder, service)).sort();
  const path = join(folder, service, versions.at(-1)!, 'service-2.json');
  const text = existsSync(path) ? readFileSync(path) : gunzipSync(readFileSync(`${path}.gz`));
  return source.parse(JSON.parse(text.toString()));
}

/** Records that Search finds: their shapes belong to no input. */
const searched: Readonly<Record<string, readonly string[]>> = {
  sagemaker: ['TrainingJob', 'Experiment', 'Trial', 'TrialComponent'],
};
/** The members of such records that the server returns; those not listed here have all members. */
const keptMembers: Readonly<Record<string, readonly string[]>> = {
  TrialComponent: [
    ...['TrialComponentName', 'TrialComponentArn', 'DisplayName', 'Source', 'Status', 'StartTime', 'EndTime'],
    ...[
      'CreationTime',
      'LastModifiedTime',
      'Parameters',
      'InputArtifacts',
      'OutputArtifacts',
      'Metrics',
      'Tags',
      'Parents',
    ],
  ],
  Trial: ['TrialName', 'TrialArn', 'DisplayName', 'ExperimentName', 'CreationTime', 'LastModifiedTime', 'Tags'],
};

/** Undefined fields are omitted from JSON. */
function compact(shape: z.infer<typeof sourceShape>): Shape {
  const { type, members, member, key, value, required = [], min, max, pattern } = shape;
  const limits = { min, max };
  switch (type) {
    case 'structure':
      return {
        type,
        members: Object.fromEntries(Object.entries(members!).map(([name, to]) => [name, to.shape])),
        required,
      };
    case 'list':
      return { type, of: member!.shape, ...limits };
    case 'map':
      return { type, key: key!.shape, value: value!.shape, ...limits };
    case 'string':
      return { type, ...limits, pattern, enum: shape.enum };
    case 'integer':
    case 'long':
    case 'float':
    case 'double':
      return { type, ...limits };
    case 'boolean':
    case 'timestamp':
    case 'blob':
      return { type };
  }
}

const referencesOf = (shape: Shape): readonly string[] => {
  switch (shape.type) {
    case 'structure':
      return Object.values(shape.members);
    case 'list':
      return [shape.of];
    case 'map':
      return [shape.key, shape.value];
    default:
      return [];
  }
};

const models = join(import.meta.dirname, '../src/api/aws/models');
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: node scripts/write-aws-models.ts BOTOCORE_DATA_FOLDER');
for (const [service, names] of Object.entries(operationsByService)) {
  const { metadata, operations, shapes } = readSource(folder, service);
  const collect = (kept: Map<string, Shape>, name: string, limit: (shape: Shape) => Shape): void => {
    if (kept.has(name)) return;
    const all = limit(compact(shapes[name]!));
    const shape =
      all.type === 'structure' && name in keptMembers
        ? { ...all, members: Object.fromEntries(keptMembers[name]!.map(member => [member, all.members[member]!])) }
        : all;
    kept.set(name, shape);
    for (const next of referencesOf(shape)) collect(kept, next, limit);
  };
  const kept = new Map<string, Shape>();
  const inputs = names.map(name => [name, operations[name]!.input?.shape ?? null] as const);
  for (const [, shape] of inputs) if (shape !== null) collect(kept, shape, shape => shape);
  for (const name of searched[service] ?? []) collect(kept, name, unlimited);
  const lines = (entries: Iterable<readonly [string, unknown]>): string =>
    [...entries].map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`).join(',\n');
  const { apiVersion: version, targetPrefix } = metadata;
  const head = lines(Object.entries({ version, targetPrefix }).filter(([, value]) => value !== undefined));
  const shapeLines = lines([...kept].sort(([a], [b]) => (a < b ? -1 : 1)));
  const text = `{${head},\n"operations": {\n${lines(inputs)}\n},\n"shapes": {\n${shapeLines}\n}}\n`;
  writeFileSync(join(models, `${service}.json`), text);
}

const { shapes } = readSource(folder, 'sagemaker');
const perLine = 6;
const union = (name: string, shape: string, what: string): string => {
  const families = Object.values(Object.groupBy(shapes[shape]!.enum!, type => type.split('.')[1]!));
  const lines = families.flatMap(types =>
    Array.from({ length: Math.ceil(types!.length / perLine) }, (_, i) =>
      ['', ...types!.slice(i * perLine, (i + 1) * perLine).map(type => `'${type}'`)].join(' | '),
    ),
  );
  return `/** ${what} */\n// biome-ignore format: a family a line\nexport type ${name} =\n${lines.map(line => ` ${line}`).join('\n')};\n`;
};
writeFileSync(
  join(models, 'instance-types.ts'),
  [
    '// Instance types of SageMaker, for editors.\n// Written by scripts/write-aws-models.ts; not edited by hand.\n',
    union(
      'TrainingInstanceType',
      'TrainingInstanceType',
      'The instance types that training jobs can have, such as `ml.trn1.32xlarge`.',
    ),
    union(
      'EndpointInstanceType',
      'ProductionVariantInstanceType',
      'The instance types that endpoints can have, such as `ml.c5.xlarge`.',
    ),
  ].join('\n'),
);

/** Limits apply to inputs only. */
function unlimited(shape: Shape): Shape {
  switch (shape.type) {
    case 'list':
      return { type: shape.type, of: shape.of };
    case 'map':
      return { type: shape.type, key: shape.key, value: shape.value };
    case 'string':
      return { type: shape.type, enum: shape.enum };
    case 'integer':
    case 'long':
    case 'float':
    case 'double':
      return { type: shape.type };
    default:
      return shape;
  }
}
