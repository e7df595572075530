import type { ConsoleFiles } from './console-files.js';

/** The pages as built. Without a build there are none. */
export async function loadBuiltFiles(): Promise<ConsoleFiles> {
  return { read: async () => undefined };
}
