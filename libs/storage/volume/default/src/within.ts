import { KubeletError } from '@podwright/errors';

/** Runs a task; its failure gets `what` and a colon before its message, and keeps its code. */
export async function within<T>(what: string, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    const { code, message } = KubeletError.from(error);
    throw new KubeletError(`${what}: ${message}`, { code, cause: error });
  }
}
