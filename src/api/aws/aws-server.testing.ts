// A job service on a free port with a private folder, and the variables that make the real clients use it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inheritedVariables } from '../../base/environment.ts';
import type { EngineOfServer } from '../../jobs/training/host-engine.ts';
import { KeyFile } from '../access/key-file.ts';
import type { RunCommand } from '../console/console-api.ts';
import { PROOF_HEADER, type SignedIn } from '../console/messages.ts';
import { type JobService, startJobService } from '../job-service.ts';
import type { AccessKey } from './signature/access-keys.ts';

export const adminKey: AccessKey = { id: 'TRENIOTESTADMIN', secret: 'the secret of the admin', role: 'admin' };
export const readerKey: AccessKey = { id: 'TRENIOTESTREADER', secret: 'the secret of the reader', role: 'read-only' };

export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly folder: string;
  /** The server's own folder. */
  readonly data: string;
  /** Accepted in addition to the two keys above. */
  readonly keys: KeyFile;
  /** A folder of files for clients. */
  readonly files: string;
  readonly service: JobService;
  /** The internal errors that the server logged. */
  readonly log: readonly string[];
  /** For a client's process. */
  variables(key?: AccessKey): NodeJS.ProcessEnv;
  /** Ends the server, and starts another one with its folder. */
  restart(): Promise<TestServer>;
}

export interface TestServerOptions {
  readonly images?: object;
  readonly pool?: object;
  readonly graceMs?: number;
  readonly bodyTimeoutMs?: number;
  /** Commands of the console. */
  readonly command?: RunCommand;
  /** Where jobs run. */
  readonly engine?: EngineOfServer;
  /** The server's clock. */
  readonly now?: () => number;
  readonly steadyNow?: () => number;
}

/** The headers of a session of the console. */
export async function signInToConsole(
  { url, service }: TestServer,
  keyId: string,
): Promise<Readonly<Record<string, string>>> {
  const token = new URL(service.consoleUrl(keyId)).hash.replace('#token=', '');
  const answer = await fetch(`${url}/_console/api/login`, {
    method: 'POST',
    body: JSON.stringify({ token }),
    headers: { 'content-type': 'application/json' },
  });
  const { proof } = (await answer.json()) as SignedIn;
  return { cookie: answer.headers.get('set-cookie')!.split(';')[0]!, [PROOF_HEADER]: proof };
}

export async function startTestServer({ images, pool, ...options }: TestServerOptions = {}): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'trenio-aws-'));
  mkdirSync(join(folder, 'files'));
  const fileOf = (name: string, content: object | undefined): string | undefined => {
    if (content === undefined) return undefined;
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify(content));
    return path;
  };
  return start(folder, fileOf('images.json', images), fileOf('pool.json', pool), options);
}

async function start(
  folder: string,
  images: string | undefined,
  pool: string | undefined,
  options: Pick<TestServerOptions, 'graceMs' | 'bodyTimeoutMs' | 'now' | 'steadyNow' | 'engine' | 'command'>,
): Promise<TestServer> {
  const log: string[] = [];
  const data = join(folder, 'data');
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const keys = await KeyFile.open(data);
  const service = await startJobService({
    data,
    host: '127.0.0.1',
    port: 0,
    account: '123456789012',
    region: 'us-east-1',
    keys,
    fixedKeys: [adminKey, readerKey],
    images,
    pool,
    log: line => log.push(line),
    ...options,
  });
  return {
    url: service.url,
    folder,
    data,
    keys,
    files: join(folder, 'files'),
    service,
    log,
    variables: (key = adminKey) => ({
      ...inheritedVariables(),
      HOME: folder,
      AWS_ENDPOINT_URL: service.url,
      AWS_ACCESS_KEY_ID: key.id,
      AWS_SECRET_ACCESS_KEY: key.secret,
      AWS_DEFAULT_REGION: 'us-east-1',
      AWS_REGION: 'us-east-1',
      AWS_EC2_METADATA_DISABLED: 'true',
    }),
    restart: async () => {
      await service.close();
      return start(folder, images, pool, options);
    },
    [Symbol.asyncDispose]: async () => {
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
