import { describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import type { Pod, Volume } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { createSeededRandom, VirtualClock } from '@podwright/time';
import type { MeasuredUsage, MountedVolume } from '@podwright/volume-interface';
import type { TreeUsage } from '../disk-usage/disk-usage.js';
import { FileSystems } from '../file-systems/file-systems.js';
import { claimOf, isLocalEphemeral } from './local-ephemeral.js';
import { PodVolumeStats } from './pod-volume-stats.js';

const never = new AbortController().signal;
const tree: TreeUsage = {
  bytes: 8_192,
  inodes: 2,
  complete: true,
  fileSystem: { availableBytes: 1, capacityBytes: 2, usedBytes: 3, inodes: 4, inodesFree: 5 },
};

const podOf = (volumes: Volume[]): Pod => ({
  metadata: { name: 'web', namespace: 'ns', uid: 'u' },
  spec: { containers: [], volumes },
});
const mounted = (name: string, usage: MountedVolume['usage']): MountedVolume => ({
  name,
  hostPath: `/u/${name}`,
  readOnly: false,
  managed: true,
  selinuxRelabel: true,
  ...(usage !== undefined && { usage }),
});

const asked = (metricSource: string, measure: MeasuredUsage['measure']): MeasuredUsage => ({ metricSource, measure });

function harness(volumes: readonly MountedVolume[], periodMs = 60_000) {
  const clock = new VirtualClock();
  const logger = createMemoryLogger();
  const walks: string[] = [];
  const answers = new Map<string, Promise<TreeUsage>>();
  const statfs = { bsize: 1, blocks: 10, bfree: 4, bavail: 3, files: 9, ffree: 5 };
  const observed: (string | undefined)[] = [];
  const stats = new PodVolumeStats(
    {
      volumes: { getMountedVolumes: () => volumes },
      diskUsage: {
        tree: (path) => {
          walks.push(path);
          return answers.get(path) ?? Promise.resolve(tree);
        },
        folders: async () => [],
      },
      volumeFileSystems: new FileSystems(clock, 1_000, { statfs: async () => statfs, stat: async () => ({ dev: 1 }) }),
      deviceSizeBytes: async (path) => path.length,
      clock,
      random: createSeededRandom(1),
      logger,
      duration: { observe: (_seconds, labels) => observed.push(labels?.['metric_source']) },
    },
    periodMs,
  );
  return { clock, logger, walks, answers, observed, stats };
}

describe('volumes of pods', () => {
  it.each([
    ['emptyDir on disk', { emptyDir: {} }, true],
    ['emptyDir in memory', { emptyDir: { medium: 'Memory' } }, false],
    ['huge pages', { emptyDir: { medium: 'HugePages-2Mi' } }, false],
    ['config map', { configMap: { name: 'c' } }, true],
    ['git repository', { gitRepo: { repository: 'r' } }, true],
    ['secret', { secret: { secretName: 's' } }, false],
    ['projected', { projected: {} }, false],
    ['downward API', { downwardAPI: {} }, false],
    ['claim', { persistentVolumeClaim: { claimName: 'c' } }, false],
  ])('%s counts as ephemeral storage: %j %s', (_what, source, expected) => {
    expect(isLocalEphemeral({ name: 'v', ...source })).toBe(expected);
  });

  it('knows the claim behind a volume', () => {
    const pod = podOf([]);
    expect(claimOf(pod, { name: 'v', persistentVolumeClaim: { claimName: 'c' } })).toEqual({
      name: 'c',
      namespace: 'ns',
    });
    expect(claimOf(pod, { name: 'v', ephemeral: {} })).toEqual({ name: 'web-v', namespace: 'ns' });
    expect(claimOf(pod, { name: 'v', emptyDir: {} })).toBeUndefined();
  });

  it('takes the numbers from where the volume says', async () => {
    const driver = asked('d.example', async () => ({ usedBytes: 5, abnormal: false }));
    const { stats } = harness([
      mounted('tree', 'tree'),
      mounted('whole', 'file-system'),
      mounted('device', 'block'),
      mounted('asked', driver),
      mounted(
        'failing',
        asked('d.example', () => Promise.reject(new Error('broken'))),
      ),
      mounted('silent', undefined),
    ]);
    const claim = { persistentVolumeClaim: { claimName: 'c' } };
    await stats.refresh(
      [
        podOf([
          { name: 'tree', emptyDir: {} },
          { name: 'asked', ...claim },
        ]),
      ],
      1_000,
      never,
    );
    const { ephemeral, persistent } = stats.get('u') ?? { ephemeral: [], persistent: [] };
    const { availableBytes, capacityBytes, inodes, inodesFree } = tree.fileSystem;
    const free = { availableBytes, capacityBytes, inodes, inodesFree };
    expect(ephemeral).toEqual([expect.objectContaining({ name: 'tree', ...free, usedBytes: 8_192, inodesUsed: 2 })]);
    expect(persistent).toEqual([
      expect.objectContaining({ name: 'whole', availableBytes: 3, capacityBytes: 10, usedBytes: 6, inodesUsed: 4 }),
      expect.objectContaining({ name: 'device', availableBytes: 0, capacityBytes: '/u/device'.length, usedBytes: 0 }),
      {
        time: expect.any(String),
        name: 'asked',
        pvcRef: { name: 'c', namespace: 'ns' },
        availableBytes: 0,
        capacityBytes: 0,
        usedBytes: 5,
        inodesFree: 0,
        inodes: 0,
        inodesUsed: 0,
        volumeHealthStats: { abnormal: false },
      },
    ]);
  });

  it('observes how long each source takes, and is silent about a driver that has no numbers', async () => {
    const none = new KubeletError('not supported', { code: 'unimplemented' });
    const { stats, observed, logger } = harness([
      mounted('tree', 'tree'),
      mounted('whole', 'file-system'),
      mounted('device', 'block'),
      mounted(
        'none',
        asked('none.example', () => Promise.reject(none)),
      ),
      mounted(
        'broken',
        asked('broken.example', () => Promise.reject(new Error('broken'))),
      ),
    ]);
    await stats.refresh([podOf([])], 1_000, never);
    expect(observed.sort()).toEqual(['block', 'broken.example', 'du', 'none.example', 'statfs']);
    expect(logger.entries.map(({ fields }) => fields?.['volumeName'])).toEqual(['broken']);
  });

  it('takes what a quota has counted, and counts files where there is none', async () => {
    const { stats, observed, walks } = harness([
      mounted('counted', { quota: async () => ({ usedBytes: 7, inodesUsed: 2 }) }),
      mounted('none', { quota: async () => undefined }),
    ]);
    await stats.refresh([podOf([])], 1_000, never);
    expect(observed.sort()).toEqual(['du', 'fsquota']);
    expect(walks).toEqual(['/u/none']);
    expect(stats.get('u')?.persistent).toEqual([
      expect.objectContaining({ name: 'counted', usedBytes: 7, inodesUsed: 2, capacityBytes: 10, inodes: 9 }),
      expect.objectContaining({ name: 'none', usedBytes: 8_192 }),
    ]);
  });

  it('asks drivers that hang without holding up the others', async () => {
    const hanging = Array.from({ length: 10 }, (_, index) =>
      mounted(
        `h${index}`,
        asked('d.example', () => new Promise(() => undefined)),
      ),
    );
    const { stats, walks } = harness([...hanging, mounted('tree', 'tree')]);
    void stats.refresh([podOf([])], 1_000, never);
    await Promise.resolve();
    expect(walks).toEqual(['/u/tree']);
    await stats.stop();
  });

  it('measures at most once in a period, up to twice as long, and forgets pods that are gone', async () => {
    const { clock, stats, walks } = harness([mounted('v', 'tree')]);
    const refresh = (): Promise<void> => stats.refresh([podOf([])], 1_000, never);
    await refresh();
    await clock.advance(59_999);
    await refresh();
    expect(walks).toHaveLength(1);
    await clock.advance(60_001);
    await refresh();
    expect(walks).toHaveLength(2);
    await stats.refresh([], 1_000, never);
    expect(stats.get('u')).toBeUndefined();
  });

  it.each([0, -1])('measures nothing with a period of %d', async (periodMs) => {
    const { stats, walks } = harness([mounted('v', 'tree')], periodMs);
    await stats.refresh([podOf([])], 1_000, never);
    expect([walks, stats.get('u')]).toEqual([[], undefined]);
  });

  it('answers without a volume that takes long, and has it later', async () => {
    const { clock, stats, answers, walks } = harness([mounted('v', 'tree')]);
    let finish = (_usage: TreeUsage): void => undefined;
    answers.set('/u/v', new Promise((resolve) => (finish = resolve)));
    const waiting = stats.refresh([podOf([])], 1_000, never);
    await clock.advance(1_000);
    await waiting;
    expect(stats.get('u')).toBeUndefined();
    const again = stats.refresh([podOf([])], 1_000, never);
    expect(walks).toHaveLength(1);
    finish(tree);
    await again;
    expect(stats.get('u')?.persistent).toHaveLength(1);
  });

  it('says once that a volume was not counted to its end', async () => {
    const { clock, stats, answers, logger } = harness([mounted('v', 'tree')]);
    answers.set('/u/v', Promise.resolve({ ...tree, complete: false }));
    for (let round = 0; round < 3; round++) {
      await stats.refresh([podOf([])], 1_000, never);
      await clock.advance(120_000);
    }
    expect(logger.entries.filter(({ message }) => message.includes('more than is reported'))).toHaveLength(1);
    expect(stats.get('u')?.persistent[0]?.usedBytes).toBe(8_192);
  });
});
