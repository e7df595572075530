import { describe, expect, it } from '@jest/globals';
import { cgroupRoots } from './cgroup-roots.js';

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
});
