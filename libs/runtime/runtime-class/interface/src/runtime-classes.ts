import { createToken, type Lifecycle } from '@podwright/assembly-interface';

/**
 * Which handler of the runtime a pod asks for. Source: kubernetes v1.36
 * pkg/kubelet/runtimeclass/runtimeclass_manager.go.
 */
export interface RuntimeClasses extends Lifecycle {
  /**
   * Name of the handler; empty (the runtime's default) for no or an empty name. Throws a KubeletError `not-found` with
   * upstream's text for an unknown class: the pod must not run with another handler than it asked for. Cheap, and
   * usable at any time.
   */
  handlerOf(runtimeClassName: string | undefined): string;
}

export const RUNTIME_CLASSES = createToken<RuntimeClasses>('kubelet.runtime-classes/v1');
