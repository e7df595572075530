import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeContainerEnvironmentContract } from '@podwright/container-environment-interface/contract';
import { KubeletError } from '@podwright/errors';
import { createMemoryLogger } from '@podwright/logging';
import type { NodeSource } from '@podwright/node-status-interface';
import type { MountedVolume, VolumeManager } from '@podwright/volume-interface';
import { createLocalContainerEnvironment } from './local-container-environment.js';
import { noServices } from './no-services.js';

describeContainerEnvironmentContract('LocalContainerEnvironment', async () => {
  const rootDir = await mkdtemp(join(tmpdir(), 'environment-'));
  await writeFile(join(rootDir, 'resolv.conf'), 'nameserver 192.0.2.1\n');
  const mounted = new Map<string, MountedVolume[]>();
  const nothing = {
    get: () => Promise.reject(new KubeletError('no api server', { code: 'failed-precondition' })),
    registerPod: () => undefined,
    unregisterPod: () => undefined,
  };
  const environment = createLocalContainerEnvironment(
    {
      volumes: {
        getMountedVolumes: (uid: string) => mounted.get(uid) ?? [],
      } as Partial<VolumeManager> as VolumeManager,
      secrets: nothing,
      configMaps: nothing,
      events: { event: () => undefined },
      runtimeState: { handlers: () => [] },
      runtimeClasses: { handlerOf: () => '' },
      services: noServices,
      nodeSource: { getNode: () => ({}) } as Partial<NodeSource> as NodeSource,
      logger: createMemoryLogger(),
    },
    { rootDir, resolvConf: join(rootDir, 'resolv.conf'), clusterDomain: 'cluster.test' },
  );
  return {
    environment,
    prepare: async (podUid, volumes) => {
      await mkdir(join(rootDir, 'pods', podUid), { recursive: true });
      const facts = { readOnly: false, managed: true, selinuxRelabel: true };
      mounted.set(
        podUid,
        Object.entries(volumes).map(([name, hostPath]) => ({ name, hostPath, ...facts })),
      );
    },
    close: () => rm(rootDir, { recursive: true }),
  };
});
