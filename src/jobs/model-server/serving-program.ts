// A program that serves a model: places its files, starts it in a private root view, and polls GET /ping until it is ready. It
// implements the contract of SageMaker's serving containers:
//
//   program serve     SAGEMAKER_BIND_TO_PORT: where to listen      GET /ping 200: ready      POST /invocations
//   /opt/ml/model     the files of the model                        SIGTERM, 30 s, SIGKILL
//
// How its requests reach it:
//
//   image trenio             its own Unix socket, in a folder of this user
//   EnableNetworkIsolation   a Unix socket in such a folder ─ relay ─ port in its own network
//   other images             a port of 127.0.0.1, which other users of this machine can reach, too
//
// https://docs.aws.amazon.com/sagemaker/latest/dg/your-algorithms-inference-code.html

import { type ChildProcess, spawn } from 'node:child_process';
import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { neighbor } from '../../base/neighbor.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import { ClientFault } from '../client-fault.ts';
import {
  type Container,
  type ContainerEngine,
  containerWords,
  findEngine,
  removeContainer,
} from '../hosts/container-engine.ts';
import { signalProgram } from '../hosts/first-process.ts';
import { inNetworkOf, networkHolder } from '../hosts/network-namespace.ts';
import type { Image } from '../images.ts';
import { SecretMask } from '../secrets.ts';
import type { Container as ServedContainer } from '../store/resources.ts';
import { describeIsolation, detectIsolation, jobUser, sandboxed } from '../training/sandbox.ts';
import { packageRoot, withDependencies } from '../training/training-command.ts';
import { placeModel } from './model-archive.ts';
import { pings, type ReplicaAddress } from './ping.ts';

export interface ServingProgramOptions {
  readonly objects: ObjectStore;
  readonly container: ServedContainer;
  readonly image: Image;
  /** The folder of this program alone; removed when it ends. */
  readonly folder: string;
  readonly hostName: string;
  readonly cores: number;
  /** Variables that a program inherits, such as PATH. */
  readonly inherited: NodeJS.ProcessEnv;
  /** Paths that it does not see (training/sandbox.ts). */
  readonly hidden: readonly string[];
  /** Environment variables in addition to those of the contract. */
  readonly variables: Readonly<Record<string, string>>;
  /** The program of the image `trenio`. */
  readonly serveProgram: string;
  readonly startupTimeoutMs: number;
  readonly onLine: (line: string) => void;
  /** Whether this port is assigned to another program. */
  readonly claimPort: (port: number) => boolean;
}

/** The program ended, or did not become ready in time. */
export class NotReadyError extends Error {}

const PING_EVERY_MS = 50;
const PING_TIMEOUT_MS = 2000;
const DEFAULT_GRACE_MS = 30_000;
const relay = fileURLToPath(neighbor(import.meta.url, './relay.ts'));

export class ServingProgram implements AsyncDisposable {
  readonly address: ReplicaAddress;
  /** Its exit code, available when its output has been read to the end. */
  readonly ended: Promise<number>;
  readonly #options: ServingProgramOptions;
  readonly #child: ChildProcess;
  readonly #helpers: readonly ChildProcess[];
  readonly #socketFolder: string | undefined;
  readonly #container: Container | undefined;
  #exit: number | undefined;

  private constructor(
    options: ServingProgramOptions,
    child: ChildProcess,
    address: ReplicaAddress,
    helpers: readonly ChildProcess[],
    socketFolder: string | undefined,
    container: Container | undefined,
  ) {
    this.#options = options;
    this.#child = child;
    this.#helpers = helpers;
    this.#socketFolder = socketFolder;
    this.#container = container;
    this.address = address;
    this.ended = new Promise(resolve => {
      const end = (code: number): void => {
        this.#exit = code;
        resolve(code);
      };
      child.once('error', error => {
        options.onLine(error.message);
        end(127);
      });
      child.once('close', (code, signal) => end(code ?? (signal === 'SIGKILL' ? 137 : 143)));
    });
    const secrets = new SecretMask(options.container.environment, options.variables);
    for (const stream of [child.stdout!, child.stderr!])
      createInterface({ input: stream }).on('line', line => options.onLine(secrets.mask(line)));
  }

  /**
   * Places the files and starts the program; it is not ready yet.
   * @throws {ClientFault} for a model that cannot be placed, or an image that cannot serve
   */
  static async start(options: ServingProgramOptions): Promise<ServingProgram> {
    const { container, folder, hostName } = options;
    const isolation = detectIsolation();
    const ml = join(folder, 'ml');
    const engine = options.image.kind === 'docker' ? engineFor(container) : undefined;
    const root = isolation === 'none' && engine === undefined ? ml : '/opt/ml';
    await mkdir(join(folder, 'tmp'), { recursive: true });
    await mkdir(join(ml, 'model'), { recursive: true });
    await writeFile(join(folder, 'hosts'), `127.0.0.1 localhost ${hostName}\n::1 localhost\n`);
    if (container.data !== undefined) await placeModel(options.objects, container.data, join(ml, 'model'));
    const command = servingCommand(options, root);
    const note = describeIsolation(isolation, !container.hasNetwork);
    if (note !== undefined) options.onLine(note);
    const port = await freePort(options.claimPort);
    const helpers: ChildProcess[] = [];
    let networkOf: number | undefined;
    if (!container.hasNetwork && isolation !== 'none') {
      const holder = await networkHolder();
      networkOf = holder.pid;
      helpers.push(holder);
    }
    const listensOnSocket = options.image.kind === 'trenio';
    // The path of a socket has at most 107 bytes: not below the server's folder.
    const socketFolder =
      listensOnSocket || networkOf !== undefined ? await mkdtemp(join(tmpdir(), 'trenio-')) : undefined;
    const address: ReplicaAddress =
      socketFolder === undefined ? { port } : { socketPath: join(socketFolder, 'socket') };
    if (!listensOnSocket && networkOf !== undefined && 'socketPath' in address)
      helpers.push(await startRelay(networkOf, address.socketPath, port));
    const exposed = listensOnSocket && socketFolder !== undefined ? [socketFolder] : [];
    const user = jobUser(isolation);
    if (listensOnSocket && socketFolder !== undefined && user !== undefined) await chown(socketFolder, user, user);
    const { hidden } = options;
    const view = { folder, hostName, networkOf, hidden, expose: [withDependencies(packageRoot()), ...exposed] };
    const variables = {
      ...(options.image.kind === 'trenio' ? {} : options.image.environment),
      SM_MODEL_DIR: `${root}/model`,
      ...container.environment,
      ...options.variables,
      SAGEMAKER_BIND_TO_PORT: String(port),
      ...(listensOnSocket && 'socketPath' in address ? { TRENIO_SERVE_SOCKET: address.socketPath } : {}),
    };
    const own: Container | undefined =
      engine === undefined || options.image.kind !== 'docker'
        ? undefined
        : {
            ...{ engine, image: options.image.image, name: `trenio-${hostName}`, hostName, ml, networkOf },
            ...{ hosts: join(folder, 'hosts'), hasEntrypoint: false, hasNetwork: true, limits: undefined },
            variables: Object.keys(variables),
          };
    const words = own === undefined ? sandboxed(view, command, isolation) : containerWords(own, command);
    const [program, ...args] = words;
    const child = spawn(program!, args, {
      cwd: ml,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...options.inherited,
        TRENIO_NUM_THREADS: String(Math.max(1, Math.floor(options.cores))),
        TRENIO_TIERS: 'wait', // requests come when its programs are compiled
        ...variables,
      },
    });
    return new ServingProgram(options, child, address, helpers, socketFolder, own);
  }

  /**
   * Resolves when GET /ping is answered with 200.
   * @throws {NotReadyError}
   */
  async ready(signal?: AbortSignal): Promise<void> {
    const end = performance.now() + this.#options.startupTimeoutMs;
    while (performance.now() < end) {
      signal?.throwIfAborted();
      if (await pings(this.address, PING_TIMEOUT_MS)) return;
      if (this.#exit !== undefined) throw new NotReadyError(`it ended with exit code ${this.#exit}`);
      await Promise.race([sleep(PING_EVERY_MS), this.ended]);
    }
    throw new NotReadyError(`GET /ping was not answered with 200 within ${this.#options.startupTimeoutMs / 1000} s`);
  }

  /** SIGTERM, then SIGKILL; leaves no processes or files behind. */
  async stop(graceMs = DEFAULT_GRACE_MS): Promise<void> {
    if (graceMs > 0) this.#signal('SIGTERM');
    const timer = setTimeout(() => this.#signal('SIGKILL'), graceMs);
    await this.ended;
    clearTimeout(timer);
    // Also ends processes that the program has left behind if there are no namespaces.
    this.#killGroup();
    if (this.#container !== undefined) removeContainer(this.#container);
    for (const helper of this.#helpers) helper.kill('SIGKILL');
    for (const folder of [this.#options.folder, this.#socketFolder])
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop(0);
  }

  #signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    const { pid } = this.#child;
    if (pid !== undefined && this.#exit === undefined) signalProgram(pid, signal);
  }

  #killGroup(): void {
    const { pid } = this.#child;
    if (pid !== undefined) signalProgram(pid, 'SIGKILL');
  }
}

/** @throws {ClientFault} */
function engineFor({ hasNetwork }: ServedContainer): ContainerEngine {
  const engine = findEngine();
  if (engine === undefined) throw new ClientFault('Neither Docker nor Podman works on this machine.');
  // Containers of Docker could not be reached.
  if (engine === 'docker' && !hasNetwork)
    throw new ClientFault('EnableNetworkIsolation of images of the kind docker needs Podman on this machine.');
  return engine;
}

/** @throws {ClientFault} */
function servingCommand({ image, container, serveProgram }: ServingProgramOptions, root: string): readonly string[] {
  switch (image.kind) {
    case 'docker':
      return ['serve'];
    case 'command':
      if (image.serve === undefined)
        throw new ClientFault(`The image '${container.image}' has no command for serving: it has no "serve".`);
      return image.serve;
    case 'trenio':
      return [process.execPath, '--disable-warning=ExperimentalWarning', serveProgram, `${root}/model`];
  }
}

/** A free port that is not assigned to another program. */
async function freePort(claim: (port: number) => boolean): Promise<number> {
  for (;;) {
    const server = createServer();
    const port = await new Promise<number>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
    });
    await new Promise(resolve => server.close(resolve));
    if (claim(port)) return port;
  }
}

/** Forwards connections of a socket to a port in another network: the only way into it. */
async function startRelay(networkOf: number, socketPath: string, port: number): Promise<ChildProcess> {
  const words = ['--pdeathsig=KILL', ...inNetworkOf(networkOf), process.execPath];
  const child = spawn('setpriv', [...words, relay, socketPath, String(port)], {
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  const failed = new Promise<never>((_, reject) => {
    child.once('error', reject);
    child.once('exit', code => reject(new Error(`the relay into the network has ended (exit code ${code})`)));
  });
  failed.catch(() => {});
  await Promise.race([listening(socketPath), failed]);
  return child;
}

async function listening(socketPath: string): Promise<void> {
  for (;;) {
    const isThere = await new Promise<boolean>(resolve => {
      const socket = connect(socketPath, () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => resolve(false));
    });
    if (isThere) return;
    await sleep(PING_EVERY_MS);
  }
}
