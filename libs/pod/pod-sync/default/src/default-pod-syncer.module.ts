import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { POD_SYNCER } from '@podwright/pod-sync-interface';
import { DefaultPodSyncer } from './default-pod-syncer.js';
import { PodPrerequisites } from './pod-prerequisites.js';
import { PodStatuses } from './pod-statuses.js';
import { podSyncConfig } from './pod-sync-config.js';
import { podSyncNeeds } from './pod-sync-needs.js';
import { ResizeProgress } from './resize-progress.js';

export const podSyncModule = defineModule({
  name: '@podwright/pod-sync',
  provides: [POD_SYNCER],
  needs: podSyncNeeds,
  config: podSyncConfig,
  create: (needed, config) => {
    const deps = { ...needed, resizes: new ResizeProgress(needed, config) };
    const prerequisites = new PodPrerequisites(deps, config);
    return new DefaultPodSyncer({ ...deps, prerequisites, podStatuses: new PodStatuses(deps, config) });
  },
});

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createPodSyncer = factoryOf(podSyncModule);
