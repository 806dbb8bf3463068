// A server on a free port with a store of its own, and the variables that make the real clients use it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inheritedVariables } from '../../base/environment.ts';
import { ObjectStore } from '../../objects/object-store.ts';
import { JobServer } from '../job-server.ts';
import { AwsFront } from './aws-front.ts';
import { ReplayGuard } from './replay-guard.ts';
import { S3Service } from './s3/s3-service.ts';
import type { AccessKey } from './signature/access-keys.ts';
import { StsService } from './sts-service.ts';

export const adminKey: AccessKey = { id: 'TRENIOTESTADMIN', secret: 'the secret of the admin', role: 'admin' };
export const readerKey: AccessKey = { id: 'TRENIOTESTREADER', secret: 'the secret of the reader', role: 'read-only' };

export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly folder: string;
  readonly store: ObjectStore;
  /** What the server logged: faults of its own. */
  readonly log: readonly string[];
  /** For a client's process. */
  variables(key?: AccessKey): NodeJS.ProcessEnv;
}

export async function startTestServer(now: () => number = Date.now): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'trenio-aws-'));
  const store = new ObjectStore(join(folder, 'objects'), now);
  const keys = new Map([adminKey, readerKey].map(key => [key.id, key]));
  const log: string[] = [];
  const aws = new AwsFront({
    services: { s3: new S3Service(store), sts: new StsService('123456789012') },
    findKey: id => keys.get(id),
    replays: new ReplayGuard(),
    region: 'us-east-1',
    now,
    log: line => log.push(line),
  });
  const server = new JobServer({ host: '127.0.0.1', port: 0, aws });
  const url = await server.listen();
  return {
    url,
    folder,
    store,
    log,
    variables: (key = adminKey) => ({
      ...inheritedVariables(),
      HOME: folder,
      AWS_ENDPOINT_URL: url,
      AWS_ACCESS_KEY_ID: key.id,
      AWS_SECRET_ACCESS_KEY: key.secret,
      AWS_DEFAULT_REGION: 'us-east-1',
      AWS_REGION: 'us-east-1',
      AWS_EC2_METADATA_DISABLED: 'true',
    }),
    [Symbol.asyncDispose]: async () => {
      await server.close();
      store.close();
      rmSync(folder, { recursive: true });
    },
  };
}
