import { access } from 'node:fs/promises';
import { tryCommand } from '@podwright/lab';

const LIMIT_MS = 60_000;

/** Runs a program in the guest. Resolves with true, for use in waits; rejects with its output when it fails. */
export async function run(program: string, ...args: readonly string[]): Promise<true> {
  await runOutput(program, ...args);
  return true;
}

/** Like {@link run}, but resolves with standard output. */
export async function runOutput(program: string, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await tryCommand(program, args, { timeoutMs: LIMIT_MS });
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} exited with ${code}: ${(stderr || stdout).trim()}`);
  return stdout;
}

export async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
