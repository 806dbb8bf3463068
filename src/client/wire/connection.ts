// Finds the job server, and the key of a client. In this order: options, AWS's environment variables, the server that runs
// on this machine.
import type { Variables } from '../../base/environment.ts';
import { readVariable } from '../../base/environment.ts';
import { TrenioError } from '../../base/errors.ts';
import { refuseUnknownOptions } from '../../base/known-options.ts';

/**
 * The address and key of the job server. Without any option: `AWS_ENDPOINT_URL` with the key in `AWS_ACCESS_KEY_ID` and
 * `AWS_SECRET_ACCESS_KEY`, else the `trenio server` that runs on this machine.
 */
export interface ConnectionOptions {
  /** Its address, such as `http://127.0.0.1:7070`. */
  readonly endpoint?: string | undefined;
  /** The id of the access key. */
  readonly accessKeyId?: string | undefined;
  /** The secret of the access key. */
  readonly secretAccessKey?: string | undefined;
  /** Default: `AWS_REGION`, else `us-east-1`. */
  readonly region?: string | undefined;
  /** The folder of a `trenio server` on this machine; its address and key are read from there. */
  readonly data?: string | undefined;
}

export interface Connection {
  /** Without a slash at the end. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const known = ['endpoint', 'accessKeyId', 'secretAccessKey', 'region', 'data'] as const;

/**
 * @throws {NO_JOB_SERVER} if no address is given, and no server runs
 * @throws {NO_ACCESS_KEY}
 * @throws {INVALID_OPTION} if the address is not an HTTP address
 */
export async function findConnection(options: ConnectionOptions = {}, variables?: Variables): Promise<Connection> {
  refuseUnknownOptions('connection', options, known);
  const read = (name: AwsVariable): string | undefined => readVariable(name, variables);
  const region = options.region ?? read('AWS_REGION') ?? read('AWS_DEFAULT_REGION') ?? 'us-east-1';
  const id = options.accessKeyId ?? read('AWS_ACCESS_KEY_ID');
  const secret = options.secretAccessKey ?? read('AWS_SECRET_ACCESS_KEY');
  // A given folder takes precedence over the environment.
  const address = options.endpoint ?? (options.data === undefined ? read('AWS_ENDPOINT_URL') : undefined);
  if (address !== undefined && id !== undefined && secret !== undefined)
    return { endpoint: checked(address), region, accessKeyId: id, secretAccessKey: secret };
  const [{ defaultServerFolder, runningServer }, { KeyFile }] = await Promise.all([
    import('../../api/server-folder.ts'),
    import('../../api/access/key-file.ts'),
  ]);
  const data = options.data ?? defaultServerFolder(variables);
  const state = runningServer(data);
  if (state === undefined || (address !== undefined && checked(address) !== state.url))
    throw address === undefined
      ? new TrenioError('NO_JOB_SERVER', { data })
      : new TrenioError('NO_ACCESS_KEY', { endpoint: address });
  const key = (await KeyFile.open(data)).first();
  if (key === undefined) throw new TrenioError('NO_ACCESS_KEY', { endpoint: state.url });
  return { endpoint: state.url, region, accessKeyId: key.id, secretAccessKey: key.secret };
}

type AwsVariable =
  | 'AWS_ENDPOINT_URL'
  | 'AWS_ACCESS_KEY_ID'
  | 'AWS_SECRET_ACCESS_KEY'
  | 'AWS_REGION'
  | 'AWS_DEFAULT_REGION';

function checked(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.pathname !== '/' || url.search !== '')
    throw new TrenioError('INVALID_OPTION', {
      what: 'connection',
      option: 'endpoint (AWS_ENDPOINT_URL)',
      got: `'${address}'`,
      expected: 'an address such as http://127.0.0.1:7070',
    });
  return url.origin;
}
