import { createToken } from '@podwright/assembly-interface';
import type { RuntimePod } from '@podwright/container-runtime-interface';

/** Optional ability of an evented pleg: it shows the runtime's pods, so that other managers need not list them. */
export interface RuntimeView {
  /**
   * All pods of the runtime as of a moment ago, ended ones included; undefined unless the event stream is `proven`. Use
   * it to find candidates only: list the runtime again before you kill or remove one. Never throws.
   */
  pods(): readonly RuntimePod[] | undefined;
}

export const RUNTIME_VIEW = createToken<RuntimeView>('kubelet.evented-pleg.runtime-view/v1');
