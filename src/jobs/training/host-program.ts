// The program of one host of a job, with all of its descendants, in the host's view of the machine.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectFileError } from '../../base/file-error.ts';
import { type Container, containerWords, removeContainer } from '../hosts/container-engine.ts';
import { ControlGroup, type HostLimits, withoutGroup } from '../hosts/control-group.ts';
import { signalProgram } from '../hosts/first-process.ts';
import { detectIsolation, type HostView, sandboxed } from './sandbox.ts';
import { packageRoot } from './training-command.ts';

export interface HostCommand {
  /** Its working directory if there are no namespaces. */
  readonly folder: string;
  readonly view: HostView;
  readonly command: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  /** Runs the command of an image; undefined: a program of this machine, in the view. */
  readonly container?: Container | undefined;
  /** The cores and memory that it may use; undefined: all. */
  readonly limits?: HostLimits | undefined;
  /** The name of its control group: no other host has the same. */
  readonly groupName?: string | undefined;
  /** Called with each line that it prints. */
  readonly onLine: (line: string) => void;
}

/** A program on a host. Engines other than this machine have their own implementation. */
export interface RunningProgram<Host> {
  readonly host: Host;
  readonly ended: Promise<void>;
  readonly exit: number | undefined;
  /** Undefined without limits, or if groups cannot be created. */
  readonly group: ControlGroup | undefined;
  signal(signal: 'SIGTERM' | 'SIGKILL'): void;
  /** Cleans up after it has ended. */
  release(): Promise<void>;
}

const GRACE_MS = 120_000;
const POLL_MS = 250;

export class HostProgram<Host> implements RunningProgram<Host> {
  readonly host: Host;
  readonly ended: Promise<void>;
  exit: number | undefined;
  readonly group: ControlGroup | undefined;
  readonly #child: ChildProcess;
  readonly #container: Container | undefined;

  private constructor(
    host: Host,
    child: ChildProcess,
    group: ControlGroup | undefined,
    container: Container | undefined,
    onLine: (line: string) => void,
  ) {
    this.host = host;
    this.group = group;
    this.#container = container;
    this.#child = child;
    this.ended = new Promise(resolve => {
      child.once('error', error => {
        this.exit = 127;
        onLine(error.message);
        resolve();
      });
      // `close`: its output has been read to the end.
      child.once('close', (code, signal) => {
        this.exit = code ?? (signal === 'SIGKILL' ? 137 : 143);
        resolve();
      });
    });
  }

  /** Starts it in the view of its host. */
  static start<Host>(
    host: Host,
    { folder, view, command, environment, container, limits, groupName, onLine }: HostCommand,
  ): HostProgram<Host> {
    const group = limits && ControlGroup.make(groupName ?? view.hostName, limits);
    const limited = limits === undefined ? [] : (group?.enter ?? withoutGroup(limits));
    const words =
      container === undefined ? sandboxed(view, command, detectIsolation()) : containerWords(container, command);
    const [program, ...args] = [...limited, ...words];
    const child = spawn(program!, args, {
      cwd: folder,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: environment,
    });
    for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', onLine);
    return new HostProgram(host, child, group, container, onLine);
  }

  /** Cleans up after it has ended: its control group and its container. */
  async release(): Promise<void> {
    if (this.#container !== undefined) removeContainer(this.#container);
    await this.group?.remove();
  }

  signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    const { pid } = this.#child;
    if (pid !== undefined && this.exit === undefined) signalProgram(pid, signal);
  }
}

export interface WatchOptions<Why> {
  /** Between SIGTERM and SIGKILL; undefined: two minutes. */
  readonly graceMs: number | undefined;
  /** The wall clock; the times between checks are measured with performance.now(), which does not jump. */
  readonly now: () => number;
  /** Called several times a second; returns the reason to end the programs, if any. */
  readonly look: (timeMs: number, isEnding: boolean) => Promise<Why | undefined>;
}

/**
 * Waits for all programs of a job. When one fails, or `look` says so, all get SIGTERM, and SIGKILL after a time. Returns the
 * first reason for which they were ended, undefined if they ended by themselves; and the program that failed first. Leaves no
 * processes behind, even if `look` throws.
 */
export async function watchPrograms<Program extends RunningProgram<unknown>, Why extends string>(
  programs: readonly Program[],
  { graceMs = GRACE_MS, now, look }: WatchOptions<Why>,
): Promise<{ readonly ending: Why | 'host failed' | undefined; readonly failed: Program | undefined }> {
  let ending: Why | 'host failed' | undefined;
  // Those that are ended because one has failed may fail, too.
  let failed: Program | undefined;
  for (const program of programs)
    void program.ended.then(() => {
      if (program.exit !== 0) failed ??= program;
    });
  let killAtMs = Number.POSITIVE_INFINITY;
  try {
    for (let left = programs; left.length > 0; left = programs.filter(({ exit }) => exit === undefined)) {
      await Promise.race([...left.map(({ ended }) => ended), sleep(POLL_MS)]);
      const why = await look(now(), ending !== undefined);
      if (ending === undefined && (why !== undefined || failed !== undefined)) {
        ending = why ?? 'host failed';
        killAtMs = performance.now() + graceMs;
        for (const program of programs) program.signal('SIGTERM');
      }
      if (performance.now() > killAtMs) for (const program of programs) program.signal('SIGKILL');
    }
  } finally {
    for (const program of programs) program.signal('SIGKILL');
  }
  return { ending, failed };
}

/** Scripts of the image `trenio` import this package; a version that the job brings takes precedence. */
export async function linkPackage(modules: string): Promise<void> {
  await mkdir(modules, { recursive: true });
  try {
    await symlink(packageRoot(), join(modules, 'trenio'));
  } catch (error) {
    expectFileError(error, 'EEXIST');
  }
}
