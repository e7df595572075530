import { writeFile } from 'node:fs/promises';
import type { Logger } from '@podwright/logging';

/**
 * Gives this process the program's name, by which pgrep(1), top(1) and the kernel's log know it (the first 15 letters).
 * Otherwise Node calls it `node` or `MainThread`. `process.title` would also hide the arguments. Never rejects.
 */
export async function setProcessName(program: string, logger: Logger): Promise<void> {
  if (process.platform !== 'linux') return;
  try {
    await writeFile('/proc/self/comm', program);
  } catch (error) {
    logger.debug(2, 'the process keeps the name that Node.js gave it', { error });
  }
}
