import { expect, it } from '@jest/globals';
import { createMetricsRegistry } from '@podwright/metrics';
import { VirtualClock } from '@podwright/time';
import type { VolumePlugin, VolumeSpec } from '@podwright/volume-interface';
import { VolumeMetrics } from './volume-metrics.js';
import { VolumeTable } from './volume-table.js';

it('has the whole time until a volume is mounted, not until a block device is mapped', async () => {
  const registry = createMetricsRegistry();
  const metrics = new VolumeMetrics(registry, new VirtualClock(), new VolumeTable());
  const plugin = { name: 'kubernetes.io/csi' } as VolumePlugin;
  const spec = { volume: { name: 'data' } } as VolumeSpec;
  const count = async (): Promise<string | undefined> =>
    /^volume_operation_total_seconds_count(.*)$/m.exec(await registry.render())?.[1];
  metrics.mounted({ plugin, spec, isBlockDevice: true }, 0);
  expect(await count()).toBeUndefined();
  metrics.mounted({ plugin, spec, isBlockDevice: false }, 0);
  expect(await count()).toBe('{operation_name="overall_volume_mount",plugin_name="kubernetes.io/csi"} 1');
});
