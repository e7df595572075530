import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { CgroupSample, OperationCounts } from '@podwright/cgroup-stats-interface';
import type { Pod, PodStatus } from '@podwright/kube-types';
import type { Answer } from '@podwright/http-answer';
import type { ServerRequest } from '@podwright/server-interface';
import { cgroupSample, createTestNode } from '../fixtures/test-node.js';
import { CadvisorPages } from './cadvisor-pages.js';
import { machineInfo } from './machine-info.js';

const id = 'c'.repeat(64);
const podPath = '/kubepods/podu1';
const counts: OperationCounts = { Read: 1, Write: 2 };
const full: Partial<CgroupSample> = {
  limits: {
    cpuShares: 512,
    cpuQuotaUs: 50_000,
    cpuPeriodUs: 100_000,
    memoryLimit: 64,
    memoryReservation: 32,
    pidsLimit: 9,
  },
  cpu: {
    ...{ usageNs: 30, userNs: 20, systemNs: 10 },
    cfs: { periods: 3, throttledPeriods: 2, throttledNs: 1, burstPeriods: 0, burstNs: 0 },
  },
  memory: {
    ...{ usage: 1, workingSet: 2, rss: 3, cache: 4, swap: 5, mappedFile: 6, totalActiveFile: 0, totalInactiveFile: 0 },
    ...{ pageFaults: 7, majorPageFaults: 8, maxUsage: 9, failCount: 10, oomKills: 1 },
  },
  io: {
    devices: [
      {
        ...{ major: 8, minor: 0, device: '/dev/sda', serviceBytes: counts, serviced: counts, queued: counts },
        ...{ sectors: counts, serviceTimeNs: counts, merged: counts },
      },
    ],
  },
  processes: { count: 2, threads: 4 },
  network: [
    {
      ...{ name: 'eth0', rxBytes: 1, rxPackets: 2, rxErrors: 3, rxDropped: 4 },
      ...{ txBytes: 5, txPackets: 6, txErrors: 7, txDropped: 8 },
    },
  ],
};

function createPages(hostRoot = '/none'): CadvisorPages {
  const node = createTestNode();
  const pod: Pod = {
    metadata: { uid: 'u1', namespace: 'shop', name: 'web' },
    spec: { containers: [{ name: 'main' }] },
  };
  const main = { name: 'main', image: 'web:1', containerID: `containerd://${id}`, state: { running: {} } };
  node.pods.add(pod, { containerStatuses: [main] } as unknown as PodStatus);
  node.cgroups.set(podPath, cgroupSample(podPath));
  node.cgroups.set(`${podPath}/${id}`, cgroupSample(`${podPath}/${id}`, full));
  return new CadvisorPages(node.deps, hostRoot);
}

const asking = (path: string, body?: string): ServerRequest =>
  ({
    ...{ method: body === undefined ? 'GET' : 'POST', parameters: { path } },
    body: async () => Buffer.from(body ?? ''),
  }) as unknown as ServerRequest;
const json = async (answer: Answer | Promise<Answer>): Promise<unknown> => JSON.parse(String((await answer).body));

describe('the REST of cAdvisor', () => {
  it('has the field names of its ContainerInfo', async () => {
    const data = { pgfault: 7, pgmajfault: 8, numa_stats: {} };
    const disk = [{ device: '/dev/sda', major: 8, minor: 0, stats: { Read: 1, Write: 2 } }];
    const eth0 = {
      ...{ name: 'eth0', rx_bytes: 1, rx_packets: 2, rx_errors: 3, rx_dropped: 4 },
      ...{ tx_bytes: 5, tx_packets: 6, tx_errors: 7, tx_dropped: 8 },
    };
    expect(await json(createPages().container(asking(`${podPath.slice(1)}/${id}`, '{"num_stats":1}')))).toEqual({
      ...{ id, name: `${podPath}/${id}`, aliases: [id], namespace: 'containerd' },
      spec: {
        creation_time: '2025-12-31T00:00:00.000Z',
        labels: {
          'io.kubernetes.container.name': 'main',
          'io.kubernetes.pod.name': 'web',
          'io.kubernetes.pod.namespace': 'shop',
          'io.kubernetes.pod.uid': 'u1',
        },
        has_cpu: true,
        cpu: { limit: 512, max_limit: 0, quota: 50_000, period: 100_000 },
        has_memory: true,
        memory: { limit: 64, reservation: 32 },
        ...{ has_hugetlb: false, has_network: true, has_processes: true, processes: { limit: 9 } },
        ...{ has_filesystem: false, has_diskio: true, has_custom_metrics: false, image: 'web:1' },
      },
      stats: [
        {
          timestamp: '2026-01-01T00:00:00.000Z',
          cpu: {
            usage: { total: 30, user: 20, system: 10 },
            cfs: { periods: 3, throttled_periods: 2, throttled_time: 1 },
            schedstat: { run_time: 0, runqueue_time: 0, run_periods: 0 },
            load_average: 0,
          },
          diskio: {
            ...{ io_service_bytes: disk, io_serviced: disk, io_queued: disk },
            ...{ sectors: disk, io_service_time: disk, io_merged: disk },
          },
          memory: {
            ...{ usage: 1, working_set: 2, rss: 3, cache: 4, swap: 5, mapped_file: 6, max_usage: 9, failcnt: 10 },
            ...{ container_data: data, hierarchical_data: data },
          },
          network: { ...eth0, interfaces: [eth0] },
          task_stats: { nr_sleeping: 0, nr_running: 0, nr_stopped: 0, nr_uninterruptible: 0, nr_io_wait: 0 },
          processes: { process_count: 2, fd_count: 0, socket_count: 0, threads_current: 4, threads_max: 9 },
          oom_events: 1,
        },
      ],
    });
  });

  it('lists what is directly below a cgroup, and all of it on request', async () => {
    const pages = createPages();
    expect(await json(pages.container(asking('')))).toMatchObject({
      name: '/',
      subcontainers: [{ name: '/kubepods' }],
    });
    expect(await json(pages.container(asking('kubepods/')))).toMatchObject({ subcontainers: [{ name: podPath }] });
    const below = (await json(pages.subcontainers(asking('kubepods')))) as readonly { readonly name: string }[];
    expect(below.map(({ name }) => name)).toEqual(['/kubepods', podPath, `${podPath}/${id}`]);
    expect(await json(pages.subcontainers(asking('kube')))).toEqual([]);
  });

  it.each([
    ['', true],
    ['{"num_stats":-1}', true],
    ['{"num_stats":1,"start":"0001-01-01T00:00:00Z","end":"0001-01-01T00:00:00Z"}', true],
    ['{"num_stats":0}', false],
    ['{"start":"2030-01-01T00:00:00Z"}', false],
    ['{"end":"2020-01-01T00:00:00Z"}', false],
  ])('reads the request %s', async (body, hasStats) => {
    const info = (await json(createPages().container(asking('', body)))) as object;
    expect('stats' in info).toBe(hasStats);
  });

  it.each([
    ['none', '{}', 'failed to get container "/none" with error: unknown container "/none"\n'],
    ['', '[]', 'unable to decode the json value: it is no object\n'],
    ['', '{"num_stats":"x"}', 'unable to decode the json value: num_stats is "x"\n'],
    ['', '{"start":"x"}', 'unable to decode the json value: start is "x"\n'],
  ])('answers for %j with %s as cAdvisor: 500, and why', async (path, body, message) => {
    expect(await createPages().container(asking(path, body))).toMatchObject({ status: 500, body: message });
  });

  it('cannot be led out of the hierarchy', async () => {
    const { status, body } = await createPages().container(asking('../../etc'));
    expect([status, body]).toEqual([500, 'failed to get container "/etc" with error: unknown container "/etc"\n']);
  });

  it('reads the devices of the machine, without loops and the like', async () => {
    const hostRoot = await mkdtemp(path.join(tmpdir(), 'cadvisor-'));
    try {
      for (const [file, content] of Object.entries({
        'block/vda/dev': '254:0\n',
        'block/vda/size': '8\n',
        'block/vda/queue/scheduler': '[none] mq-deadline\n',
        'block/loop0/dev': '7:0\n',
        'class/net/eth0/address': '02:00:00:00:00:01\n',
        'class/net/eth0/speed': '1000\n',
        'class/net/eth0/mtu': '1400\n',
        'class/net/lo/mtu': '65536\n',
      })) {
        const place = path.join(hostRoot, 'sys', file);
        await mkdir(path.dirname(place), { recursive: true });
        await writeFile(place, content);
      }
      expect(await json(createPages(hostRoot).machine())).toMatchObject({
        disk_map: { '254:0': { name: 'vda', major: 254, minor: 0, size: 4096, scheduler: 'none' } },
        network_devices: [{ name: 'eth0', mac_address: '02:00:00:00:00:01', speed: 1000, mtu: 1400 }],
      });
    } finally {
      await rm(hostRoot, { recursive: true });
    }
  });

  it('has the field names of its MachineInfo', () => {
    const machine = createTestNode().deps.cgroups.machine();
    const memoryModules = [{ type: 'DDR4', count: 2, bytes: 8 }];
    const info = machineInfo(
      { ...machine, memoryModules },
      {
        disks: [{ name: 'sda', major: 8, minor: 0, sizeBytes: 512, scheduler: 'none' }],
        network: [{ name: 'eth0', macAddress: '02:00', speedMbit: 1000, mtu: 1500 }],
        fileSystems: [{ device: '/dev/sda1', type: 'ext4', capacityBytes: 7, inodes: 3 }],
        hugePages: [{ pageKilobytes: 2048, count: 4 }],
        cpuFrequencyKhz: 3_000_000,
        topology: {
          ...{ cpuCount: 2, socketCount: 1 },
          nodes: [
            {
              ...{ id: 0, memoryBytes: 8, hugePages: [{ sizeBytes: 2 ** 21, pages: 4 }], distances: [10] },
              cores: [{ coreId: 0, socketId: 0, threads: [0, 1], uncoreCaches: [] }],
            },
          ],
        },
      },
    );
    expect(info).toEqual({
      ...{ num_cores: 2, num_physical_cores: 2, num_sockets: 1, cpu_frequency_khz: 3_000_000 },
      ...{ memory_capacity: 8 * 2 ** 30, swap_capacity: 0, memory_dimm_count: 2 },
      memory_by_type: { DDR4: { Capacity: 8, DimmCount: 2 } },
      hugepages: [{ page_size: 2048, num_pages: 4 }],
      ...{ machine_id: 'machine', system_uuid: 'uuid', boot_id: 'boot' },
      filesystems: [{ device: '/dev/sda1', capacity: 7, type: 'ext4', inodes: 3, has_inodes: true }],
      disk_map: { '8:0': { name: 'sda', major: 8, minor: 0, size: 512, scheduler: 'none' } },
      network_devices: [{ name: 'eth0', mac_address: '02:00', speed: 1000, mtu: 1500 }],
      topology: [
        {
          ...{ node_id: 0, memory: 8, hugepages: [{ page_size: 2048, num_pages: 4 }], caches: null, distances: [10] },
          cores: [{ core_id: 0, thread_ids: [0, 1], caches: null, socket_id: 0 }],
        },
      ],
      ...{ cloud_provider: 'Unknown', instance_type: 'Unknown', instance_id: 'None' },
    });
  });
});
