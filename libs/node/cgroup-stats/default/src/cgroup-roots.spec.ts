import { describe, expect, it } from '@jest/globals';
import { cgroupRoots, ownCgroup } from './cgroup-roots.js';

const config = {
  cgroupDriver: 'cgroupfs',
  cgroupRoot: '/',
  cgroupsPerQos: true,
  kubeletCgroups: '',
  runtimeCgroups: '',
  systemCgroups: '',
} as const;

describe('roots of cgroups', () => {
  it.each([
    [{}, '/kubepods'],
    [{ cgroupRoot: '/a/b' }, '/a/b/kubepods'],
    [{ cgroupRoot: '/a', cgroupsPerQos: false }, '/a'],
    [{ cgroupDriver: 'systemd' as const }, '/kubepods.slice'],
    [{ cgroupDriver: 'systemd' as const, cgroupRoot: '/a' }, '/a.slice/a-kubepods.slice'],
  ])('%j: pods are at %s', (options, pods) => {
    expect(cgroupRoots({ ...config, ...options }, '').pods).toBe(pods);
  });

  it('are those that are named, and none else', () => {
    const named = { kubeletCgroups: '/k', runtimeCgroups: '/r', systemCgroups: '/s' };
    expect(cgroupRoots({ ...config, ...named }, '0::/own')).toMatchObject({
      kubelet: '/k',
      runtime: '/r',
      system: '/s',
    });
    expect(cgroupRoots(config, '0::/own')).toEqual({ pods: '/kubepods', kubelet: '/own' });
  });

  it.each([
    ['v2', '0::/system.slice/kubelet.service\n', '/system.slice/kubelet.service'],
    ['v1', '2:cpu,cpuacct:/k\n1:memory:/k\n', '/k'],
    ['v1 of systemd without accounting', '3:cpu,cpuacct:/\n2:memory:/\n1:name=systemd:/k.service\n', '/k.service'],
    ['v1 with different ones', '2:cpu,cpuacct:/\n1:memory:/k\n', undefined],
    ['v1 with v2 beside it', '2:cpu:/k\n1:memory:/k\n0::/\n', '/k'],
    ['nothing', '', undefined],
  ])('%s: the own one', (_what, text, expected) => {
    expect(ownCgroup(text)).toBe(expected);
  });
});
