// The connections available between ranks of several hosts: this machine's network interfaces, its MPI, the providers of
// libfabric and UCX. Found by running the tools of each installation, not by measuring.
import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { readdirSync, readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { delimiter, join } from 'node:path';
import { readVariable, type Variables } from '../../base/environment.ts';
import { compilerVersion, findMpiCompiler } from '../../runtime/toolchain/c-compiler.ts';
import type { Endpoint } from '../rendezvous/endpoint.ts';
import { currentJob } from './job.ts';

/** A network interface of this machine. */
export interface NetworkInterface {
  readonly name: string;
  readonly addresses: readonly string[];
  /** Bytes of the largest packet; undefined if the system does not report it. */
  readonly mtu: number | undefined;
  /** The speed reported by its driver; virtual interfaces have none. */
  readonly megabitsPerSecond: number | undefined;
  readonly isUp: boolean;
  /** The address at which ranks of other hosts reach those of this one. */
  readonly isUsed: boolean;
}

/** The transport of the messages, and the reason for it. */
export interface TransportChoice {
  readonly transport: 'shared memory' | 'tcp' | 'mpi' | 'none';
  readonly why: string;
}

export interface Fabric {
  /** The transports of ranks that `trenio run` starts: within a host, and between hosts. */
  readonly withinHost: TransportChoice;
  readonly betweenHosts: TransportChoice;
  /** The transport of a script that mpirun or srun starts without `trenio run`. */
  readonly mpiJob: TransportChoice;
  readonly mpi: {
    /** The mpicc that would compile our part. */
    readonly compiler: string | undefined;
    /** Such as `Open MPI 4.1.4`. */
    readonly implementation: string | undefined;
    /** MPI's own description of its transports. */
    readonly transports: readonly string[];
  };
  readonly libfabric: Found;
  readonly ucx: Found;
  /** InfiniBand, RoCE and EFA devices. */
  readonly rdmaDevices: readonly string[];
  readonly interfaces: readonly NetworkInterface[];
}

interface Found {
  /** The program that was queried; undefined if it is not installed. */
  readonly tool: string | undefined;
  /** The shared library, which works without the program. */
  readonly library: string | undefined;
  readonly version: string | undefined;
  readonly providers: readonly string[];
}

const ANSWER_MS = 10_000;

/** `endpoint`: where the launchers would meet. @throws {BAD_ENVIRONMENT} @throws {JOB_UNCLEAR} */
export async function findFabric(variables: Variables, endpoint: Endpoint | undefined): Promise<Fabric> {
  const compiler = findMpiCompiler(variables);
  const ask = (tool: string, ...words: readonly string[]): Promise<string | undefined> =>
    answer(tool, words, variables);
  const [address, openMpi, mpich, fabric, fabricVersion, ucx, ucxVersion, libraries = ''] = await Promise.all([
    ownAddress(variables, endpoint),
    ask('ompi_info'),
    ask('mpichversion'),
    ask('fi_info', '--list'),
    ask('fi_info', '--version'),
    ask('ucx_info', '-d'),
    ask('ucx_info', '-v'),
    ask('ldconfig', '-p'),
  ]);
  const version = compiler === undefined ? '' : compilerVersion(compiler);
  const isMpich = /mpich/.test(compiler?.identity ?? '') || /mpich/i.test(version);
  const implementation =
    compiler === undefined ? undefined : isMpich ? versionOf('MPICH', mpich) : versionOf('Open MPI', openMpi);
  const job = currentJob(variables);
  const forced = readVariable('TRENIO_TRANSPORT', variables);
  return {
    withinHost: { transport: 'shared memory', why: 'ranks of one host share a segment of memory' },
    betweenHosts: {
      transport: 'tcp',
      why: `trenio run starts the ranks${job === undefined ? '' : `, as tasks of ${job.kind}`}; they connect to each other at ${address ?? 'an address of each host'}`,
    },
    mpiJob:
      forced === 'tcp'
        ? { transport: 'none', why: 'TRENIO_TRANSPORT=tcp: such ranks are started by trenio run' }
        : compiler === undefined
          ? { transport: 'none', why: 'there is no mpicc on PATH: each process would train alone' }
          : {
              transport: 'mpi',
              why: `${compiler.path} is there${implementation === undefined ? '' : ` (${implementation})`}`,
            },
    mpi: {
      compiler: compiler?.path,
      implementation,
      transports: isMpich ? (/^MPICH Device:\s*(\S+)/m.exec(mpich ?? '')?.slice(1) ?? []) : componentsOf(openMpi),
    },
    libfabric: {
      tool: fabric === undefined ? undefined : 'fi_info',
      library: /^\s*(libfabric\.so\.\d+) /m.exec(libraries)?.[1],
      version: /^libfabric:\s*(\S+)/m.exec(fabricVersion ?? '')?.[1],
      providers: [...(fabric ?? '').matchAll(/^(\S+):$/gm)].flatMap(match =>
        match[1]!.startsWith('ofi_hook') ? [] : [match[1]!],
      ),
    },
    ucx: {
      tool: ucx === undefined ? undefined : 'ucx_info',
      library: /^\s*(libucp\.so\.\d+) /m.exec(libraries)?.[1],
      version: /version\s*=?\s*(\d[\d.]*)/i.exec(ucxVersion ?? '')?.[1],
      providers: [...new Set([...(ucx ?? '').matchAll(/Transport: (\S+)/g)].map(match => match[1]!))],
    },
    rdmaDevices: namesIn('/sys/class/infiniband'),
    interfaces: interfacesOf(address),
  };
}

/** `Open MPI: 4.1.4`, `MPICH Version: 4.0.2`. */
const versionOf = (name: string, text: string | undefined): string => {
  const version = new RegExp(`^\\s*${name}(?: Version)?:\\s*(\\S+)`, 'm').exec(text ?? '')?.[1];
  return version === undefined ? name : `${name} ${version}`;
};

/** `MCA btl: tcp (MCA v2.1.0, …)`: how Open MPI can send messages. */
const componentsOf = (text: string | undefined): readonly string[] =>
  [
    ...new Set([...(text ?? '').matchAll(/^\s*MCA (btl|mtl|pml): (\w+)/gm)].map(match => `${match[1]} ${match[2]}`)),
  ].toSorted();

/** The address at which ranks of other hosts would reach this one: the source address of packets to the endpoint. */
async function ownAddress(variables: Variables, endpoint: Endpoint | undefined): Promise<string | undefined> {
  const given = readVariable('TRENIO_COMM_ADDRESS', variables);
  if (given !== undefined || endpoint === undefined) return given;
  const socket = createSocket('udp4');
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  // Nothing is sent: connecting only looks up the route.
  socket.once('error', () => resolve(undefined));
  socket.connect(endpoint.port || 1, endpoint.host, () => resolve(socket.address().address));
  const address = await promise;
  socket.close();
  return address;
}

function interfacesOf(used: string | undefined): readonly NetworkInterface[] {
  const known = networkInterfaces();
  const names = new Set([...Object.keys(known), ...namesIn('/sys/class/net')]);
  return [...names].toSorted().map(name => {
    const addresses = (known[name] ?? []).map(({ address }) => address);
    const number = (file: string): number | undefined => {
      const value = Number(textOf(join('/sys/class/net', name, file)) ?? Number.NaN);
      return value > 0 ? value : undefined;
    };
    return {
      name,
      addresses,
      mtu: number('mtu'),
      megabitsPerSecond: number('speed'),
      isUp: addresses.length > 0 || textOf(join('/sys/class/net', name, 'operstate'))?.trim() === 'up',
      isUsed: used !== undefined && addresses.includes(used),
    };
  });
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined; // not Linux; or an interface that is down, or has no speed
  }
}
function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return []; // not Linux, or there are none
  }
}

/** The output of a program; undefined if it does not exist, or fails. */
function answer(tool: string, words: readonly string[], variables: Variables): Promise<string | undefined> {
  const path = [readVariable('PATH', variables) ?? '', '/opt/amazon/efa/bin', '/sbin', '/usr/sbin'].join(delimiter);
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  execFile(tool, words, { env: { ...variables, PATH: path }, timeout: ANSWER_MS }, (error, stdout) =>
    resolve(error === null ? stdout : undefined),
  );
  return promise;
}
