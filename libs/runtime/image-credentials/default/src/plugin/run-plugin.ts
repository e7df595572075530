import { KubeletError } from '@podwright/errors';
import { runMarkedProgram, type ProgramCommand } from '@podwright/program';

export type PluginCommand = Required<Pick<ProgramCommand, 'file' | 'args' | 'env' | 'input'>>;

/**
 * Runs a plugin and resolves with its standard output. When `signal` aborts, kills the plugin and all processes that it
 * started. Rejects with Go's words for the exit and with the plugin's error output.
 */
export async function runPlugin(command: PluginCommand, signal: AbortSignal): Promise<string> {
  const { end, problem, stdout, stderr } = await runMarkedProgram(command, signal);
  if (problem === undefined) return stdout;
  const cause = end.how === 'not-started' ? { cause: end.error } : {};
  throw new KubeletError(`${problem}: ${stderr}`, { code: 'unavailable', ...cause });
}
