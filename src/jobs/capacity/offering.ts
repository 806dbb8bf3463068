// Offerings of capacity. An offering is not stored: its id contains its terms, and they are checked again at the purchase, so a
// forged id cannot buy anything that is not for sale.
//
//   cbo-<hexadecimal of the terms as JSON>
import { z } from 'zod';
import type { MicroUsd } from '../../base/money.ts';

const blockTerms = z.strictObject({
  type: z.string(),
  count: z.int().min(1),
  start: z.int().min(0),
  end: z.int().min(0),
});
const extensionTerms = z.strictObject({ block: z.string(), start: z.int().min(0), end: z.int().min(0) });

export interface BlockOffering {
  readonly id: string;
  readonly instanceType: string;
  readonly instanceCount: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly fee: MicroUsd;
}

export interface ExtensionOffering {
  readonly id: string;
  readonly blockId: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly fee: MicroUsd;
}

/** How long after its start an offering can still be bought, because some offerings start immediately. */
export const OFFERING_OPEN_MS = 30 * 60_000;

export const blockOfferingId = (terms: z.infer<typeof blockTerms>): string => `cbo-${encode(terms)}`;
export const extensionOfferingId = (terms: z.infer<typeof extensionTerms>): string => `cbe-${encode(terms)}`;

/** The terms of an id; undefined if it is invalid. */
export const readBlockOfferingId = (id: string): z.infer<typeof blockTerms> | undefined =>
  decode(id, 'cbo-', blockTerms);
export const readExtensionOfferingId = (id: string): z.infer<typeof extensionTerms> | undefined =>
  decode(id, 'cbe-', extensionTerms);

const encode = (terms: object): string => Buffer.from(JSON.stringify(Object.values(terms))).toString('hex');

function decode<T>(id: string, prefix: string, schema: z.ZodObject<z.ZodRawShape> & z.ZodType<T>): T | undefined {
  if (!id.startsWith(prefix) || !/^(?:[0-9a-f]{2})+$/.test(id.slice(prefix.length))) return undefined;
  try {
    const values: unknown = JSON.parse(Buffer.from(id.slice(prefix.length), 'hex').toString());
    if (!Array.isArray(values)) return undefined;
    const names = Object.keys(schema.shape);
    return schema.safeParse(Object.fromEntries(names.map((name, i) => [name, values[i]]))).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
