import { constants } from 'node:fs';
import { writeFile } from 'node:fs/promises';

/**
 * Writes a file of sysfs; never creates one. Opens it for writing alone: the kernel lets nobody, not even root, open an
 * attribute for reading that has nothing to read.
 */
export async function writeKernelAttribute(file: string, text: string): Promise<void> {
  await writeFile(file, text, { flag: constants.O_WRONLY });
}
