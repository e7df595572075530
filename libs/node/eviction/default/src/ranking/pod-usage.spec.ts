import { describe, expect, it } from '@jest/globals';
import type { PodStats } from '@podwright/stats-interface';
import { testPod } from '../fixtures/eviction-harness.js';
import { diskUsage, memoryUsage, processUsage, type DiskPart } from './pod-usage.js';

const time = '';
const files = (usedBytes: number, inodesUsed: number) => ({ time, usedBytes, inodesUsed });
const stats: PodStats = {
  podRef: { name: 'a', namespace: 'default', uid: 'uid-a' },
  startTime: time,
  containers: [
    { name: 'main', startTime: time, rootfs: files(1, 10), logs: files(2, 20) },
    { name: 'side', startTime: time, rootfs: files(3, 30) },
  ],
  volume: [
    { name: 'scratch', ...files(100, 1_000) },
    { name: 'memory', ...files(200, 2_000) },
    { name: 'host', ...files(400, 4_000) },
    { name: 'config', ...files(800, 8_000) },
    { name: 'secret', ...files(1_600, 16_000) },
    { name: 'foreign', ...files(3_200, 32_000) },
    { name: 'repository', ...files(6_400, 64_000) },
  ],
};
const pod = testPod('a', {
  volumes: [
    { name: 'scratch', emptyDir: {} },
    { name: 'memory', emptyDir: { medium: 'Memory' } },
    { name: 'host', hostPath: { path: '/' } },
    { name: 'config', configMap: { name: 'c' } },
    { name: 'secret', secret: { secretName: 's' } },
    { name: 'unmeasured', emptyDir: {} },
    { name: 'repository', gitRepo: { repository: 'r' } },
  ],
});

describe('usage of disk', () => {
  it.each<[readonly DiskPart[], number, number]>([
    [[], 0, 0],
    [['root'], 4, 40],
    [['logs'], 2, 20],
    [['local volumes'], 7_700, 77_000],
    [['logs', 'local volumes'], 7_702, 77_020],
    [['root', 'logs', 'local volumes'], 7_706, 77_060],
  ])('of %j', (parts, bytes, inodes) => {
    expect(diskUsage(pod, stats, parts, 'usedBytes')).toBe(bytes);
    expect(diskUsage(pod, stats, parts, 'inodesUsed')).toBe(inodes);
  });
});

it('what is not known counts as nothing', () => {
  expect([memoryUsage({}), processUsage({}), processUsage({ process_stats: {} })]).toEqual([0, 0, 0]);
});
