// How the hidden states of a text become its embedding, as sentence-transformers stores it beside a model:
//
//   modules.json ─ [Transformer, Pooling, Normalize]      1_Pooling/config.json ─ pooling_mode_…
import { join } from 'node:path';
import * as z from 'zod';
import { fileExists, readTextFile } from '../base/read-file.ts';
import { arange, type Tensor } from '../tensor/index.ts';
import { configError, readConfigObject } from './config-file.ts';

export const poolings = ['cls', 'mean', 'max', 'lasttoken'] as const;
/** The state of the first or of the last token, or the mean or the maximum of all. */
export type Pooling = (typeof poolings)[number];

export interface TextPooling {
  readonly pooling: Pooling;
  /** Whether embeddings have the length 1. */
  readonly normalize: boolean;
}

const modulesFile = 'modules.json';
const modules = z.array(z.looseObject({ type: z.string(), path: z.string().regex(/^(?!\.)[\w.-]*$/) })).min(1);

/** Whether a folder says how its texts are pooled. */
export const hasPooling = (folder: string): Promise<boolean> => fileExists(join(folder, modulesFile));

/** @throws {MODEL_CONFIG_INVALID} also for other modules and poolings than these */
export async function readPooling(folder: string): Promise<TextPooling> {
  const file = join(folder, modulesFile);
  const invalid = configError(file);
  let given: unknown;
  try {
    given = JSON.parse(await readTextFile(file));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw invalid('', 'it is not JSON');
  }
  const parsed = modules.safeParse(given);
  if (!parsed.success) throw invalid(parsed.error.issues[0]!.path.join('.'), parsed.error.issues[0]!.message);
  const kinds = parsed.data.map(({ type, path }) => ({ kind: type.split('.').at(-1)!, path }));
  const [first, second, ...rest] = kinds;
  const other = rest.find(({ kind }) => kind !== 'Normalize');
  if (first?.kind !== 'Transformer' || second?.kind !== 'Pooling' || other !== undefined) {
    const names = kinds.map(({ kind }) => kind).join(', ');
    throw invalid('', `the modules are ${names}, expected Transformer, Pooling and maybe Normalize`);
  }
  const ofPooling = join(folder, second.path, 'config.json');
  const fields = (await readConfigObject(ofPooling)) as Readonly<Record<string, unknown>>;
  const modes = Object.keys(fields).filter(name => name.startsWith('pooling_mode_') && fields[name] === true);
  const names = modes.map(name => name.replace(/^pooling_mode_|_tokens?$/g, ''));
  const pooling = poolings.find(one => names.length === 1 && names[0] === one);
  if (pooling === undefined)
    throw configError(ofPooling)(
      '',
      `the pooling is ${names.join(' and ') || 'none'}, expected one of ${poolings.join(', ')}`,
    );
  return { pooling, normalize: rest.length > 0 };
}

/** Hidden states [B, S, H], f32, and mask [B, S], tokens first → [B, H]. */
export function pooled(states: Tensor, mask: Tensor, { pooling, normalize }: TextPooling): Tensor {
  const own = mask.to('float32').unsqueeze(2);
  const row = rowOf[pooling](states, own);
  return normalize ? row.div(row.norm(2, 1, { keepDim: true }).clampMin(1e-12)) : row;
}

const rowOf: Readonly<Record<Pooling, (states: Tensor, own: Tensor) => Tensor>> = {
  cls: states => states.select(1, 0),
  mean: (states, own) => states.mul(own).sum(1).div(own.sum(1).clampMin(1e-9)),
  max: (states, own) => states.maskedFill(own.eq(0), Number.NEGATIVE_INFINITY).amax(1),
  lasttoken(states, own) {
    const [, positions] = own.shape as [number, number, number];
    const last = own.sum(1, { keepDim: true }).sub(1);
    const isLast = arange(positions, { device: states.device }).reshape(1, positions, 1).eq(last);
    return states.mul(isLast.to('float32')).sum(1);
  },
};
