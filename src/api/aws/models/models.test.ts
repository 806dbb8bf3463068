// The models in JSON files are complete: shapes have the expected members, and all that they name exist.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { applicationAutoscaling } from './application-autoscaling.ts';
import { logs } from './logs.ts';
import { operationsByService } from './operations.ts';
import { sagemaker } from './sagemaker.ts';
import { sagemakerMetrics } from './sagemaker-metrics.ts';

const limits = { min: z.number().optional(), max: z.number().optional() };
const shape = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('structure'),
    members: z.record(z.string(), z.string()),
    required: z.array(z.string()),
  }),
  z.strictObject({ type: z.literal('list'), of: z.string(), ...limits }),
  z.strictObject({ type: z.literal('map'), key: z.string(), value: z.string(), ...limits }),
  z.strictObject({
    type: z.literal('string'),
    ...limits,
    pattern: z.string().optional(),
    enum: z.array(z.string()).optional(),
  }),
  z.strictObject({ type: z.enum(['integer', 'long', 'float', 'double']), ...limits }),
  z.strictObject({ type: z.enum(['boolean', 'timestamp', 'blob']) }),
]);
const model = z.strictObject({
  version: z.iso.date(),
  targetPrefix: z.string().optional(),
  operations: z.record(z.string(), z.string().nullable()),
  shapes: z.record(z.string(), shape),
});

const models = {
  sagemaker,
  logs,
  'sagemaker-metrics': sagemakerMetrics,
  'application-autoscaling': applicationAutoscaling,
};

test.each(Object.entries(models))('%s', (name, data) => {
  const { operations, shapes } = model.parse(data);
  expect(Object.keys(operations)).toEqual(operationsByService[name as keyof typeof models]);
  const named = Object.values(shapes).flatMap(one => {
    if (one.type === 'structure') return Object.values(one.members);
    if (one.type === 'list') return [one.of];
    return one.type === 'map' ? [one.key, one.value] : [];
  });
  const missing = [...named, ...Object.values(operations)].filter(one => one !== null && !(one in shapes));
  expect(missing).toEqual([]);
  for (const one of Object.values(shapes))
    if (one.type === 'structure') expect(Object.keys(one.members)).toEqual(expect.arrayContaining(one.required));
});
