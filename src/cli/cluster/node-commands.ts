// Commands of `trenio cluster` that run something inside of it: a shell on a node, the REST server; and its list of logs.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readVariable } from '../../base/environment.ts';
import { TrenioError } from '../../base/errors.ts';
import { lifeOf, parseIdentity } from '../../base/process-identity.ts';
import { clustersFolder, findCluster } from '../../clusters/cluster-folder.ts';
import { requireOwn } from '../../clusters/cluster-life.ts';
import { restProgram, slurmVariables } from '../../clusters/slurm/slurm-programs.ts';
import { addressOfHost } from '../../clusters/ssh/own-hosts.ts';
import { quoted, sshWords } from '../../clusters/ssh/ssh-client.ts';
import { withVolumes } from '../../clusters/storage/shared-view.ts';
import { ensureSupervisor } from '../../clusters/supervisor-life.ts';
import type { CliContext } from '../command/command.ts';
import type { NameInput, SshInput } from './cluster-options.ts';
import { json, nameOf } from './commands.ts';

export async function ssh({ options, positionals: [command], rest }: SshInput, context: CliContext): Promise<number> {
  const { environment, cwd } = context;
  const { folder, state } = findCluster(clustersFolder(environment), nameOf(options, 'ssh'));
  requireOwn(state);
  await ensureSupervisor(folder);
  const words = command === undefined ? [readVariable('SHELL', environment) ?? '/bin/sh'] : [command, ...rest];
  const { node } = options;
  const variables = slurmVariables(folder.conf);
  if (node === undefined) return run(withVolumes(state.volumes, words), cwd, variables);
  const host = state.hosts[node];
  if (host !== undefined) {
    const slurm = `SLURM_CONF=${quoted(folder.conf)} SLURMD_NODENAME=${quoted(node)}`;
    const line =
      command === undefined ? `export ${slurm}; exec "\${SHELL:-sh}" -l` : `${slurm} ${words.map(quoted).join(' ')}`;
    const [ssh = '', ...args] = sshWords(addressOfHost(host, state), line);
    return run([ssh, ...(command === undefined ? ['-t', '-t'] : []), ...args], cwd, variables);
  }
  const text = folder.processes().nodes[node]?.process;
  const identity = parseIdentity(text ?? '');
  if (identity === undefined || lifeOf(identity) === 'ended')
    throw new TrenioError('INVALID_OPTION', {
      what: 'trenio cluster ssh',
      option: '--node',
      got: node,
      expected: `a running node: ${Object.keys(folder.processes().nodes).join(', ') || 'none is running'}`,
    });
  // Without namespaces, a node is this machine.
  if (state.subnet === null) return run(words, cwd, { ...variables, SLURMD_NODENAME: node });
  return run(
    ['nsenter', `--target=${firstChild(identity.pid)}`, '--mount', '--uts', '--net', '--pid', `--wd=${cwd}`, ...words],
    '/',
    { ...variables, SLURMD_NODENAME: node },
  );
}

/** Process 1 of the node: the only child of the one that made its namespaces. */
function firstChild(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return Number(children[0]);
}

export async function rest({ options }: NameInput, context: CliContext): Promise<number> {
  const { environment, stderr, signal } = context;
  const { folder, state } = findCluster(clustersFolder(environment), nameOf(options, 'rest'));
  await ensureSupervisor(folder);
  const program = restProgram();
  // slurmrestd's socket is open to all users, and acts as its own: the folder is not.
  const own = join(state.runFolder === '' ? folder.path : state.runFolder, 'rest');
  mkdirSync(own, { recursive: true, mode: 0o700 });
  const socket = join(own, 'slurm.sock');
  // A server that was killed leaves its socket.
  rmSync(socket, { force: true });
  stderr.write(`curl --unix-socket ${socket} http://localhost/slurm/v0.0.38/ping\n`);
  const variables = {
    ...slurmVariables(folder.conf),
    // It refuses to run as root or as Slurm's user otherwise.
    SLURMRESTD_SECURITY: 'disable_user_check',
  };
  try {
    return await run(
      [program, '-a', 'rest_auth/local', '-s', 'openapi/v0.0.38', `unix:${socket}`],
      folder.path,
      variables,
      signal,
    );
  } finally {
    rmSync(socket, { force: true });
  }
}

export async function logStreams({ options }: NameInput, { stdout, environment }: CliContext): Promise<number> {
  const { folder } = findCluster(clustersFolder(environment), nameOf(options, 'list-cluster-log-streams'));
  const logs = join(folder.path, 'log');
  const names = readdirSync(logs).filter(name => name.endsWith('.log'));
  const streams = names.sort().map(name => {
    const { size, mtime } = statSync(join(logs, name));
    return {
      logStreamName: name.replace(/\.log$/, '').replace(/^slurmd\./, ''),
      lastEventTimestamp: mtime.toISOString(),
      storedBytes: size,
    };
  });
  stdout.write(`${json({ logStreams: streams })}\n`);
  return 0;
}

function run(
  [program, ...args]: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<number> {
  const child = spawn(program!, args, { cwd, stdio: 'inherit', env });
  signal?.addEventListener('abort', () => child.kill('SIGTERM'));
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('exit', (code, ended) => done(ended === null ? (code ?? 1) : 1));
  });
}
