// The pages that come with this example, and their vocabulary.
import { join } from 'node:path';
import { included, includedReviews } from '../bert-polarity/included.ts';

export const pagesFile = join(import.meta.dirname, 'corpus/pages.txt');
export const vocabularyFile = join(import.meta.dirname, '../bert-polarity/corpus/vocab.txt');

/** Its SHA-256. */
export const pageFiles: Readonly<Record<string, string>> = {
  'pages.txt': 'f729107891acceae5dfde1b6348b27ed9e41d2d731ba9260453e8eb38b130d21',
};

/** Writes those of the two files that are missing. */
export async function writeIncluded(): Promise<void> {
  await includedReviews();
  await included(join(import.meta.dirname, 'corpus'), pageFiles);
}
