import type { ContainerState } from '@podwright/kube-types';

/**
 * State of an init container, no sidecar, that must have succeeded, because the pod is initialized, but whose end this
 * kubelet cannot know: the runtime has no record of it. Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go
 * convertToAPIContainerStatuses.
 */
export const unseenCompletion: ContainerState = {
  terminated: {
    exitCode: 0,
    reason: 'Completed',
    message:
      'Unable to get init container status from container runtime and pod has been initialized, treat it as exited normally',
  },
};
