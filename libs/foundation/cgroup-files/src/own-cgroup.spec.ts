import { describe, expect, it } from '@jest/globals';
import { ownCgroupOf } from './own-cgroup.js';

describe('the cgroup of a process', () => {
  it.each([
    ['v2', '0::/system.slice/kubelet.service\n', '/system.slice/kubelet.service'],
    ['v1', '2:cpu,cpuacct:/k\n1:memory:/k\n', '/k'],
    ['v1 of systemd without accounting', '3:cpu,cpuacct:/\n2:memory:/\n1:name=systemd:/k.service\n', '/k.service'],
    ['v1 with different ones', '2:cpu,cpuacct:/\n1:memory:/k\n', undefined],
    ['v1 with v2 beside it', '2:cpu:/k\n1:memory:/k\n0::/\n', '/k'],
    ['nothing', '', undefined],
  ])('%s', (_what, text, expected) => {
    expect(ownCgroupOf(text)).toBe(expected);
  });
});
