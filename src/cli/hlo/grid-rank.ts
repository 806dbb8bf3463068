// One rank of a grid of processes (compiled-grid.ts): runs the program of its number in a folder, and writes its results there.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytesOf, literalOfBytes } from '../../hlo/literal.ts';
import { mainOf } from '../../hlo/program.ts';
import { parseModule } from '../../hlo/text/parser.ts';
import { defaultBackend, defaultRuntime, runModule } from '../../runtime/index.ts';

export interface RankWork {
  /** A module in StableHLO text. */
  readonly text: string;
  /** The bytes of its tensor arguments, in base64. */
  readonly args: readonly string[];
}

const folder = process.argv[2]!;
const { rank } = defaultRuntime().ranks;
const { text, args } = JSON.parse(readFileSync(join(folder, `${rank}.json`), 'utf8')) as RankWork;
const module = parseModule(text, { file: 'program' });
const types = mainOf(module).body.args.flatMap(({ type }) => (type.kind === 'tensor' ? [type] : []));
const inputs = args.map((bytes, i) => literalOfBytes(types[i]!, new Uint8Array(Buffer.from(bytes, 'base64'))));
const results = runModule(module, inputs, defaultBackend());
const encoded = results.map(result => Buffer.from(bytesOf(result)).toString('base64'));
writeFileSync(join(folder, `${rank}.out`), JSON.stringify(encoded));
defaultRuntime().barrier();
