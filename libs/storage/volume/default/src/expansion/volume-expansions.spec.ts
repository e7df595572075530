import { describe, expect, it } from '@jest/globals';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { VirtualClock } from '@podwright/time';
import type { BlockVolumeMapper, VolumePlugin, VolumeSpec } from '@podwright/volume-interface';
import { VolumeDevices } from '../mount/volume-devices.js';
import { VolumeFailures } from '../mount/volume-failures.js';
import { VolumeMetrics } from '../volume-metrics.js';
import { newPodVolume, newSharedVolume, VolumeTable } from '../volume-table.js';
import type { ExpansionRequest } from './expansion-request.js';
import { VolumeExpansions } from './volume-expansions.js';

const { signal } = new AbortController();

describe('a block device that grows', () => {
  const asked: ExpansionRequest[] = [];
  const mapper = { globalMapPath: '/links', stagingPath: '/staged' } as BlockVolumeMapper;
  const plugin = {
    name: 'kubernetes.io/csi',
    volumeName: () => 'v',
    block: { newMapper: () => mapper },
    expandable: { requiresFsResize: () => true, nodeExpand: async () => undefined },
  } as Partial<VolumePlugin> as VolumePlugin;
  const specOf = (uid: string): VolumeSpec => ({
    volume: { name: 'data', persistentVolumeClaim: { claimName: 'c' } },
    persistentVolume: { metadata: { name: 'pv-1' }, spec: { capacity: { storage: '2' } } },
    pod: { metadata: { name: uid, namespace: 'default', uid }, spec: { containers: [] } },
    podDir: `/pods/${uid}`,
  });

  it('is named to the plugin as it was staged and published, whichever pod was the last', async () => {
    const events = { event: () => undefined };
    const logger = createMemoryLogger();
    const metrics = new VolumeMetrics(createMetricsRegistry(), new VirtualClock(), new VolumeTable());
    const note = async (request: ExpansionRequest) => {
      asked.push(request);
      return { status: 'done' } as const;
    };
    const expander = { expandOnMount: note, expandInUse: note };
    const expansions = new VolumeExpansions({ expander, failures: new VolumeFailures(events, logger), metrics });
    const blocks = new VolumeDevices({
      mappings: {
        setUpDevice: async () => '/staged',
        map: async ({ pod }: { pod: VolumeSpec['pod'] }) => ({
          devicePath: `/published/${pod.metadata.uid}`,
          podLink: `/pods/${pod.metadata.uid}/link`,
        }),
      } as Partial<ConstructorParameters<typeof VolumeDevices>[0]['mappings']> as never,
      ...{ events, logger },
    });
    const known = { plugin, isBlockDevice: true } as const;
    const shared = newSharedVolume({ ...known, spec: specOf('a'), sizeBytes: 1 });
    const records = ['a', 'b'].map((podUid) =>
      newPodVolume({ ...known, podUid, name: 'pv-1', shared, spec: specOf(podUid) }),
    );
    for (const record of records) await blocks.map(record, shared, signal);
    for (const record of records) await expansions.inUse(record, signal);
    const paths = asked.map(({ volumePath, deviceMountPath, mode }) => [mode, volumePath, deviceMountPath]);
    expect(paths).toEqual([
      ['Block', '/published/a', '/staged'],
      ['Block', '/published/b', '/staged'],
    ]);
  });
});
