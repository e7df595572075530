import { describe, expect, it } from '@jest/globals';
import { parseMountTable } from '@podwright/filesystem';
import { parseDiskStats, partitionsOf } from './file-systems.js';

const line = (mountPoint: string, type: string, source: string, device = '8:1'): string =>
  `30 20 ${device} / ${mountPoint} rw - ${type} ${source} rw`;

describe('file systems', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['one per device', [line('/', 'ext4', '/dev/vda'), line('/bind', 'ext4', '/dev/vda')], ['/dev/vda at /']],
    ['that at / first', [line('/bind', 'ext4', '/dev/vda'), line('/', 'ext4', '/dev/vda')], ['/dev/vda at /']],
    ['each tmpfs', [line('/run', 'tmpfs', 'tmpfs'), line('/tmp', 'tmpfs', 'tmpfs')], ['/run at /run', '/tmp at /tmp']],
    ['overlays by their numbers', [line('/x', 'overlay', 'overlay', '0:55')], ['overlay_0-55 at /x']],
    ['none of the kernel', [line('/proc', 'proc', 'proc'), line('/c', 'cgroup2', 'cgroup2')], []],
    ['none over a network', [line('/nfs', 'nfs4', 'server:/x')], []],
    [
      'none of pods and containers',
      [
        line('/var/lib/kubelet/pods/1/volumes/x', 'tmpfs', 'tmpfs'),
        line('/mnt/other/pods/1/volumes/kubernetes.io~secret/x', 'tmpfs', 'tmpfs'),
        line('/run/containerd/io.containerd.grpc.v1.cri/sandboxes/a/shm', 'tmpfs', 'shm'),
        line('/run/containerd/io.containerd.runtime.v2.task/k8s.io/a/rootfs', 'overlay', 'overlay'),
        line(`/var/lib/containers/storage/overlay/${'a'.repeat(64)}/merged`, 'overlay', 'overlay'),
        line('/run/containers/storage/overlay-containers/a/userdata/shm', 'tmpfs', 'shm'),
      ],
      [],
    ],
  ])('are %s', (_what, lines, expected) => {
    const found = partitionsOf(parseMountTable(lines.join('\n')), '/var/lib/kubelet');
    expect(found.map(({ device, mountPoint }) => `${device} at ${mountPoint}`)).toEqual(expected);
  });

  it('have no end of mounts', () => {
    const lines = Array.from({ length: 1000 }, (_, index) => line(`/m${index}`, 'tmpfs', 'tmpfs'));
    expect(partitionsOf(parseMountTable(lines.join('\n')), '/x')).toHaveLength(256);
  });

  it('find what their disk did by name and by numbers', () => {
    const disks = parseDiskStats(' 8 1 sda1 1 2 3 4 5 6 7 8 9 10 11 12\nno disk\n');
    expect(disks.get('/dev/sda1')).toEqual({
      reads: 1,
      readsMerged: 2,
      sectorsRead: 3,
      readMs: 4,
      writes: 5,
      writesMerged: 6,
      sectorsWritten: 7,
      writeMs: 8,
      inProgress: 9,
      ioMs: 10,
      weightedIoMs: 11,
    });
    expect(disks.get('8:1')).toBe(disks.get('/dev/sda1'));
    expect(disks.size).toBe(2);
  });
});
