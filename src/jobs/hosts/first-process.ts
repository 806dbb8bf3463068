// Programs in a PID namespace of their own, and how they are told to end.
//
//   unshare ─► sh, the first process: sets up, starts the program ─► program
//
// The kernel drops signals for the first process of a namespace that it does not handle. So a shell is the first process; it
// passes SIGTERM on, and starts no program if SIGTERM comes while it sets up.
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';

/** Whether SIGTERM is sent to the first process, which passes it on to the program, or to each process of the namespace. */
export type Signaled = 'first' | 'each';

/** The exit code of a program that SIGTERM has ended, by the convention of shells. */
export const ENDED_CODE = 128 + constants.signals.SIGTERM;

/** A shell script that runs its arguments as a program after it has run the commands `setUp`, which may shift its arguments. */
export const asFirstProcess = (setUp: string, signaled: Signaled = 'first'): string => `
asked=
trap 'asked=yes' TERM
${setUp}
[ -z "$asked" ] || exit ${ENDED_CODE}
"$@" & child=$!
trap '${signaled === 'first' ? 'kill -TERM "$child" 2>/dev/null || :' : ':'}' TERM
[ -z "$asked" ] || kill -TERM "$child" 2>/dev/null || :
set +e
while :; do
  wait "$child"; code=$?
  kill -0 "$child" 2>/dev/null || exit "$code"
done
`;

/**
 * Sends a signal to a program and its descendants.
 * @param pid the leader of their process group: the program, or the process that makes a namespace for it
 */
export function signalProgram(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  const outside = signal === 'SIGTERM' ? statusOf(pid) : undefined;
  // Programs without a namespace may block SIGTERM for reasons of their own.
  if (outside?.name !== 'unshare') kill(-pid, signal);
  else {
    const first = childrenOf(pid).map(statusOf).find(isFirst);
    // The shell passes SIGTERM on; `unshare` would end without doing so.
    if (first?.handlesTerm) kill(first.pid, signal);
    // A namespace whose shell has not started yet would never see SIGTERM, and has no program that could.
    else kill(-pid, first !== undefined || outside.blocksTerm ? 'SIGKILL' : signal);
  }
}

interface Status {
  readonly pid: number;
  readonly name: string;
  /** Its ids in each of its PID namespaces, from the outermost one that is visible. */
  readonly ids: readonly number[];
  readonly handlesTerm: boolean;
  readonly blocksTerm: boolean;
}

const isFirst = (status: Status | undefined): boolean =>
  status !== undefined && status.ids.length > 1 && status.ids.at(-1) === 1;

function statusOf(pid: number): Status | undefined {
  const text = readOfProcess(pid, 'status');
  if (text === undefined) return undefined;
  const field = (name: string): string => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(text)?.[1] ?? '';
  const hasTerm = (name: string): boolean =>
    ((BigInt(`0x${field(name) || '0'}`) >> BigInt(constants.signals.SIGTERM - 1)) & 1n) === 1n;
  return {
    pid,
    name: field('Name'),
    ids: field('NSpid').split(/\s+/).map(Number),
    handlesTerm: hasTerm('SigCgt'),
    blocksTerm: hasTerm('SigBlk'),
  };
}

const childrenOf = (pid: number): readonly number[] =>
  (readOfProcess(pid, `task/${pid}/children`) ?? '').split(' ').filter(Boolean).map(Number);

/** Undefined if the process has ended. */
function readOfProcess(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
