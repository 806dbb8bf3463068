// A language model served with OpenAI's API, from nothing: trains a small one that writes product reviews, and two adapters,
// serves them with `trenio serve`, and opens a chat page, where adapters are loaded and unloaded while answers run.
//
//   npm run example:serve             options: --steps N, --port N, --page-port N, --ask TEXT (asks all models once, and ends)
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { countOf } from '../count-of.ts';
import { adapterNames, train } from './train.ts';

const { values: options } = parseArgs({
  options: {
    steps: { type: 'string', default: '300' },
    port: { type: 'string', default: '8000' },
    'page-port': { type: 'string', default: '8080' },
    folder: { type: 'string', default: join(import.meta.dirname, 'model') },
    ask: { type: 'string' },
  },
});
const { folder } = options;
if (!existsSync(join(folder, 'adapters', adapterNames.at(-1)!, 'adapter_config.json'))) {
  rmSync(folder, { recursive: true, force: true });
  await train(folder, countOf('--steps', options.steps));
}

const page = createServer((_, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(readFileSync(join(import.meta.dirname, 'index.html'), 'utf8').replaceAll('BASE_URL', url));
});
page.listen(Number(options['page-port']), '127.0.0.1');
await once(page, 'listening');
const pageUrl = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;

const { server, url } = await serve();
try {
  if (options.ask === undefined) {
    console.log(`the chat page is at ${pageUrl}, the API at ${url}/v1; Ctrl-C ends both`);
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM'), once(server, 'exit')]);
  } else for (const model of ['base', ...adapterNames]) console.log(`${model}: ${await answer(model, options.ask)}`);
} finally {
  page.close();
  if (server.exitCode === null && server.kill('SIGTERM')) await once(server, 'exit');
}

/** Starts `trenio serve`, as its own process. */
async function serve(): Promise<{ readonly server: ChildProcess; readonly url: string }> {
  const adapters = join(folder, 'adapters');
  const words = [
    ...['serve', folder, '--served-model-name', 'base', '--max-num-batched-tokens', '32'],
    ...adapterNames.flatMap(name => ['--lora-modules', `${name}=${join(adapters, name)}`]),
    ...[
      '--lora-root',
      adapters,
      '--max-lora-rank',
      '8',
      '--port',
      options.port,
      '--json',
      '--allowed-origins',
      pageUrl,
    ],
  ];
  const trenio = join(import.meta.dirname, '../../bin/trenio');
  const started = spawn(trenio, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  console.log('loading the model, and compiling its programs');
  for await (const line of createInterface({ input: started.stdout }))
    return { server: started, url: (JSON.parse(line) as { readonly url: string }).url };
  throw new Error('the server has ended');
}

async function answer(model: string, text: string): Promise<string> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      messages: [{ role: 'user', content: text }],
      max_tokens: 80,
      temperature: 0.6,
      seed: 1,
    }),
  });
  if (!response.ok) throw new Error(await response.text());
  const { choices } = (await response.json()) as {
    readonly choices: readonly { readonly message: { readonly content: string } }[];
  };
  return choices[0]!.message.content;
}
