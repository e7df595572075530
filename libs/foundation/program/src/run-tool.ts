import type { ProgramRun, RunProgram } from './run-program.js';

/** How a tool ended, and what it wrote to both its outputs. */
export interface ToolRun extends Pick<ProgramRun, 'end' | 'problem'> {
  readonly output: string;
}

/**
 * Runs a tool of the node, such as mount(8), whose messages people know in English and whose helpers may outlive it.
 * Rejects only with the reason of the signal.
 */
export async function runTool(
  run: RunProgram,
  file: string,
  args: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ToolRun> {
  const env = { ...process.env, LC_ALL: 'C' };
  const { end, problem, stdout, stderr } = await run({ file, args, env, keepChildren: true }, signal);
  if (end.how === 'aborted') signal?.throwIfAborted();
  return { end, problem, output: stdout + stderr };
}
