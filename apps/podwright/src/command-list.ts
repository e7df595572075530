import { applyCommand } from './commands/apply.js';
import { attachCommand } from './commands/attach.js';
import type { Command } from './commands/command.js';
import { completionCommand } from './commands/completion.js';
import { consoleCommand } from './commands/console.js';
import { deleteCommand } from './commands/delete.js';
import { describeCommand } from './commands/describe.js';
import { execCommand } from './commands/exec.js';
import { explainCommand } from './commands/explain.js';
import { getCommand } from './commands/get.js';
import { logsCommand } from './commands/logs.js';
import { portForwardCommand } from './commands/port-forward.js';
import { recordCommand } from './commands/record.js';
import { runCommand } from './commands/run.js';
import { topCommand } from './commands/top.js';
import { versionCommand } from './commands/version.js';
import { waitCommand } from './commands/wait.js';

/** All commands, in the order of the help. */
export const commandList: readonly Command[] = [
  runCommand,
  applyCommand,
  getCommand,
  describeCommand,
  explainCommand,
  recordCommand,
  consoleCommand,
  logsCommand,
  execCommand,
  attachCommand,
  portForwardCommand,
  deleteCommand,
  topCommand,
  waitCommand,
  completionCommand,
  versionCommand,
];

/** The word that calls a command. */
export function wordOf({ usage }: Command): string {
  return usage.split(' ')[0] ?? '';
}
