// Every measured bar, one after the other: `npm run bench [-- --python /path/to/python]`. Close other programs first.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const benches: readonly (readonly [file: string, takes: 'python' | ''])[] = [
  ['peak.ts', ''],
  ['gemm.ts', ''],
  ['hlo-parse.ts', ''],
  ['bert-base.ts', 'python'],
  ['flat-memory.ts', ''],
  ['record.ts', ''],
  ['hlo-fuzz.ts', ''],
];
const python = process.argv.includes('--python') ? process.argv.slice(process.argv.indexOf('--python')) : [];
for (const [file, takes] of benches) {
  console.log(`\n── ${file}`);
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, file), ...(takes === '' ? [] : python)], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
