// Whether ssh hosts can be nodes of a cluster: reachable without a password, Slurm's and munge's programs of the right version,
// the same user id, clocks that agree. Nothing is changed on them.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { TrenioError } from '../../base/errors.ts';
import { slurmPrograms } from '../slurm/slurm-programs.ts';
import { quoted, runOnHost, type SshAddress, SshError } from './ssh-client.ts';

export const ownHostSchema = z.object({
  target: z.string(),
  port: z.int().optional(),
  /** The output of `hostname` on it. */
  hostName: z.string(),
  /** The address at which ssh reached it; Slurm uses it, too. */
  address: z.string(),
  cpus: z.int(),
  memoryMiB: z.int(),
});
export type OwnHost = Readonly<z.output<typeof ownHostSchema>>;

export interface CheckedHosts {
  readonly hosts: readonly OwnHost[];
  /** The address of this machine for the hosts. */
  readonly controller: string;
}

/** munge refuses messages whose time differs by more than five minutes. */
const MAX_CLOCK_SECONDS = 120;
const PACKAGES = { slurmd: 'slurmd', munged: 'munge', scontrol: 'slurm-client' } as const;

/** The script that runs on a host; $1 is a file on this machine. */
const QUESTIONS = `PATH="$PATH:/usr/sbin:/sbin"
echo "uid=$(id -u)"; echo "hostName=$(hostname -s 2>/dev/null || hostname)"; echo "cpus=$(nproc)"
echo "memoryMiB=$(awk '$1 == "MemTotal:" { print int($2 / 1024) }' /proc/meminfo)"
echo "connection=$SSH_CONNECTION"; echo "seconds=$(date +%s)"
for program in ${Object.keys(PACKAGES).join(' ')}; do command -v "$program" >/dev/null || echo "missing=$program"; done
echo "version=$(slurmd -V 2>/dev/null)"
[ ! -e "$1" ] || echo "same=yes"`;

/** @throws {CLUSTER_HOSTS_UNUSABLE} with all problems of all hosts */
export async function checkHosts(
  listed: readonly Omit<SshAddress, 'config'>[],
  config: string | undefined,
): Promise<CheckedHosts> {
  const { stdout: version } = await promisify(execFile)(slurmPrograms().slurmctld, ['-V']);
  const probe = mkdtempSync(join(tmpdir(), 'trenio-probe-'));
  try {
    const answers = await Promise.all(listed.map(host => ask(host, config, probe)));
    const problems: string[] = [];
    const hosts: OwnHost[] = [];
    let controller = '';
    for (const [i, answer] of answers.entries()) {
      const { target, port } = listed[i]!;
      const found = typeof answer === 'string' ? [answer] : problemsOf(answer, version.trim());
      problems.push(...found.map(text => `${target}: ${text}`));
      if (typeof answer === 'string' || found.length > 0) continue;
      const [client = '', , address = ''] = one(answer, 'connection').split(' ');
      const twin = hosts.find(host => host.address === address && host.hostName === one(answer, 'hostName'));
      if (twin !== undefined) problems.push(`${target}: the same host as ${twin.target}`);
      controller ||= client;
      const [cpus, memoryMiB] = ['cpus', 'memoryMiB'].map(name => Number(one(answer, name))) as [number, number];
      hosts.push({
        ...{ target, hostName: one(answer, 'hostName'), address, cpus, memoryMiB },
        ...(port === undefined ? {} : { port }),
      });
    }
    if (problems.length > 0) throw new TrenioError('CLUSTER_HOSTS_UNUSABLE', { problems });
    return { hosts, controller };
  } finally {
    rmSync(probe, { recursive: true, force: true });
  }
}

type Answer = ReadonlyMap<string, readonly string[]>;

/** Returns the answer, or the reason why there is none. */
async function ask(
  { target, port }: Omit<SshAddress, 'config'>,
  config: string | undefined,
  probe: string,
): Promise<Answer | string> {
  try {
    const text = await runOnHost({ target, port, config }, `sh -c ${quoted(QUESTIONS)} sh ${quoted(probe)}`);
    const lines = text.split('\n').filter(line => line.includes('='));
    const answer = new Map<string, string[]>();
    for (const line of lines) {
      const at = line.indexOf('=');
      answer.set(line.slice(0, at), [...(answer.get(line.slice(0, at)) ?? []), line.slice(at + 1)]);
    }
    return answer;
  } catch (error) {
    if (error instanceof SshError) return `ssh: ${error.message}`;
    throw error;
  }
}

const one = (answer: Answer, name: string): string => answer.get(name)?.[0] ?? '';

function problemsOf(answer: Answer, version: string): readonly string[] {
  if (answer.has('same')) return ['it is this machine, or shares its /tmp; this machine is the head node'];
  const problems: string[] = [];
  const missing = answer.get('missing') ?? [];
  if (missing.length > 0) {
    const packages = [...new Set(missing.map(name => PACKAGES[name as keyof typeof PACKAGES] ?? name))];
    const line = ['apt-get install -y --no-install-recommends', ...packages, 'slurm-wlm-basic-plugins'].join(' ');
    problems.push(`${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing; there: ${line}`);
  }
  const theirs = one(answer, 'version');
  if (theirs !== '' && theirs !== version) problems.push(`it has ${theirs}, this machine ${version}`);
  const uid = process.getuid?.();
  if (one(answer, 'uid') !== String(uid))
    problems.push(`the user on the host has the id ${one(answer, 'uid')}, not ${uid}`);
  const off = Math.round(Number(one(answer, 'seconds')) - Date.now() / 1000);
  if (Math.abs(off) > MAX_CLOCK_SECONDS) problems.push(`its clock is ${off} s from this machine's, too far for munge`);
  return problems;
}
