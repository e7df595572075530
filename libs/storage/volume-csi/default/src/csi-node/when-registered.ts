import { abortable } from '@podwright/concurrency';
import { KubeletError } from '@podwright/errors';
import type { Node } from '@podwright/kube-types';
import type { RegisteredNode } from '@podwright/node-status-interface';

/** Resolves with the Node once the API server has it. Rejects on the signal. */
export async function whenRegistered(
  node: Pick<RegisteredNode, 'current' | 'watch'>,
  signal: AbortSignal,
): Promise<Node> {
  let release: () => void = () => undefined;
  const exists = new Promise<Node>((resolve) => {
    const check = (found = node.current()): void => {
      if (found !== undefined) resolve(found);
    };
    release = node.watch(check);
    check();
  });
  try {
    return await abortable(exists, signal);
  } catch (error) {
    const { code, message } = KubeletError.from(error);
    throw new KubeletError(`the node is not registered: ${message}`, { code, cause: error });
  } finally {
    release();
  }
}
