import { describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { noSeLinux, type SeLinux, type SeLinuxOptions } from '@podwright/selinux';
import type { VolumePlugin, VolumeSpec } from '@podwright/volume-interface';
import { SeLinuxVolumes, seLinuxMountMismatch } from './selinux-volumes.js';

const labels: SeLinux = {
  enabled: true,
  labels: (options) => {
    if (options?.type === 'broken') throw new Error('no such type');
    const file = options?.level === undefined ? '' : `o:${options.level}`;
    return { process: file, file };
  },
};
const plugin = (supported = true): VolumePlugin => ({
  name: 'kubernetes.io/csi',
  supportsSeLinuxMount: () => supported,
  canSupport: () => true,
  newMounter: () => {
    throw new Error('not called');
  },
  tearDown: async () => undefined,
});

interface Wish {
  readonly uid?: string;
  readonly containers?: readonly (SeLinuxOptions | undefined)[];
  readonly ofPod?: SeLinuxOptions;
  readonly modes?: readonly string[];
  readonly policy?: string;
  readonly supported?: boolean;
}

function harness(options: { seLinux?: SeLinux; mountAll?: boolean } = {}) {
  const metrics = createMetricsRegistry();
  const { seLinux = labels, mountAll = false } = options;
  const volumes = new SeLinuxVolumes({ seLinux, metrics, logger: createMemoryLogger() }, { mountAll });
  const decide = (wish: Wish = {}): string => {
    const { uid = 'a', containers = [undefined], modes = ['ReadWriteOncePod'] } = wish;
    const pod: Pod = {
      metadata: { name: 'p', namespace: 'n', uid },
      spec: {
        securityContext: {
          ...(wish.ofPod && { seLinuxOptions: wish.ofPod }),
          ...(wish.policy !== undefined && { seLinuxChangePolicy: wish.policy }),
        },
        containers: containers.map((seLinuxOptions, index) => ({
          name: `c${index}`,
          volumeMounts: [{ name: 'v', mountPath: '/v' }],
          ...(seLinuxOptions && { securityContext: { seLinuxOptions } }),
        })),
      },
    };
    const volume = { name: 'v', persistentVolumeClaim: { claimName: 'c' } };
    const persistentVolume = {
      metadata: { name: 'pv-1' },
      spec: { accessModes: [...modes], csi: { driver: 'd.example', volumeHandle: 'h' } },
    };
    const spec: VolumeSpec = { volume, persistentVolume, pod, podDir: '/pods/a' };
    return volumes.decide({ pod, spec, plugin: plugin(wish.supported), uniqueName: 'kubernetes.io/csi/d^h' })
      .mountLabel;
  };
  const counted = async (): Promise<readonly string[]> =>
    (await metrics.render()).split('\n').filter((line) => line.startsWith('volume_manager_selinux'));
  return { volumes, decide, counted };
}
const total = (name: string, labelText: string, value = 1): string =>
  `volume_manager_selinux_${name}_total{${labelText}} ${value}`;
const rwop = 'access_mode="RWOP"';
const rwopCsi = `access_mode="RWOP",volume_plugin="kubernetes.io/csi/d.example"`;
const one = { level: 's0:c1' };
const two = { level: 's0:c2' };

describe('labels of volumes', () => {
  it.each<[string, Wish, string]>([
    ['nobody asks for a label', {}, ''],
    ['the pod asks', { ofPod: one }, 'o:s0:c1'],
    ['the container asks for another than the pod', { ofPod: one, containers: [two] }, 'o:s0:c2'],
    ['one of two containers asks', { containers: [one, undefined] }, 'o:s0:c1'],
    ['the pod changes labels file by file', { ofPod: one, policy: 'Recursive' }, ''],
    ['the policy is to mount', { ofPod: one, policy: 'MountOption' }, 'o:s0:c1'],
    ['the plugin mounts without labels', { ofPod: one, supported: false }, ''],
    ['other pods may write too', { ofPod: one, modes: ['ReadWriteOnce'] }, ''],
    ['RWOP is not the only mode', { ofPod: one, modes: ['ReadWriteOncePod', 'ReadWriteOnce'] }, ''],
  ])('when %s', (_what, wish, label) => {
    expect(harness().decide(wish)).toBe(label);
  });

  it('are mounted for every access mode when all volumes are', () => {
    expect(harness({ mountAll: true }).decide({ ofPod: one, modes: ['ReadWriteMany'] })).toBe('o:s0:c1');
  });

  it('are none without SELinux', async () => {
    const { decide, counted } = harness({ seLinux: noSeLinux });
    expect(decide({ containers: [one, two] })).toBe('');
    expect(await counted()).toEqual([]);
  });

  it('count volumes that are mounted with one, once for all pods', async () => {
    const { decide, counted } = harness();
    decide({ ofPod: one });
    decide({ ofPod: one });
    decide({ ofPod: one, uid: 'b' });
    expect(await counted()).toEqual([total('volumes_admitted', rwopCsi)]);
  });

  it('of two containers must be the same where labels are mounted', async () => {
    const { decide, counted } = harness();
    expect(() => decide({ containers: [two, one] })).toThrow(/^multiple SELinux labels found: o:s0:c1,o:s0:c2$/);
    expect(decide({ containers: [one, two], modes: ['ReadWriteMany', 'ReadWriteOnce'], uid: 'b' })).toBe('');
    expect(await counted()).toEqual([
      total('pod_context_mismatch_errors', rwop),
      total('pod_context_mismatch_warnings', 'access_mode="RWX"'),
    ]);
  });

  it('of two containers are one fault, also of a volume that another pod has', async () => {
    const { decide, counted } = harness();
    const shared = { modes: ['ReadWriteMany'] };
    decide({ ofPod: one, ...shared });
    decide({ containers: [one, two], uid: 'b', ...shared });
    const faults = (await counted()).filter((line) => line.includes('mismatch'));
    expect(faults).toEqual([total('pod_context_mismatch_warnings', 'access_mode="RWX"')]);
  });

  it('that cannot be made hold the pod up only where labels are mounted', async () => {
    const { decide, counted } = harness();
    const broken = { ofPod: { type: 'broken' } };
    expect(() => decide(broken)).toThrow(
      'failed to construct SELinux label from context {"type":"broken"}: no such type',
    );
    expect(decide({ ...broken, modes: ['ReadOnlyMany'] })).toBe('');
    expect(await counted()).toEqual([
      total('container_errors', rwop),
      total('container_warnings', 'access_mode="ROX"'),
    ]);
  });

  it('of the first pod hold for a volume until it is released', async () => {
    const { volumes, decide, counted } = harness();
    decide({ ofPod: one });
    const conflict = /^conflicting SELinux labels of volume pv-1: "o:s0:c1" and "o:s0:c2"$/;
    expect(() => decide({ ofPod: two, uid: 'b' })).toThrow(conflict);
    volumes.release('b', 'kubernetes.io/csi/d^h');
    expect(() => decide({ ofPod: two, uid: 'b' })).toThrow(conflict);
    volumes.release('a', 'kubernetes.io/csi/d^h');
    volumes.release('a', 'kubernetes.io/csi/d^h');
    expect(decide({ ofPod: two, uid: 'b' })).toBe('o:s0:c2');
    expect(await counted()).toContain(total('volume_context_mismatch_errors', rwopCsi, 2));
  });

  it('only warn of a conflict between pods that share a volume without labels', async () => {
    const { decide, counted } = harness();
    const modes = ['ReadWriteOnce'];
    decide({ ofPod: one, modes });
    expect(decide({ ofPod: two, modes, uid: 'b' })).toBe('');
    expect(await counted()).toContain(
      total('volume_context_mismatch_warnings', 'access_mode="RWO",volume_plugin="kubernetes.io/csi/d.example"'),
    );
  });

  it('that differ from the mounted one are said in upstream words', () => {
    expect(seLinuxMountMismatch('p/v').message).toBe(
      'waiting for unmount of volume "p/v", because it is already mounted to a different pod with a different SELinux label',
    );
  });
});
