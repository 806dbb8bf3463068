// `trenio server`: the job service of this machine, until it is stopped; `status` and `stop` of one that runs.
import type { Variables } from '../../base/environment.ts';
import type { EngineOfServer } from '../../jobs/training/host-engine.ts';
import { defineCommand } from '../command/command.ts';

export const serverCommand = defineCommand({
  name: 'server',
  summary: 'Run training jobs behind the API of SageMaker, S3 and CloudWatch Logs.',
  description: [
    'Starts a job service on this machine. The aws command, boto3 and the AWS SDK for JavaScript use it unchanged: set the',
    'variables that it prints. Training jobs (CreateTrainingJob and the operations around it) really run here, each host of a job',
    'with its own /opt/ml; their data and models are in an S3-compatible store, their output in CloudWatch Logs.',
    '',
    'Everything is kept in one folder. Stopping the server leaves running jobs running; the next server shows them again.',
    'Operations that it does not have are answered with UnknownOperationException.',
  ].join('\n'),
  positionals: [
    {
      name: 'action',
      description: 'status or stop: of the server that uses the folder. Default: start one.',
      required: false,
    },
  ],
  options: {
    port: {
      kind: 'integer',
      short: 'p',
      placeholder: 'PORT',
      min: 0,
      max: 65_535,
      default: 7070,
      description: 'Port to listen on; 0 picks any free port.',
    },
    host: { kind: 'text', placeholder: 'ADDRESS', default: '127.0.0.1', description: 'Address to listen on.' },
    data: {
      kind: 'text',
      placeholder: 'DIR',
      description: 'Folder that keeps everything. Default: ~/.local/share/trenio/server.',
    },
    images: {
      kind: 'text',
      placeholder: 'FILE',
      description:
        'JSON file of training images: {"local/train:1": {"kind": "command", "train": ["python3", "train.py"]}}.',
    },
    pool: {
      kind: 'text',
      placeholder: 'FILE',
      description: 'JSON file with the simulated instances: {"instances": [{"type": "ml.trn1.2xlarge", "count": 4}]}.',
    },
    engine: {
      kind: 'text',
      placeholder: 'NAME',
      default: 'local',
      description: 'Where training jobs run: local, processes of this machine, or slurm, jobs of --cluster.',
    },
    cluster: {
      kind: 'text',
      placeholder: 'NAME',
      description: 'With --engine slurm: the cluster, of `trenio cluster`. Jobs use its instance types and counts.',
    },
    'access-key-id': { kind: 'text', placeholder: 'ID', description: 'Accept this key, as an admin, too.' },
    'secret-access-key': { kind: 'text', placeholder: 'SECRET', description: 'The secret of --access-key-id.' },
    account: { kind: 'text', placeholder: 'ID', default: '123456789012', description: 'Account number in ARNs.' },
    'audit-days': {
      kind: 'integer',
      placeholder: 'DAYS',
      min: 1,
      max: 3650,
      default: 90,
      description: 'How long the audit log is kept (trenio server audit).',
    },
    'log-mb': {
      kind: 'integer',
      placeholder: 'MIB',
      min: 1,
      max: 2 ** 30,
      description:
        'Size of all log lines; beyond it the oldest are removed. Default: a tenth of the disk, at most 10,240.',
    },
    'object-mb': {
      kind: 'integer',
      placeholder: 'MIB',
      min: 1,
      max: 2 ** 30,
      description: 'Size of all objects: uploads beyond it are refused. Default: the disk.',
    },
    region: { kind: 'text', placeholder: 'NAME', default: 'us-east-1', description: 'Region in ARNs.' },
    json: {
      kind: 'flag',
      description: 'Print one JSON object when ready: {"url", "console", "accessKeyId", "secretAccessKey", "region"}.',
    },
  },
  examples: [
    { command: 'trenio server', explanation: 'at http://127.0.0.1:7070; prints the variables for clients' },
    {
      command: 'trenio server --images images.json --pool pool.json',
      explanation: 'with your own images and instances',
    },
    { command: 'trenio server status', explanation: 'whether one runs, and where' },
    { command: 'trenio server stop', explanation: 'running jobs continue' },
    {
      command: 'aws sagemaker list-training-jobs',
      explanation: 'in a shell with the variables that the server printed',
    },
  ],
  run: async ({ options, positionals: [action] }, context) => {
    const [{ resolve }, { TrenioError }] = await Promise.all([import('node:path'), import('../../base/errors.ts')]);
    const { stdout, stderr, signal, cwd, environment } = context;
    const folder = await import('../../api/server-folder.ts');
    const data = options.data === undefined ? folder.defaultServerFolder(environment) : resolve(cwd, options.data);
    switch (action) {
      case undefined:
        break;
      case 'status': {
        const state = folder.runningServer(data);
        if (options.json) stdout.write(`${JSON.stringify({ data, running: state !== undefined, ...state })}\n`);
        else
          stdout.write(
            state === undefined
              ? `no server uses ${data}\n`
              : `${state.url} (process ${state.pid}, since ${state.startedAt}), ${data}\n`,
          );
        return state === undefined ? 1 : 0;
      }
      case 'stop': {
        const state = folder.runningServer(data);
        if (state === undefined) throw new TrenioError('SERVER_NOT_RUNNING', { data });
        process.kill(state.pid, 'SIGTERM');
        while (folder.runningServer(data) !== undefined) await new Promise(done => setTimeout(done, 50));
        stdout.write(`stopped ${state.url}\n`);
        return 0;
      }
      default:
        throw new TrenioError('INVALID_OPTION', {
          what: 'trenio server',
          option: 'action',
          got: action,
          expected: 'status or stop',
        });
    }
    const id = options['access-key-id'];
    const secret = options['secret-access-key'];
    if ((id === undefined) !== (secret === undefined))
      throw new TrenioError('INVALID_OPTION', {
        what: 'trenio server',
        option: id === undefined ? '--access-key-id' : '--secret-access-key',
        got: 'nothing',
        expected: 'a value: --access-key-id and --secret-access-key belong together',
      });
    if (!/^\d{12}$/.test(options.account))
      throw new TrenioError('INVALID_OPTION', {
        what: 'trenio server',
        option: '--account',
        got: options.account,
        expected: '12 digits',
      });
    const engine = await engineOf(options, data, environment);
    using _lock = folder.takeServerFolder(data);
    const { KeyFile } = await import('../../api/access/key-file.ts');
    const keys = await KeyFile.open(data);
    const fixed = id === undefined || secret === undefined ? undefined : { id, secret, role: 'admin' as const };
    const [{ startJobService }, { ServerCommands }, { clustersFolder }] = await Promise.all([
      import('../../api/job-service.ts'),
      import('./server-commands.ts'),
      import('../../clusters/cluster-folder.ts'),
    ]);
    const commands = new ServerCommands();
    const service = await startJobService({
      data,
      host: options.host,
      port: options.port,
      account: options.account,
      region: options.region,
      keys,
      fixedKeys: fixed === undefined ? [] : [fixed],
      auditDays: options['audit-days'],
      logBytes: bytesOf(options['log-mb']),
      objectBytes: bytesOf(options['object-mb']),
      images: options.images === undefined ? undefined : resolve(cwd, options.images),
      pool: options.pool === undefined ? undefined : resolve(cwd, options.pool),
      engine,
      clusters: clustersFolder(environment),
      log: line => stderr.write(`${line}\n`),
      command: commands.run,
    });
    try {
      await folder.writeServerState(data, { url: service.url, pid: process.pid, startedAt: new Date().toISOString() });
      const key = fixed ?? keys.first();
      if (key === undefined) throw new TrenioError('NO_ACCESS_KEY', { endpoint: service.url });
      const console = service.consoleUrl(key.id);
      const { url } = service;
      stdout.write(
        options.json
          ? `${JSON.stringify({ url, console, accessKeyId: key.id, secretAccessKey: key.secret, region: options.region })}\n`
          : readyText(url, console, key, options.region, data),
      );
      await aborted(signal);
    } finally {
      await Promise.all([service.close(), commands.close()]);
    }
    return 0;
  },
});

const bytesOf = (mebibytes: number | undefined): number | undefined => mebibytes && mebibytes * 2 ** 20;

/** @throws {INVALID_OPTION} @throws {UNKNOWN_CLUSTER} */
async function engineOf(
  {
    engine,
    cluster,
    pool,
  }: { readonly engine: string; readonly cluster: string | undefined; readonly pool: string | undefined },
  data: string,
  environment: Variables,
): Promise<EngineOfServer | undefined> {
  const [{ TrenioError }, { clustersFolder }, { slurmEngine }] = await Promise.all([
    import('../../base/errors.ts'),
    import('../../clusters/cluster-folder.ts'),
    import('../../clusters/training/slurm-engine.ts'),
  ]);
  const invalid = (option: string, got: string, expected: string): Error =>
    new TrenioError('INVALID_OPTION', { what: 'trenio server', option, got, expected });
  if (engine === 'local') {
    if (cluster !== undefined) throw invalid('--cluster', cluster, 'no value without --engine slurm');
    return undefined;
  }
  if (engine !== 'slurm') throw invalid('--engine', engine, 'local or slurm');
  if (cluster === undefined) throw invalid('--cluster', 'nothing', 'the name of a cluster, for --engine slurm');
  if (pool !== undefined)
    throw invalid('--pool', pool, 'no value with --engine slurm: the cluster says which instances there are');
  return slurmEngine(clustersFolder(environment), cluster, data);
}

const readyText = (
  url: string,
  console: string,
  { id, secret }: { readonly id: string; readonly secret: string },
  region: string,
  data: string,
): string =>
  `${[
    `trenio server: ${url} (data in ${data}; stop with Ctrl-C)`,
    `console: ${console} (signs in once)`,
    '',
    'For clients, in another shell:',
    `  export AWS_ENDPOINT_URL=${url}`,
    `  export AWS_ACCESS_KEY_ID=${id}`,
    `  export AWS_SECRET_ACCESS_KEY=${secret}`,
    `  export AWS_DEFAULT_REGION=${region} AWS_REGION=${region}`,
  ].join('\n')}\n`;

function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  if (signal.aborted) resolve();
  return promise;
}
