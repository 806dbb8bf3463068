// Finds the npm or npx that started this command, and watches for its exit. npx runs commands in a shell,
//
//   npx ── sh -c 'trenio run train.ts' ── trenio ── ranks
//
// and passes SIGINT and SIGTERM to the shell only, and no other signals; the shell exits and leaves the command running. So the
// command watches npx itself, unless it was detached on purpose: started in the background by a script (`&` makes it ignore
// SIGINT), with nohup (ignores SIGHUP), with setsid, or from an interactive shell (another session or process group). Linux
// only: on other systems the ancestors of a process are not visible.
import { readVariable, type Variables } from '../../base/environment.ts';
import { lifeOf, ownIdentity, type ProcessIdentity } from '../../base/process-identity.ts';
import { commandLine, processStat } from '../../base/process-stat.ts';

/** Shells that a package manager puts between itself and a command. */
const shells: ReadonlySet<string> = new Set(['sh', 'dash', 'bash', 'ash', 'ksh', 'zsh', 'fish', 'busybox']);
/** Matches the command line of a package manager, as a title (`npm exec trenio`) or a path (`node /usr/bin/pnpm`). */
const isManager = /(^|[\s/])(npm|npx|pnpm|pnpx|yarn|bun|bunx)(-cli)?(\.[cm]?js)?(\s|$)/;
const pollMs = 250;

/** The package manager that this process belongs to; undefined if there is none, or if this process may outlive it. */
export function owningPackageManager(
  variables: Variables,
  ignoredSignals: readonly NodeJS.Signals[],
): ProcessIdentity | undefined {
  if (readVariable('npm_config_user_agent', variables) === undefined || ignoredSignals.length > 0) return undefined;
  const me = processStat(process.pid);
  let ancestor = me && processStat(me.parent);
  for (let i = 0; i < 4 && ancestor !== undefined && shells.has(ancestor.name); i++)
    ancestor = processStat(ancestor.parent);
  if (me === undefined || ancestor === undefined || !isManager.test(commandLine(ancestor.pid))) return undefined;
  if (ancestor.group !== me.group || ancestor.session !== me.session) return undefined;
  return { ...ownIdentity(), pid: ancestor.pid, started: ancestor.started };
}

/** Calls `ended` when the process has ended. Does not keep this process alive. */
export function whenEnded(identity: ProcessIdentity, ended: () => void): void {
  const timer = setInterval(() => {
    const life = lifeOf(identity);
    if (life === 'runs' || life === 'stopped') return;
    clearInterval(timer);
    ended();
  }, pollMs).unref();
}
