// Imported first by a benchmark: with --help, prints the comment at the beginning of its file, and ends the process.
import { readFileSync } from 'node:fs';

const [, script, ...words] = process.argv;
if (script !== undefined && words.some(word => word === '--help' || word === '-h')) {
  const lines = readFileSync(script, 'utf8').split('\n');
  const end = lines.findIndex(line => !line.startsWith('//'));
  console.log(
    lines
      .slice(0, end)
      .map(line => line.slice(3))
      .join('\n'),
  );
  process.exit(0);
}
