import { open } from 'node:fs/promises';

/**
 * Appends to a file, which it creates when missing (0600): all of the content or nothing. A full disk takes a part of a
 * write, so after a failure the file gets its former length back. It neither syncs nor makes a missing directory. Only
 * one append to a file may run at a time. A kill may still leave a part.
 */
export async function appendWhole(file: string, content: string | Uint8Array): Promise<void> {
  const handle = await open(file, 'a', 0o600);
  try {
    const { size } = await handle.stat();
    try {
      await handle.writeFile(content);
    } catch (error) {
      if ((await handle.stat()).size > size) await handle.truncate(size);
      throw error;
    }
  } finally {
    await handle.close();
  }
}
