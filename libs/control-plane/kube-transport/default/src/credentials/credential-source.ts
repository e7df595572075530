import { readFile } from 'node:fs/promises';
import { errnoWords, isMissing, KubeletError } from '@podwright/errors';
import type { FileOrData } from '@podwright/kubeconfig';

/**
 * The text of a certificate or key, from the kubeconfig itself or from a file. Rejects as `readFile`, in Go's words.
 */
export async function readSource(source: FileOrData): Promise<string> {
  if ('data' in source) return source.data;
  try {
    return await readFile(source.file, 'utf8');
  } catch (cause) {
    throw new KubeletError(fileFault(source.file, cause), {
      code: isMissing(cause) ? 'not-found' : 'unavailable',
      cause,
    });
  }
}

/** `open /a/b: no such file or directory`. */
export function fileFault(file: string, error: unknown): string {
  return `open ${file}: ${errnoWords(error)}`;
}
