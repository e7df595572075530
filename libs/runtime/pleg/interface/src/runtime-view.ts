import { createToken } from '@podwright/assembly-interface';
import type { RuntimePod } from '@podwright/container-runtime-interface';

/** Optional ability: the pleg is told of changes as they happen, so that others need not list the runtime to know what is there. */
export interface RuntimeView {
  /**
   * All pods of the runtime as they were a moment ago, ended ones too; undefined while the pleg cannot vouch for that. Good for
   * finding candidates; whoever kills or removes looks at the runtime again before.
   */
  pods(): readonly RuntimePod[] | undefined;
}

export const RUNTIME_VIEW = createToken<RuntimeView>('kubelet.pleg.runtime-view/v1');
