import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { RecordingJournal } from '@podwright/journal-interface/contract';
import type { Pod } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import type { PodLifecycle } from '@podwright/pod-workers-interface';
import { createSeededRandom, VirtualClock } from '@podwright/time';
import { describeVolumeManagerContract } from '@podwright/volume-interface/contract';
import type { VolumePlugin } from '@podwright/volume-interface';
import { createContractHarness } from './fixtures/contract-harness.js';
import { createVolumeManager } from './on-demand-volume-manager.module.js';

const logger = createMemoryLogger();

describeVolumeManagerContract('OnDemandVolumeManager', (parts) => createContractHarness(parts));

describe('OnDemandVolumeManager', () => {
  const lifecycle = {} as PodLifecycle;
  const events = { event: () => undefined };
  const pod: Pod = {
    metadata: { name: 'p', namespace: 'default', uid: 'p' },
    spec: {
      volumes: [{ name: 'a', secret: {} }],
      containers: [{ name: 'c', volumeMounts: [{ name: 'a', mountPath: '/a' }] }],
    },
  };

  it('names the option that is out of range', () => {
    const deps = {
      plugins: [],
      probers: [],
      random: createSeededRandom('volumes'),
      lifecycle,
      events,
      clock: new VirtualClock(),
      logger,
      metrics: createMetricsRegistry(),
    };
    expect(() => createVolumeManager(deps, { rootDir: 'relative' })).toThrow('rootDir must be an absolute path');
  });

  it('refreshes volumes that ask for it beside the next sync, and counts', async () => {
    const rootDir = await mkdtemp(join(tmpdir(), 'volume-manager-'));
    const clock = new VirtualClock();
    const metrics = createMetricsRegistry();
    const journal = new RecordingJournal();
    let setUps = 0;
    const plugin: VolumePlugin = {
      name: 'kubernetes.io/refreshed',
      requiresRemount: true,
      canSupport: () => true,
      newMounter: () => ({
        hostPath: '/x',
        readOnly: true,
        managed: true,
        selinuxRelabel: true,
        setUp: async () => {
          setUps++;
          if (setUps > 1) await clock.sleep(1_000);
        },
      }),
      tearDown: async () => undefined,
    };
    const manager = createVolumeManager(
      {
        plugins: [plugin],
        probers: [],
        random: createSeededRandom('volumes'),
        lifecycle,
        events,
        clock,
        logger,
        metrics,
        journal,
      },
      { rootDir },
    );
    const { signal } = new AbortController();
    try {
      await manager.start();
      await manager.waitForAttachAndMount(pod, signal);
      await manager.waitForAttachAndMount(pod, signal);
      await manager.waitForAttachAndMount(pod, signal);
      await clock.advance(1_000);
      expect(setUps).toBe(2);
      expect(manager.getMountedVolumes('p')).toHaveLength(1);
      const text = await metrics.render();
      expect(text).toContain(
        'volume_manager_total_volumes{plugin_name="kubernetes.io/refreshed",state="actual_state_of_world"} 1',
      );
      const desired =
        'volume_manager_total_volumes{plugin_name="kubernetes.io/refreshed",state="desired_state_of_world"}';
      expect(text).toContain(`${desired} 1`);
      // That nobody has to attach the volume is noted once; it is mounted and refreshed.
      for (const [operation, times] of [
        ['verify_controller_attached_volume', 1],
        ['volume_mount', 2],
      ] as const) {
        expect(text).toContain(
          `storage_operation_duration_seconds_count{migrated="false",operation_name="${operation}",status="success",volume_plugin="kubernetes.io/refreshed"} ${times}\n`,
        );
      }
      expect(text).toMatch(/volume_operation_total_seconds_count\{operation_name="overall_volume_mount"[^}]*\} 2/);
      expect(text).toMatch(/volume_operation_total_seconds_sum\{operation_name="overall_volume_mount"[^}]*\} 1\n/);
      await manager.waitForUnmount(pod, signal);
      expect(await metrics.render()).not.toContain(desired);
      expect(journal.kinds('p')).toEqual(['volume.mounted', 'volumes.ready', 'volume.unmounted']);
    } finally {
      await manager.stop();
      await rm(rootDir, { recursive: true });
    }
  });
});
