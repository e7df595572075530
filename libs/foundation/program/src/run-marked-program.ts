import { isMissing, messageOf } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import { endProcessesOfRun, endProcessesOfTheDead, markVariable, nextMark } from './process-mark.js';
import { processNamespace } from './process-table.js';
import { runProgram, type ProgramCommand, type ProgramRun } from './run-program.js';

/**
 * {@link runProgram} for a program that somebody else wrote and that may hang, such as a plugin: when it does not end in
 * time, also those of its processes are killed that left the group, and {@link endStrayPrograms} finds them all when this
 * process is killed. A process without our variable in its environment is not found. Where there is no /proc, only the
 * group is ended.
 */
export async function runMarkedProgram(command: ProgramCommand, signal?: AbortSignal): Promise<ProgramRun> {
  let mark: string;
  try {
    mark = await nextMark();
  } catch (error) {
    if (isMissing(error)) return runProgram(command, signal);
    throw error;
  }
  const env = { ...(command.env ?? process.env), [markVariable]: mark };
  const run = await runProgram({ ...command, env }, signal);
  if (run.end.how === 'aborted' || run.end.how === 'overflowed') await endProcessesOfRun(mark);
  return run;
}

/**
 * Kills what earlier processes started by {@link runMarkedProgram} and left behind when they were killed. Call it when a
 * process starts that runs such programs. Never rejects. `namespace`: the one where the starters were, by default the
 * process namespace of this process.
 */
export async function endStrayPrograms(logger: Logger, namespace?: string): Promise<void> {
  try {
    const processes = await endProcessesOfTheDead(namespace ?? (await processNamespace()));
    if (processes.length === 0) return;
    logger.info('Ended processes of plugins that a killed process left behind', { processes });
  } catch (error) {
    // Without /proc no program was ever marked.
    if (isMissing(error)) return;
    const reason = messageOf(error);
    logger.warn('Processes of plugins that a killed process left behind cannot be looked for; look for them', {
      reason,
    });
  }
}
