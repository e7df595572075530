import {
  configure,
  contribution,
  defineModule,
  LOGGER,
  needs,
  type AnyModule,
  type Needs,
} from '@podwright/assembly-interface';
import type { KubeletPart, SimulatedMachine } from '@podwright/kubelet-assembly';
import { lifecycleHooksNeeds, RuntimeLifecycleHooks } from '@podwright/lifecycle-hooks';
import { LIFECYCLE_HOOKS } from '@podwright/lifecycle-hooks-interface';
import { CADVISOR_METRICS, CGROUP_STATS } from '@podwright/cgroup-stats-interface';
import { POD_CHECKPOINTS, type PodCheckpoints } from '@podwright/pod-checkpoint-interface';
import { podSyncConfig, podSyncModule, podSyncNeeds, type PodSyncConfig, type PodSyncNeeds } from '@podwright/pod-sync';
import { POD_SYNCER } from '@podwright/pod-sync-interface';
import { createLocalWrapperVolumes } from '@podwright/volume-local';
import { VOLUME_PLUGINS, WRAPPER_VOLUMES } from '@podwright/volume-interface';
import type { PodStarts } from '../fleet/pod-starts.js';
import { hollowCgroupStats } from './hollow-cgroup-stats.js';
import { withoutHttpHooks } from './hollow-hooks.js';
import { hollowVolumes } from './hollow-volumes.js';

// Their plugins would mount, or run programs of the host.
const volumesOfTheHost = ['csi', 'disk', 'fc', 'flex', 'iscsi', 'nfs'].map((kind) => `volume-${kind}`);
// A thousand journals would fill the disk, and nobody asks a hollow node what it decided.
const leftOut = [...volumesOfTheHost, 'journal'];

/** How the kubelet of a hollow node differs: nothing that it does reaches the host. */
export function hollowPart(
  checkpoints: PodCheckpoints,
  rootDir: string,
  machine: SimulatedMachine,
  starts: PodStarts,
): KubeletPart {
  // Under its own name, so that it keeps its options.
  const podSync = defineModule({
    name: podSyncModule.name,
    provides: [POD_SYNCER],
    needs: podSyncNeeds,
    config: podSyncConfig,
    create: (deps: PodSyncNeeds, config: PodSyncConfig) => starts.limited(podSyncModule.create(deps, config)),
  });
  const absent = leftOut.map((name): [string, AnyModule] => [
    `@podwright/${name}`,
    defineModule({ name: `hollow-no-${name}`, provides: {}, create: () => ({}) }),
  ]);
  return {
    replacements: {
      ...Object.fromEntries(absent),
      '@podwright/volume-local': hollowVolumesModule(rootDir),
      '@podwright/lifecycle-hooks': hollowHooksModule,
      [podSync.name]: podSync,
      '@podwright/cgroup-stats': defineModule({
        name: 'hollow-cgroup-stats',
        provides: { stats: CGROUP_STATS, cadvisor: CADVISOR_METRICS },
        create: () => ({ stats: hollowCgroupStats(machine), cadvisor: { gather: async () => [] } }),
      }),
      '@podwright/pod-checkpoint': defineModule({
        name: 'hollow-pod-checkpoints',
        provides: [POD_CHECKPOINTS],
        create: () => checkpoints,
      }),
    },
    options: () => [configure(podSync, {})],
  };
}

const hollowHooksModule = defineModule({
  name: 'hollow-lifecycle-hooks',
  provides: [LIFECYCLE_HOOKS],
  needs: lifecycleHooksNeeds,
  create: (deps) => withoutHttpHooks(new RuntimeLifecycleHooks(deps)),
});

const hollowVolumesNeeds = needs({ logger: LOGGER });
/** No mount table: nothing is ever mounted. */
const mounts = { mount: async () => undefined, unmount: async () => undefined, list: async () => [] };

// Secrets and config maps are files in the node's folder, below a directory that is a real one.
const hollowVolumesModule = (rootDir: string) =>
  defineModule({
    name: 'hollow-volumes',
    provides: { wrapper: WRAPPER_VOLUMES },
    needs: hollowVolumesNeeds,
    create: ({ logger }: Needs<typeof hollowVolumesNeeds>) => ({
      wrapper: createLocalWrapperVolumes({ logger, mounts, rootDir, allocatableMemoryBytes: () => undefined }),
    }),
    contributes: [contribution(VOLUME_PLUGINS, () => [hollowVolumes])],
  });
