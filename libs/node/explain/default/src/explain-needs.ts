import { CLOCK, needs, optional, pick, type Needs } from '@podwright/assembly-interface';
import { RUNTIME_STATE } from '@podwright/container-runtime-interface';
import { EVICTION_MANAGER } from '@podwright/eviction-interface';
import { JOURNAL_READER } from '@podwright/journal-interface';
import { KUBE_CLIENT } from '@podwright/kube-client-interface';
import { LOCAL_OBJECTS } from '@podwright/local-objects-interface';
import { NODE_LEASE } from '@podwright/node-lease-interface';
import { NODE_SOURCE } from '@podwright/node-status-interface';
import { POD_CACHE } from '@podwright/pod-cache-interface';
import { POD_MANAGER } from '@podwright/pod-manager-interface';
import { POD_LIFECYCLE } from '@podwright/pod-workers-interface';
import { STATUS_MANAGER } from '@podwright/status-interface';
import { VOLUME_MANAGER } from '@podwright/volume-interface';

export const explainNeeds = needs({
  clock: CLOCK,
  pods: pick(POD_MANAGER, 'getPods', 'getMirrorPodOf'),
  statuses: pick(STATUS_MANAGER, 'getPodStatus'),
  lifecycle: pick(POD_LIFECYCLE, 'isTerminationRequested', 'isKnownTerminated', 'isFinished'),
  cache: pick(POD_CACHE, 'get'),
  volumes: pick(VOLUME_MANAGER, 'getMountedVolumes'),
  runtimeState: pick(RUNTIME_STATE, 'runtimeErrors', 'networkErrors'),
  node: pick(NODE_SOURCE, 'getNode'),
  /** Without it explanations know the present only. */
  journal: optional(pick(JOURNAL_READER, 'recent', 'stored')),
  /** Without it a node's explanation has no pressures. */
  evictions: optional(pick(EVICTION_MANAGER, 'dryRun')),
  lease: optional(pick(NODE_LEASE, 'lastRenewedAtMs')),
  /** Present when statuses go to an API server. */
  apiServer: optional(KUBE_CLIENT),
  /** Present when people put pods on this node. */
  localObjects: optional(pick(LOCAL_OBJECTS, 'get')),
});

export type ExplainNeeds = Needs<typeof explainNeeds>;
