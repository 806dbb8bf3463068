// Writes src/api/aws/models/SERVICE.ts: the members, types and limits of the operations that the server answers, and
// SERVICE-answers.ts: the types of their answers, for clients. instance-types.ts has those that an editor completes.
// They come from the public service models that the AWS clients ship (botocore, Apache-2.0).
//
//   node scripts/write-aws-models.ts BOTOCORE_DATA_FOLDER
//
// The folder is botocore/data of an installed botocore. Only facts are kept: no documentation.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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

/** The members of responses that the server returns; responses that are not listed here have all members. */
const keptMembers: Readonly<Record<string, readonly string[]>> = {
  SearchRecord: ['TrainingJob', 'Experiment', 'Trial', 'TrialComponent'],
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

const camelCase = (name: string): string => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

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

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: node scripts/write-aws-models.ts BOTOCORE_DATA_FOLDER');
for (const [service, names] of Object.entries(operationsByService)) {
  const { metadata, operations, shapes } = readSource(folder, service);
  const collect = (kept: Map<string, Shape>, name: string, isNeeded: (name: string) => boolean): void => {
    if (kept.has(name) || !isNeeded(name)) return;
    const all = compact(shapes[name]!);
    const shape =
      all.type === 'structure' && name in keptMembers
        ? { ...all, members: Object.fromEntries(keptMembers[name]!.map(member => [member, all.members[member]!])) }
        : all;
    kept.set(name, shape);
    for (const next of referencesOf(shape)) collect(kept, next, isNeeded);
  };
  const [sent, answered] = [new Map<string, Shape>(), new Map<string, Shape>()];
  for (const name of names) {
    const { input } = operations[name]!;
    if (input !== undefined) collect(sent, input.shape, () => true);
  }
  for (const name of names) {
    const { output } = operations[name]!;
    if (output !== undefined) collect(answered, output.shape, next => !sent.has(next));
  }
  const shapeOf = (direction: 'input' | 'output') =>
    Object.fromEntries(names.map(name => [name, operations[name]![direction]?.shape ?? null]));
  const sorted = (kept: ReadonlyMap<string, Shape>) =>
    Object.fromEntries([...kept].sort(([a], [b]) => (a < b ? -1 : 1)));
  write(
    service,
    `Members, types and limits of ${service}.`,
    `export const ${camelCase(service)} = ${json({
      version: metadata.apiVersion,
      targetPrefix: metadata.targetPrefix,
      operations: shapeOf('input'),
      shapes: sorted(sent),
    })} as const satisfies ServiceModel;`,
  );
  write(
    `${service}-answers`,
    `Members and types of ${service}'s responses that do not occur in its inputs.`,
    `export const ${camelCase(service)}Answers = ${json({
      operations: shapeOf('output'),
      shapes: Object.fromEntries(Object.entries(sorted(answered)).map(([name, shape]) => [name, unlimited(shape)])),
    })} as const satisfies AnswerModel;`,
  );
}

{
  const { shapes } = readSource(folder, 'sagemaker');
  const union = (name: string, shape: string, what: string): string =>
    `/** ${what} */\nexport type ${name} =\n${shapes[shape]!.enum!.map(value => `  | '${value}'`).join('\n')};`;
  write(
    'instance-types',
    'Instance types of SageMaker.',
    [
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
    ].join('\n\n'),
  );
}

/** Limits apply to inputs only; responses are not checked. */
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

function write(name: string, what: string, code: string): void {
  const kind = /(?:AnswerModel|ServiceModel);$/.exec(code)?.[0].slice(0, -1);
  const head = [
    `// ${what}`,
    '// Written by scripts/write-aws-models.ts; not edited by hand.',
    ...(kind === undefined ? [] : [`import type { ${kind} } from './service-model.ts';`]),
  ].join('\n');
  const path = fileURLToPath(new URL(`../src/api/aws/models/${name}.ts`, import.meta.url));
  writeFileSync(path, `${head}\n\n${code}\n`);
  execFileSync('biome', ['check', '--write', path]);
}

function json(value: unknown): string {
  return JSON.stringify(value, undefined, 1);
}
