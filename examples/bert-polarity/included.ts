// The texts that come with the examples. The package contains them; in the repository, their generators write them at first use.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Their SHA-256. */
export const reviewFiles: Readonly<Record<string, string>> = {
  'train.csv': 'c21c933a6ab8081341f3ffbb07fcbaa7b46c3251216a3160fb88ec1294c9ad71',
  'validation.csv': 'ed0793dae8321bf01134902f4ef992d8245e114cffe62bb6dccca5d1c5649ce5',
  'vocab.txt': 'bd0dccd421010902cb91dfffc9f56e4f8c96afb79f341503b28ab87adda9fd30',
};

/** The reviews of this example: the folder with train.csv, validation.csv and vocab.txt. */
export const includedReviews = (): Promise<string> => included(join(import.meta.dirname, 'corpus'), reviewFiles);

interface Generator {
  /** Name → content. */
  readonly generated: () => ReadonlyMap<string, string>;
}

/**
 * A folder with a `generate.ts` and these files, given by their SHA-256. They are written if one is missing or differs.
 * @throws {Error} if the generator writes something else
 */
export async function included(folder: string, files: Readonly<Record<string, string>>): Promise<string> {
  const isRight = ([name, hash]: [string, string]): boolean =>
    existsSync(join(folder, name)) && sha256(readFileSync(join(folder, name))) === hash;
  if (Object.entries(files).every(isRight)) return folder;
  const { generated } = (await import(join(folder, 'generate.ts'))) as Generator;
  for (const [name, text] of generated()) {
    const hash = sha256(text);
    if (hash !== files[name]) throw new Error(`${join(folder, name)} has SHA-256 ${hash}, expected ${files[name]}`);
    // Other ranks may do the same.
    const started = join(folder, `${name}.${process.pid}`);
    writeFileSync(started, text);
    renameSync(started, join(folder, name));
  }
  return folder;
}

export const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');
