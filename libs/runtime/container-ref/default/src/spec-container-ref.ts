import type { ContainerRef } from '@podwright/container-ref-interface';
import { KubeletError } from '@podwright/errors';
import { containerFieldPath, goQuote, type Container, type ObjectReference, type Pod } from '@podwright/kube-types';
import { injectable } from 'tsyringe';

/** {@link ContainerRef} that finds containers in the pod's spec. */
@injectable()
export class SpecContainerRef implements ContainerRef {
  ofContainer(pod: Pod, container: Pick<Container, 'name'>): ObjectReference {
    const fieldPath = containerFieldPath(pod, container.name);
    if (fieldPath !== undefined) return { ...this.ofPod(pod), fieldPath };
    const { namespace = '', name = '' } = pod.metadata;
    throw new KubeletError(`container ${goQuote(container.name)} not found in pod ${namespace}/${name}`, {
      code: 'not-found',
    });
  }

  ofPod({ metadata: { name, namespace, uid, resourceVersion } }: Pick<Pod, 'metadata'>): ObjectReference {
    return {
      apiVersion: 'v1',
      kind: 'Pod',
      ...(name !== undefined && { name }),
      ...(namespace !== undefined && { namespace }),
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
    };
  }
}

/** Makes one without a container. */
export function createContainerRef(): SpecContainerRef {
  return new SpecContainerRef();
}
