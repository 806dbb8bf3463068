// Tries every route of the console and every operation of the API of a job server with each role: only what the table of
// permissions allows may be answered. Routes and operations come from the server's own tables, so new ones are included.
//
//   console   each route × role × own page, another port, another site, wrong Host, without the header of the session, with that
//             of another session, without the cookie, without any
//   API       each operation × role, unsigned, signed with a wrong secret
//   commands  scripts, files, outputs, other commands, in every spelling; nothing may start a process, or read or write a file
//
//   node bench/server-access.ts
import './help.ts';
import { subscribe } from 'node:diagnostics_channel';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { readAudit } from '../src/api/access/read-audit.ts';
import { signInToConsole, startTestServer } from '../src/api/aws/aws-server.testing.ts';
import { ec2Operations } from '../src/api/aws/ec2/ec2-service.ts';
import { operationsByService } from '../src/api/aws/models/operations.ts';
import { trenio } from '../src/api/aws/models/trenio.ts';
import { type AccessKey, roles } from '../src/api/aws/signature/access-keys.ts';
import { sha256 } from '../src/api/aws/signature/signature-v4.ts';
import { type ConsoleRoute, consoleRoutes } from '../src/api/console/route-table.ts';
import { ServerCommands } from '../src/cli/server/server-commands.ts';
import { sign } from '../src/client/wire/sign.ts';
import { bar } from './bars.ts';

type Headers = Readonly<Record<string, string>>;
interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body?: string | undefined;
}
interface Answer {
  readonly status: number;
  readonly text: string;
}

/** The roles in docs/server.md, stated again: not read from the server. */
const mayDo = { admin: ['read', 'write', 'administer'], developer: ['read', 'write'], 'read-only': ['read'] } as const;
/** An operation that only reads, by its name. */
const isRead = (operation: string): boolean =>
  /^(?:BatchGet|Describe|FilterLog|Get|Head|List|Search|StartLiveTail)/.test(operation);
const DENIED =
  /AccessDenied|MissingAuthenticationToken|AuthFailure|NotAuthorized|UnauthorizedOperation|ROLE_NOT_ALLOWED|NOT_SIGNED_IN|NOT_ALLOWED/;

const commands = new ServerCommands();
const server = await startTestServer({ command: commands.run });
const url = new URL(server.url);
const wrong: string[] = [];
let tried = 0;
const started: string[] = [];
subscribe('child_process', message => {
  started.push(
    (message as { readonly process: { readonly spawnargs?: readonly string[] } }).process.spawnargs?.join(' ') ?? '?',
  );
});

/** Sends a request, with any Host; returns its status and the start of the response. */
function ask({ method, path, headers, body }: Asked): Promise<Answer> {
  tried++;
  return new Promise((resolve, reject) => {
    const sent = request({ host: url.hostname, port: url.port, method, path, headers, agent: false }, response => {
      let text = '';
      const done = (): void => {
        resolve({ status: response.statusCode!, text });
        sent.destroy();
      };
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1');
        // A stream of events does not end.
        if (text.length > 4000 || response.headers['content-type']?.includes('event')) done();
      });
      response.on('end', done);
      if (response.headers['content-type']?.includes('event-stream')) setTimeout(done, 50);
    });
    sent.on('error', error => (sent.destroyed ? undefined : reject(error)));
    sent.end(body);
  });
}

/** Notes an answer that is not the expected one. */
function expectAnswer(what: string, { status, text }: Answer, expected: 'answered' | 'refused'): void {
  const isRefused = status >= 400 && (status === 401 || status === 403 || DENIED.test(text.slice(0, 400)));
  if (isRefused !== (expected === 'refused') || status >= 500)
    wrong.push(`${what}: expected ${expected}, got ${status} ${text.slice(0, 200).replace(/\s+/g, ' ')}`);
}

const keys: Record<string, AccessKey> = {};
for (const role of roles) keys[role] = await server.keys.create({ role });
keys.limited = await server.keys.create({ role: 'admin', actions: ['sagemaker:List*'] });
const roleOf = (name: string): keyof typeof mayDo | undefined => roles.find(role => role === name);
const mayRole = (name: string, action: string): boolean => {
  const role = roleOf(name);
  return role !== undefined && (mayDo[role] as readonly string[]).includes(action);
};

// The console.
const foreign: Readonly<Record<string, Headers>> = {
  'another port': { 'sec-fetch-site': 'same-site', origin: `http://127.0.0.1:${Number(url.port) + 1}` },
  'another port, GET without Origin': { 'sec-fetch-site': 'same-site' },
  'another site': { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  'another site, an image': { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
  'an old browser, another port': { origin: `http://localhost:${Number(url.port) + 1}` },
  'an old browser, a sandboxed page': { origin: 'null' },
  'DNS rebinding': { host: `evil.example:${url.port}`, origin: `http://evil.example:${url.port}` },
};
const own: Readonly<Record<string, Headers>> = {
  'its own page': { 'sec-fetch-site': 'same-origin', origin: server.url },
  'the address bar': { 'sec-fetch-site': 'none' },
  'an old browser': {},
};
const operationsOf: Readonly<Record<string, readonly string[]>> = {
  sagemaker: operationsByService.sagemaker,
  trenio: Object.keys(trenio.operations),
};
interface Try {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly action: string;
}
/** Each route, with an address that exists in form; those that call operations once for each. */
function triesOf(route: ConsoleRoute): readonly Try[] {
  const [method = '', path = ''] = route.split(' ');
  const service = /^(\w+)\/:operation$/.exec(path)?.[1];
  if (service === undefined)
    return [
      {
        name: route,
        method,
        path: path.replace(':id', path.startsWith('access') ? 'AKIANONE' : '1').replace(':name', 'none'),
        action: consoleRoutes[route],
      },
    ];
  return operationsOf[service]!.map(operation => ({
    ...{ name: `${route} ${operation}`, method, path: path.replace(':operation', operation) },
    action: isRead(operation) ? 'read' : 'write',
  }));
}

for (const [name, key] of Object.entries(keys)) {
  const session = await signInToConsole(server, key.id);
  const other = await signInToConsole(server, key.id);
  const { cookie, ...proof } = session;
  const halves: Readonly<Record<string, Headers>> = {
    'without the header': { cookie: cookie! },
    'with the header of another session': { ...other, cookie: cookie! },
    'without the cookie': proof,
    'with nothing': {},
    'with a guessed header': { cookie: cookie!, 'x-trenio-session': 'A'.repeat(43) },
  };
  for (const route of Object.keys(consoleRoutes) as ConsoleRoute[]) {
    if (consoleRoutes[route] === 'none') continue;
    for (const { name: shown, method, path, action } of triesOf(route)) {
      const send = (headers: Headers): Promise<Answer> =>
        ask({
          method,
          path: `/_console/api/${path}`,
          headers: { ...(method === 'POST' ? { 'content-type': 'application/json' } : {}), ...headers },
          body: method === 'POST' ? '{}' : undefined,
        });
      for (const [from, headers] of Object.entries(own))
        expectAnswer(
          `${name}: ${shown} from ${from}`,
          await send({ ...session, ...headers }),
          mayRole(name, action) ? 'answered' : 'refused',
        );
      for (const [from, headers] of Object.entries(foreign))
        expectAnswer(`${name}: ${shown} from ${from}`, await send({ ...session, ...headers }), 'refused');
      for (const [how, headers] of Object.entries(halves))
        expectAnswer(`${name}: ${shown} ${how}`, await send(headers), 'refused');
    }
  }
}
console.log(`${Object.keys(consoleRoutes).length} routes of the console: ${tried} requests`);

// The API.
const before = tried;
const json = (service: string, target: string, operation: string) => ({
  ...{ service, method: 'POST', path: '/', query: {}, body: '{}' },
  headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `${target}.${operation}` },
});
const s3 = (method: string, path: string) => ({ service: 's3', method, path, query: {}, headers: {}, body: '' });
server.service.objects.createBucket('access');
const operations: readonly (readonly [
  name: string,
  kind: string,
  request: ReturnType<typeof json> | ReturnType<typeof s3>,
])[] = [
  ...operationsByService.sagemaker.map(
    one => [one, isRead(one) ? 'read' : 'write', json('sagemaker', 'SageMaker', one)] as const,
  ),
  ...operationsByService.logs
    .filter(one => one !== 'StartLiveTail')
    .map(one => [one, isRead(one) ? 'read' : 'write', json('logs', 'Logs_20140328', one)] as const),
  ...operationsByService['application-autoscaling'].map(
    one =>
      [one, isRead(one) ? 'read' : 'write', json('application-autoscaling', 'AnyScaleFrontendService', one)] as const,
  ),
  ...operationsByService['sagemaker-metrics'].map(
    one =>
      [
        one,
        isRead(one) ? 'read' : 'write',
        { ...json('sagemaker', '', ''), path: `/${one}`, method: one === 'BatchPutMetrics' ? 'PUT' : 'POST' },
      ] as const,
  ),
  ...Object.keys(trenio.operations).map(
    one => [one, isRead(one) ? 'read' : 'write', json('trenio', 'Trenio', one)] as const,
  ),
  ...ec2Operations.map(
    one =>
      [
        one,
        isRead(one) ? 'read' : 'write',
        {
          ...json('ec2', '', ''),
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: `Action=${one}&Version=2016-11-15`,
        },
      ] as const,
  ),
  ...['invocations', 'invocations-response-stream', 'async-invocations'].map(
    one => [one, 'write', { ...json('sagemaker', '', ''), path: `/endpoints/none/${one}` }] as const,
  ),
  ...['GET', 'HEAD', 'PUT', 'POST', 'DELETE'].flatMap(method =>
    ['/access', '/access/key'].map(
      path =>
        [`${method} ${path}`, method === 'GET' || method === 'HEAD' ? 'read' : 'write', s3(method, path)] as const,
    ),
  ),
];
for (const [operation, kind, { service, method, path, query, headers, body }] of operations) {
  const send = (key: AccessKey): Promise<Answer> => {
    const connection = { endpoint: server.url, region: 'us-east-1', accessKeyId: key.id, secretAccessKey: key.secret };
    const signed = sign(
      { method, path, query, headers, bodyHash: sha256(body) },
      connection,
      service,
      Date.now() + tried,
    );
    return ask({ method, path: signed.target, headers: signed.headers, body });
  };
  for (const [name, key] of Object.entries(keys)) {
    const isLimitedTo = service === 'sagemaker' && operation.startsWith('List');
    const isAllowed = name === 'limited' ? isLimitedTo : mayRole(name, kind);
    // A HEAD has no body that tells what was refused.
    expectAnswer(`${name}: ${service} ${operation}`, await send(key), isAllowed ? 'answered' : 'refused');
  }
  expectAnswer(`unsigned: ${service} ${operation}`, await ask({ method, path, headers, body }), 'refused');
  const stolen = { ...keys.admin!, secret: 'wrong' };
  const { status } = await send(stolen);
  if (status < 400) wrong.push(`wrong secret: ${service} ${operation}: ${status}`);
}
console.log(`${operations.length} operations of the API: ${tried - before} requests`);

// Commands: only a job runs code.
const marker = join(server.files, 'ran');
const script = join(server.files, 'script.js');
writeFileSync(script, `require('node:fs').writeFileSync(${JSON.stringify(marker)}, '')`);
writeFileSync(join(server.files, 'program.mlir'), 'module {}');
const plan = ['plan', '--on', 'trn1.32xlarge', '--steps', '1'];
const model = [...plan, '--model', 'bert-large'];
const attempts: readonly (readonly string[])[] = [
  ...[plan, model].flatMap(words =>
    [
      [script],
      ['--', script],
      [script, '--', '--model'],
      [script, '--model', 'x'],
      ['program.mlir'],
      [join(server.files, 'program.mlir')],
    ].map(more => [...words, ...more]),
  ),
  ...['--html', '--trace', '--ht', '--tra', '--html_', '-html'].flatMap(option => [
    [...model, option, marker],
    [...model, `${option}=${marker}`],
  ]),
  ...[
    'run',
    'compile',
    'deploy',
    'server',
    'generate',
    'hlo run',
    'hlo print',
    'checkpoints convert',
    'cluster run',
    'profile show',
    'cache clear',
    'hardware calibrate',
    'jobs create',
    'models ls',
    'monitor',
    'top',
    'ls',
    'help',
    'pcluster x',
  ].map(name => [...name.split(' '), script]),
  ...[['plan', '--help'], ['--version'], [], ['hardware'], ['__proto__'], ['constructor']],
];
const admin = await signInToConsole(server, keys.admin!.id);
for (const words of attempts)
  for (const extra of ['', '&words=%5B%22hardware%22%2C%22ls%22%5D']) {
    const path = `/_console/api/command?words=${encodeURIComponent(JSON.stringify(words))}${extra}`;
    const answer = await ask({ method: 'GET', path, headers: admin });
    if (answer.status < 400)
      wrong.push(`command ${JSON.stringify(words)}: ${answer.status} ${answer.text.slice(0, 100)}`);
  }
if (existsSync(marker)) wrong.push('a command has run a script, or written a file');
if (readdirSync(server.files).length !== 2) wrong.push(`files were written: ${readdirSync(server.files).join(' ')}`);
console.log(`${attempts.length} commands that are not for pages`);

const refused = (await Array.fromAsync(readAudit(server.data, { sinceMs: 0, result: 'refused' }))).length;
console.log(`${refused} refused requests in the audit log; processes started by requests: ${started.length}`);
for (const line of wrong.slice(0, 60)) console.log(`  ${line}`);
for (const line of started) console.log(`  started: ${line}`);
for (const line of server.log) console.log(`  internal error: ${line.split('\n')[0]}`);
bar({
  what: 'answers that the table of permissions does not allow, or refusals of what it allows',
  unit: `of ${tried}`,
  measured: wrong.length,
  limit: 0,
  kind: 'at most',
});
bar({
  what: 'processes started, and internal errors',
  unit: '',
  measured: started.length + server.log.length,
  limit: 0,
  kind: 'at most',
});
await commands.close();
await server[Symbol.asyncDispose]();
