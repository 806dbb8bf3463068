// The commands, in the order in which help lists them. The implementation of a command is imported when it runs, so that
// `trenio help` stays fast.
import { benchCommands } from './bench/index.ts';
import { cacheCommands } from './cache/index.ts';
import { capacityCommands } from './capacity/index.ts';
import { checkpointCommands } from './checkpoints/index.ts';
import { clusterCommands, pclusterCommands } from './cluster/index.ts';
import type { AnyCommand } from './command/command.ts';
import { helpCommand } from './command/help.ts';
import { deployCommand } from './deploy.ts';
import { endpointCommands } from './endpoints/index.ts';
import { explainCommands } from './explain/index.ts';
import { generateCommand } from './generate/index.ts';
import { hardwareCommands } from './hardware/index.ts';
import { hloCommands } from './hlo/index.ts';
import { jobCommands } from './jobs/index.ts';
import { lsCommand } from './ls/ls.ts';
import { modelCommands } from './models/index.ts';
import { monitorCommand } from './monitor/index.ts';
import { planCommand } from './plan/index.ts';
import { profileCommands } from './profile/index.ts';
import { compileCommand } from './run/compile.ts';
import { runCommand } from './run/run.ts';
import { serveCommand } from './serve/index.ts';
import { serverCommand } from './server/server.ts';
import { serverAuditCommand } from './server/server-audit.ts';
import { serverBackupCommand } from './server/server-backup.ts';
import { serverKeyCommands } from './server-keys/index.ts';
import { topCommand } from './top/index.ts';

export const commands: readonly AnyCommand[] = [
  runCommand,
  compileCommand,
  deployCommand,
  serverCommand,
  serverKeyCommands,
  serverAuditCommand,
  serverBackupCommand,
  jobCommands,
  endpointCommands,
  modelCommands,
  generateCommand,
  serveCommand,
  benchCommands,
  clusterCommands,
  pclusterCommands,
  capacityCommands,
  planCommand,
  hardwareCommands,
  hloCommands,
  checkpointCommands,
  profileCommands,
  explainCommands,
  cacheCommands,
  lsCommand,
  topCommand,
  monitorCommand,
  helpCommand,
];
