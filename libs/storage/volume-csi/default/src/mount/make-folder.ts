import { KubeletError, messageOf } from '@podwright/errors';
import { makeDirectory } from '@podwright/filesystem';
import { csiText } from '../csi-text.js';

/** Makes a folder for a driver; its failure gets upstream's words before its own. */
export async function makeFolder(what: string, path: string): Promise<void> {
  await makeDirectory(path, 0o750).catch((cause: unknown) => {
    // Both spaces are upstream's.
    throw new KubeletError(csiText(`${what}:  ${messageOf(cause)}`), { code: KubeletError.from(cause).code, cause });
  });
}
