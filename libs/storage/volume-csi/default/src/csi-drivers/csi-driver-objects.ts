import { createToken } from '@podwright/assembly-interface';
import type { CsiDriver } from '@podwright/kube-types';

/** The CSIDriver objects of the API server, kept current by a watch. Source: kubernetes v1.36 CSIDriverLister. */
export interface CsiDriverObjects {
  /** Undefined: there is none of this name. Throws `unavailable` while the first list is not there. */
  get(name: string): CsiDriver | undefined;
  /** Calls `listener` with the name of an object that was added, deleted or changed. Returns unsubscribe. */
  watch(listener: (name: string) => void): () => void;
}

export const CSI_DRIVERS = createToken<CsiDriverObjects>('kubelet.volume-csi.drivers/v1');
