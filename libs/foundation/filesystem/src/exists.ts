import { stat } from 'node:fs/promises';
import { isMissing } from '@podwright/errors';

/** Whether the path exists; follows links. Rejects with Node's error when that cannot be determined. */
export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
