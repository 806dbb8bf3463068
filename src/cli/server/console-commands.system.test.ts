// The commands of the console, on a server: what a page may run, and that nothing else runs, reads or writes a file.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAudit } from '../../api/access/read-audit.ts';
import {
  adminKey,
  readerKey,
  signInToConsole,
  startTestServer,
  type TestServer,
} from '../../api/aws/aws-server.testing.ts';
import { ServerCommands } from './server-commands.ts';

let server: TestServer;
let commands: ServerCommands;
beforeAll(async () => {
  commands = new ServerCommands();
  server = await startTestServer({ command: commands.run });
});
afterAll(async () => {
  expect(server.log).toEqual([]);
  await commands.close();
  await server[Symbol.asyncDispose]();
});

interface Answer {
  readonly model?: string;
  readonly problem?: string;
  readonly error?: { readonly code: string };
}
async function run(words: readonly string[], keyId = readerKey.id): Promise<Answer> {
  const query = new URLSearchParams({ words: JSON.stringify(words) });
  const headers = await signInToConsole(server, keyId);
  return (await (await fetch(`${server.url}/_console/api/command?${query}`, { headers })).json()) as Answer;
}

const on = ['--on', 'trn1.32xlarge', '--steps', '10'] as const;
const program = `func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %y = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
`;

test('models and programs of the object store are planned; mistakes are explained', async () => {
  expect(await run(['plan', '--model', 'bert-large', ...on])).toMatchObject({ model: 'bert-large' });
  server.service.objects.createBucket('programs');
  await server.service.objects.put('programs', 'a/step.mlir', Readable.from([Buffer.from(program)]));
  await server.service.objects.put('programs', 'step.js', Readable.from([Buffer.from('process.exit(7)')]));
  expect(await run(['plan', 's3://programs/a/step.mlir', ...on])).toMatchObject({ model: 's3://programs/a/step.mlir' });
  expect((await run(['plan', 's3://programs/step.js', ...on])).problem).toContain('s3://programs/step.js');
  expect((await run(['plan', 's3://programs/none', ...on])).error?.code).toBe('NoSuchKey');
  expect((await run(['plan', '--model', 'none', ...on])).problem).toContain('none');
  expect(await run(['hardware', 'show', 'trn1.32xlarge'])).toMatchObject({ name: 'trn1.32xlarge' });
  expect(await run(['hardware', 'ls'])).toHaveProperty('machines');
});

test('scripts, files, and other commands and options are refused for every role, and recorded', async () => {
  const folder = join(server.files, 'commands');
  mkdirSync(folder);
  const [ran, script, file] = ['ran', 'script.js', 'program.mlir'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(script, `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(ran)}, '');`);
  writeFileSync(file, program);
  const refused: readonly (readonly string[])[] = [
    ['plan', script, ...on],
    ['plan', script, ...on, '--', 'x', '--model'],
    ['plan', script, '--model', 'bert-large', ...on],
    ['plan', '--model', 'bert-large', ...on, script],
    ['plan', '--model', 'bert-large', ...on, '--', script],
    ['plan', '--model', 'bert-large', ...on, '--'],
    ['plan', '--', script],
    ['plan', file, ...on],
    ['plan', `file://${file}`, ...on],
    ['plan', 's3://programs/a/step.mlir', script, ...on],
    ['plan', 's3:///etc/passwd', ...on],
    ...['--html', '--trace', '--ht', '--tr'].flatMap(option => [
      ['plan', '--model', 'bert-large', ...on, option, ran],
      ['plan', '--model', 'bert-large', ...on, `${option}=${ran}`],
    ]),
    ['plan', '--help'],
    ['plan', '-h', '--model', 'bert-large'],
    ['hardware', 'calibrate'],
    ['hardware', 'claims'],
    ['hardware', '--help', 'ls'],
    ['hardware'],
    ['run', script],
    ['compile', script],
    ['hlo', 'run', file],
    ['server', 'keys', 'ls'],
    ['--version'],
    ['help', 'plan'],
    [''],
  ];
  for (const key of [readerKey, adminKey])
    for (const words of refused) {
      const answer = await run(words, key.id);
      const isEnded = answer.error?.code === 'CONSOLE_COMMAND_REFUSED' || words.at(-1) === '--';
      expect([words, answer, isEnded]).toEqual([words, answer, true]);
      expect(answer.model).toBe(undefined);
    }
  expect(existsSync(ran)).toBe(false);
  const entries = await Array.fromAsync(readAudit(server.data, { sinceMs: 0, contains: script, key: readerKey.id }));
  expect(entries[0]).toMatchObject({
    action: 'console:GET command',
    resource: expect.stringContaining('script.js'),
    result: 'refused',
    code: 'CONSOLE_COMMAND_REFUSED',
    role: 'read-only',
  });
});
