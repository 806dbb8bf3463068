// The policy of an upload by a form: what its signer allows the fields and the file to be.
// https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-HTTPPOSTConstructPolicy.html
import { z } from 'zod';
import { AwsError } from '../aws-error.ts';
import type { PostForm } from '../post-form.ts';

const text = z.union([z.string(), z.number()]).transform(String);
const bytes = z.union([z.number(), z.string().regex(/^\d+$/).transform(Number)]);
const policySchema = z.object({
  expiration: z.iso.datetime({ offset: true }),
  conditions: z.array(
    z.union([
      z.tuple([z.stringFormat('operator', /^content-length-range$/i), bytes, bytes]),
      z.tuple([z.stringFormat('operator', /^(?:eq|starts-with)$/i), z.string().startsWith('$'), text]),
      z.record(z.string(), text),
    ]),
  ),
});

/** The sizes that the file may have, both inclusive. */
export interface FileSizes {
  readonly min: number;
  readonly max: number;
}

/** Fields that need no condition. */
const FREE = /^(?:x-amz-signature|signature|awsaccesskeyid|policy|bucket|x-ignore-.*)$/;

/**
 * Checks a form against the policy that was signed.
 * @param policy base64 of JSON
 * @param fields with the key as it will be stored, and the bucket
 * @throws {AwsError} InvalidPolicyDocument, AccessDenied
 */
export function checkPolicy(policy: string, fields: PostForm['fields'], nowMs: number): FileSizes {
  const { expiration, conditions } = readPolicy(policy);
  if (Date.parse(expiration) < nowMs) throw denied('Policy expired.');
  const named = new Set<string>();
  let [min, max] = [0, Number.POSITIVE_INFINITY];
  for (const condition of conditions) {
    if (!Array.isArray(condition)) {
      for (const [name, value] of Object.entries(condition)) check('eq', name, value);
    } else if (typeof condition[1] === 'number') [min, max] = [condition[1], Number(condition[2])];
    else check(condition[0].toLowerCase(), condition[1].slice(1), String(condition[2]));
  }
  function check(operator: string, name: string, value: string): void {
    named.add(name.toLowerCase());
    const got = fields.get(name.toLowerCase());
    if (got === undefined || !(operator === 'eq' ? got === value : got.startsWith(value)))
      throw denied(
        `Policy Condition failed: ${JSON.stringify([operator, `$${name}`, value]).replaceAll('","', '", "')}`,
      );
  }
  const extra = [...fields.keys()].find(name => !named.has(name) && !FREE.test(name));
  if (extra !== undefined) throw denied(`Extra input fields: ${extra}`);
  return { min, max };
}

function readPolicy(policy: string): z.infer<typeof policySchema> {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(policy, 'base64').toString());
  } catch {
    throw new AwsError('InvalidPolicyDocument', 'Invalid Policy: Invalid JSON.');
  }
  const read = policySchema.safeParse(json);
  if (read.success) return read.data;
  const where = read.error.issues[0]?.path.join('.') ?? '';
  throw new AwsError('InvalidPolicyDocument', `Invalid Policy: invalid value at '${where}'.`);
}

const denied = (why: string): AwsError => new AwsError('AccessDenied', `Invalid according to Policy: ${why}`, 403);
