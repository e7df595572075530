import { createToken } from '@podwright/assembly-interface';

/**
 * Reports when the API server can be reached again. For those who retry failed calls: they need not wait for the end of
 * a pause. An implementation of `KubeClient` provides it where it can; callers must work without it.
 */
export interface ApiServerWatch {
  /**
   * Calls `listener` with the first answer, whatever its status, after calls that found no server. All listeners hear
   * of it at the same moment, so each sends one call to begin with, not all that it has. Returns unsubscribe.
   */
  onServerBack(listener: () => void): () => void;
}

export const API_SERVER_WATCH = createToken<ApiServerWatch>('kubelet.api-server-watch/v1');
