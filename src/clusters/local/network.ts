// The network of a cluster's virtual nodes: a bridge on this machine with its address, and a free port for slurmctld.
import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Addresses are 10.N.x.y; node k has 10.N.(k + 10), the machine 10.N.0.1. */
const FIRST_SUBNET = 77;
const LAST_SUBNET = 250;
/** Below the system's ephemeral ports. */
const FIRST_PORT = 17_000;
const LAST_PORT = 32_000;
const PORT_STEP = 80;

export const bridgeOf = (subnet: number): string => `trenio${subnet}`;
export const gatewayOf = (subnet: number): string => `10.${subnet}.0.1`;
export const addressOf = (subnet: number, index: number): string =>
  `10.${subnet}.${Math.floor((index + 10) / 256)}.${(index + 10) % 256}`;

/**
 * Creates the bridge of a free subnet.
 * @param taken subnets of other clusters, including those whose bridge was removed
 * @param record called with the subnet before its bridge is created, so that an interrupted command leaves none that is unknown
 */
export async function makeBridge(taken: ReadonlySet<number>, record: (subnet: number) => void): Promise<number> {
  const { stdout } = await run('ip', ['-o', '-4', 'addr']);
  const used = new Set([...stdout.matchAll(/inet 10\.(\d+)\./g)].map(match => Number(match[1])));
  for (let subnet = FIRST_SUBNET; subnet <= LAST_SUBNET; subnet++) {
    if (used.has(subnet) || taken.has(subnet)) continue;
    record(subnet);
    const bridge = bridgeOf(subnet);
    try {
      await run('ip', ['link', 'add', bridge, 'type', 'bridge']);
    } catch (error) {
      // Another command has just created it.
      if (error instanceof Error && error.message.includes('File exists')) continue;
      throw error;
    }
    await raiseBridge(subnet);
    return subnet;
  }
  throw new Error(`no free network from 10.${FIRST_SUBNET}.0.0 to 10.${LAST_SUBNET}.0.0`);
}

/** Assigns the address of the bridge, and creates the bridge if it does not exist. */
export async function raiseBridge(subnet: number): Promise<void> {
  const bridge = bridgeOf(subnet);
  const has = await run('ip', ['link', 'show', bridge]).then(
    () => true,
    () => false,
  );
  if (!has) await run('ip', ['link', 'add', bridge, 'type', 'bridge']);
  await run('ip', ['addr', 'replace', `${gatewayOf(subnet)}/16`, 'dev', bridge]);
  await run('ip', ['link', 'set', bridge, 'up']);
}

export async function removeBridge(subnet: number): Promise<void> {
  await run('ip', ['link', 'del', bridgeOf(subnet)]).catch((error: Error) => {
    if (!error.message.includes('Cannot find device')) throw error;
  });
}

/**
 * The first of `count` consecutive free ports. Commands start at different ports, because several may search at the same time.
 * @param subnet the cluster's own subnet; null: none
 */
export async function findPorts(count: number, subnet: number | null): Promise<number> {
  const steps = Math.floor((LAST_PORT - FIRST_PORT) / PORT_STEP);
  const first = subnet === null ? process.pid % steps : subnet - FIRST_SUBNET;
  for (let step = 0; step < steps; step++) {
    const port = FIRST_PORT + ((first + step) % steps) * PORT_STEP;
    if (port + count > LAST_PORT) continue;
    const free = await Promise.all(Array.from({ length: count }, (_, i) => isFree(port + i)));
    if (free.every(Boolean)) return port;
  }
  throw new Error(`no ${count} free ports in a row between ${FIRST_PORT} and ${LAST_PORT}`);
}

const isFree = (port: number): Promise<boolean> =>
  new Promise(done => {
    const server = createServer();
    server.once('error', () => done(false));
    server.listen(port, '0.0.0.0', () => server.close(() => done(true)));
  });
