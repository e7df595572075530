import { always, list, object, pointer } from '../schema.js';
import { bool, int32, int64, quantities, string, time } from '../scalars.js';
import { resourceRequirements } from './references.js';

// A manifest may contain a status (a copied object does); it is decoded and then ignored.
// Source: kubernetes v1.36 staging/src/k8s.io/api/core/v1/types.go.

const condition = object({
  type: always(string),
  observedGeneration: int64,
  status: always(string),
  lastProbeTime: time,
  lastTransitionTime: time,
  reason: string,
  message: string,
});

const containerState = object({
  waiting: object({ reason: string, message: string }),
  running: object({ startedAt: time }),
  terminated: object({
    exitCode: always(int32),
    signal: int32,
    reason: string,
    message: string,
    startedAt: time,
    finishedAt: time,
    containerID: string,
  }),
});

const containerStatus = object({
  name: always(string),
  state: containerState,
  lastState: containerState,
  ready: always(bool),
  restartCount: always(int32),
  image: always(string),
  imageID: always(string),
  containerID: string,
  started: pointer(bool),
  allocatedResources: quantities,
  resources: resourceRequirements,
  volumeMounts: list(
    object({
      name: always(string),
      mountPath: always(string),
      readOnly: bool,
      recursiveReadOnly: pointer(string),
      volumeStatus: object({ image: object({ imageRef: string }) }),
    }),
  ),
  user: object({ linux: object({ uid: always(int64), gid: always(int64), supplementalGroups: list(int64) }) }),
  allocatedResourcesStatus: list(
    object({
      name: always(string),
      resources: list(object({ resourceID: always(string), health: string, message: pointer(string) })),
    }),
  ),
  stopSignal: pointer(string),
});

const ip = object({ ip: always(string) });

export const podStatus = object({
  observedGeneration: int64,
  phase: string,
  conditions: list(condition),
  message: string,
  reason: string,
  nominatedNodeName: string,
  hostIP: string,
  hostIPs: list(ip),
  podIP: string,
  podIPs: list(ip),
  startTime: time,
  initContainerStatuses: list(containerStatus),
  containerStatuses: list(containerStatus),
  ephemeralContainerStatuses: list(containerStatus),
  qosClass: string,
  resize: string,
  resourceClaimStatuses: list(object({ name: always(string), resourceClaimName: pointer(string) })),
  extendedResourceClaimStatus: object({
    requestMappings: always(
      list(object({ containerName: always(string), resourceName: always(string), requestName: always(string) })),
    ),
    resourceClaimName: always(string),
  }),
  allocatedResources: quantities,
  resources: resourceRequirements,
  nodeAllocatableResourceClaimStatuses: list(
    object({ resourceClaimName: always(string), containers: list(string), resources: quantities }),
  ),
});
