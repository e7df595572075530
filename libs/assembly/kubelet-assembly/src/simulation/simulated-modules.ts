import { contribution, defineModule, type AnyModule } from '@podwright/assembly-interface';
import {
  IMAGE_SERVICE,
  RUNTIME_CONNECTION,
  RUNTIME_SERVICE,
  type ImageService,
  type RuntimeConnection,
  type RuntimeService,
} from '@podwright/cri-client-interface';
import type { MountTools } from '@podwright/filesystem';
import { KUBE_TRANSPORT, type KubeTransport } from '@podwright/kube-client-interface';
import type { Logger } from '@podwright/logging';
import type { HostNetwork } from '@podwright/node-status';
import { PROBERS, type Probers } from '@podwright/probe-interface';
import { METRICS_PAGES } from '@podwright/server-interface';
import { createResourceMetrics } from '@podwright/stats';
import { IMAGE_FS_STATS, STATS_PROVIDER, type ImageFsStats, type StatsProvider } from '@podwright/stats-interface';
import { createFileUserNamespaces, userNamespacesNeeds } from '@podwright/user-namespace';
import { USER_NAMESPACES } from '@podwright/user-namespace-interface';

/** What stands in for the runtime and for what the shipped modules ask of the machine. */
export type SimulatedRuntimeServices = RuntimeService & ImageService & RuntimeConnection;

// The shipped module runs programs of the host for subordinate ids, and the virtual clock does not wait for child
// processes.
export function userNamespacesModule(rootDir: string): AnyModule {
  return defineModule({
    name: 'simulated-user-namespaces',
    provides: [USER_NAMESPACES],
    needs: userNamespacesNeeds,
    create: (deps) =>
      createFileUserNamespaces(
        {
          ...deps,
          run: async ({ file }) => ({
            end: { how: 'not-started', error: { code: 'ENOENT' } },
            problem: `${file} is not there`,
            ...{ stdout: '', stderr: '' },
          }),
        },
        { rootDir },
      ),
  });
}

/** One interface with the machine's address; it resolves no names. */
export const simulatedNetwork = (address: string): HostNetwork => ({
  addresses: async () => [{ interfaceName: 'eth0', address, internal: false }],
  defaultRoutes: async () => [{ interfaceName: 'eth0', family: 4 }],
  lookup: () => Promise.reject(new Error('no resolver')),
});

/** Memory volumes are plain directories here: mounting needs root and a mount namespace of its own. */
export const noMounts: MountTools = {
  mount: async () => undefined,
  unmount: async () => undefined,
  list: async () => [],
};

export function inProcessRuntimeModule(cri: SimulatedRuntimeServices): AnyModule {
  return defineModule({
    name: 'in-process-runtime',
    provides: [RUNTIME_CONNECTION, RUNTIME_SERVICE, IMAGE_SERVICE],
    create: () => cri,
  });
}

// Reports the runtime's image file system as the one of the kubelet.
export function withImagesIn(mountpoint: string, cri: SimulatedRuntimeServices): SimulatedRuntimeServices {
  const usage = { timestamp: 0n, fsId: { mountpoint }, usedBytes: undefined, inodesUsed: undefined };
  const imageFsInfo: ImageService['imageFsInfo'] = async () => ({
    imageFilesystems: [usage],
    containerFilesystems: [usage],
  });
  return Object.create(cri, { imageFsInfo: { value: imageFsInfo } }) as SimulatedRuntimeServices;
}

export function statsModule(
  summary: StatsProvider['summary'],
  imageFsStats: ImageFsStats['imageFsStats'] | undefined,
  logger: Logger,
): AnyModule {
  const stats: StatsProvider & ImageFsStats = {
    start: async () => undefined,
    stop: async () => undefined,
    healthy: () => ({ ok: true }),
    summary,
    imageFsStats:
      imageFsStats ??
      (async () => {
        const { imageFs, containerFs } = (await summary()).node.runtime ?? {};
        if (imageFs === undefined || containerFs === undefined) throw new Error('imageFs information is unavailable');
        return { imageFs, containerFs };
      }),
  };
  return defineModule({
    name: 'simulated-stats',
    provides: [STATS_PROVIDER, IMAGE_FS_STATS],
    create: () => stats,
    contributes: [
      contribution(METRICS_PAGES, () => [
        { name: 'resource', source: createResourceMetrics({ summary: () => summary(), logger, showHidden: false }) },
      ]),
    ],
  });
}

export function transportModule(transport: KubeTransport): AnyModule {
  return defineModule({
    name: 'in-process-transport',
    provides: [KUBE_TRANSPORT],
    create: () => transport,
  });
}

export function probersModule(probers: Probers): AnyModule {
  return defineModule({
    name: 'simulated-probers',
    provides: [PROBERS],
    create: () => probers,
  });
}
