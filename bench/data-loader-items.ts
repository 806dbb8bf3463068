// The datasets and transforms that bench/data-loader.ts sends to loader workers.
import { readFileSync } from 'node:fs';
import { exportToWorkers, WordPieceTokenizer } from '../src/data/index.ts';

let tokenizer: WordPieceTokenizer | undefined;
/** The ids of a text, truncated or padded to 128. An environment variable names the file of the vocabulary. */
export function tokenize({ text }: { readonly text: string }): Int32Array {
  // Read once in each thread.
  tokenizer ??= WordPieceTokenizer.fromTokens(readFileSync(process.env.BENCH_VOCABULARY!, 'utf8').trim().split('\n'));
  const ids = new Int32Array(128);
  ids.set(tokenizer.encode(text, { maxLength: 128 }).inputIds);
  return ids;
}
exportToWorkers(import.meta.url, { tokenize });
