// Linux hosts for tests: each is an sshd in separate namespaces, with its own network, host name, processes and /tmp.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf, bridgeOf, gatewayOf, makeBridge, removeBridge } from '../src/clusters/local/network.ts';
import { connectToBridge, leftOurNetwork } from '../src/jobs/hosts/network-namespace.ts';

const SSHD = '/usr/sbin/sshd';
const repository = dirname(import.meta.dirname);
export const hasSshd = (): boolean => existsSync(SSHD);

/** $1 name, $2 address, $3 gateway, $4 a folder that stays visible below /tmp, $5 the repository, which may be there, too. */
const INIT = `
mount --make-rprivate / && mount -t proc proc /proc
hostname "$1"
until ip link show eth0 >/dev/null 2>&1; do sleep 0.02; done
ip link set lo up && ip addr add "$2/16" dev eth0 && ip link set eth0 up && ip route add default via "$3"
mount --bind "$4" /mnt && mount --bind "$5" /media && mount -t tmpfs tmpfs /tmp
mkdir -p "$4" "$5" && mount --bind /mnt "$4" && mount --bind /media "$5"
mount -t tmpfs tmpfs /run && mkdir -p /run/sshd
# A name server that cannot be reached is waited for; without one, names are unknown at once.
: > /run/resolv.conf && mount --bind /run/resolv.conf /etc/resolv.conf
${SSHD} -D -e -f "$4/sshd_config" 2> "$4/sshd.$1.log" &
wait $!
`;

export class OwnHosts implements AsyncDisposable {
  readonly addresses: readonly string[];
  /** A configuration file of ssh, with the key. */
  readonly sshConfig: string;
  readonly #subnet: number;
  readonly #hosts: ChildProcess[] = [];

  private constructor(subnet: number, addresses: readonly string[], sshConfig: string) {
    this.#subnet = subnet;
    this.addresses = addresses;
    this.sshConfig = sshConfig;
  }

  /** @param folder below /tmp, for keys and logs */
  static async start(folder: string, count: number): Promise<OwnHosts> {
    mkdirSync(folder, { recursive: true });
    for (const name of ['host_key', 'user_key'])
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)]);
    writeFileSync(join(folder, 'authorized_keys'), readFileSync(join(folder, 'user_key.pub')), { mode: 0o600 });
    writeFileSync(
      join(folder, 'sshd_config'),
      [
        ...['Port 22', `HostKey ${folder}/host_key`, `AuthorizedKeysFile ${folder}/authorized_keys`],
        ...['StrictModes no', 'UsePAM no', 'PasswordAuthentication no', 'PermitRootLogin yes', 'PidFile none', ''],
      ].join('\n'),
    );
    const sshConfig = join(folder, 'ssh_config');
    writeFileSync(
      sshConfig,
      [
        ...['Host *', `  IdentityFile ${folder}/user_key`, '  IdentitiesOnly yes', '  User root'],
        ...[`  UserKnownHostsFile ${folder}/known_hosts`, '  StrictHostKeyChecking accept-new', '  LogLevel ERROR', ''],
      ].join('\n'),
    );
    const subnet = await makeBridge(new Set(), () => {});
    const addresses = Array.from({ length: count }, (_, i) => addressOf(subnet, i));
    const hosts = new OwnHosts(subnet, addresses, sshConfig);
    for (const [i, address] of addresses.entries()) {
      const child = spawn(
        'setpriv',
        [
          ...['--pdeathsig=KILL', 'unshare', '--net', '--uts', '--mount', '--pid', '--fork', '--kill-child=SIGKILL'],
          ...['bash', '-euc', INIT, 'host', `own${i + 1}`, address, gatewayOf(subnet), folder, repository],
        ],
        { stdio: ['ignore', 'ignore', 'inherit'] },
      );
      hosts.#hosts.push(child);
      await leftOurNetwork(child);
      await connectToBridge(child.pid!, bridgeOf(subnet));
    }
    for (const address of addresses)
      while (!answers(sshConfig, address)) {
        if (hosts.#hosts.some(({ exitCode }) => exitCode !== null)) throw new Error('a host has ended');
        await sleep(100);
      }
    return hosts;
  }

  /** Ends all processes of a host, as if it were switched off. */
  switchOff(index: number): void {
    this.#hosts[index]!.kill('SIGKILL');
  }

  /** The output of a command on a host. */
  run(index: number, command: string): string {
    return execFileSync('ssh', ['-F', this.sshConfig, this.addresses[index]!, command], { encoding: 'utf8' });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#hosts) child.kill('SIGKILL');
    await removeBridge(this.#subnet);
  }
}

function answers(config: string, address: string): boolean {
  try {
    execFileSync('ssh', ['-F', config, '-o', 'BatchMode=yes', '-o', 'ConnectTimeout=2', address, 'true'], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}
