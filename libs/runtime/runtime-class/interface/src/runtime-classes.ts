import { createToken, type Lifecycle } from '@podwright/assembly-interface';

/**
 * Maps the RuntimeClass of a pod to a handler of the runtime. Source: kubernetes v1.36
 * pkg/kubelet/runtimeclass/runtimeclass_manager.go.
 */
export interface RuntimeClasses extends Lifecycle {
  /**
   * Returns the handler's name; empty, which means the runtime's default, when the class name is undefined or empty.
   * Throws a KubeletError `not-found` with upstream's message for an unknown class, because a pod must not run with
   * another handler than it requests. From memory, and usable at any time.
   */
  handlerOf(runtimeClassName: string | undefined): string;
}

export const RUNTIME_CLASSES = createToken<RuntimeClasses>('kubelet.runtime-classes/v1');
