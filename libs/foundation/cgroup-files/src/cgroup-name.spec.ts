import { describe, expect, it } from '@jest/globals';
import { cgroupName, containerIdOf, lastCgroupName, podUidOf } from './cgroup-name.js';

describe('names of cgroups', () => {
  const uid = '0f-1';
  it.each<['cgroupfs' | 'systemd', string, string]>([
    ['cgroupfs', '/root', '/root/kubepods/burstable/pod0f-1'],
    [
      'systemd',
      '/root',
      '/root.slice/root-kubepods.slice/root-kubepods-burstable.slice/root-kubepods-burstable-pod0f_1.slice',
    ],
  ])('of %s tell the pod', (driver, root, expected) => {
    const cgroup = cgroupName(driver, root, ['kubepods', 'burstable', `pod${uid}`]);
    expect(cgroup).toBe(expected);
    expect(lastCgroupName(cgroup)).toBe(`pod${uid}`);
    const directory = cgroup.slice(cgroup.lastIndexOf('/') + 1);
    expect(podUidOf(driver, directory)).toBe(uid);
  });

  it('are of other cgroups too', () => {
    expect(cgroupName('systemd', '/', [])).toBe('/');
    expect(podUidOf('systemd', 'cri-containerd-c1.scope')).toBeUndefined();
    expect(podUidOf('systemd', 'kubepods-burstable.slice')).toBeUndefined();
    expect(podUidOf('cgroupfs', 'burstable')).toBeUndefined();
    expect(podUidOf('cgroupfs', 'pod')).toBeUndefined();
    expect(['/a/pod1/c_1', '/a.slice/cri-containerd-c_1.scope', '/', '/system.slice'].map(lastCgroupName)).toEqual([
      ...['c_1', 'c_1', '', 'system'],
    ]);
  });
});

const id = '0123456789abcdef'.repeat(4);

it.each([
  [`/kubepods/pod1/${id}`, id],
  [`/kubepods.slice/kubepods-pod1.slice/cri-containerd-${id}.scope`, id],
  [`/kubepods.slice/kubepods-pod1.slice/crio-${id}.scope`, id],
  [`/kubepods/pod1/crio-${id}`, id],
  [`/kubepods.slice/kubepods-pod1.slice/crio-conmon-${id}.scope`, undefined],
  [`/kubepods/pod1/${id}/nested`, undefined],
  [`/system.slice/run-${id}.mount`, undefined],
  ['/kubepods/pod1', undefined],
  [`/kubepods/pod1/${id}ab`, undefined],
])('the container of %s is %s', (cgroup, expected) => {
  expect(containerIdOf(cgroup)).toBe(expected);
});
