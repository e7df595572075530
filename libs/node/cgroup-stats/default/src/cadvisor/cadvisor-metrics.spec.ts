import { afterEach, describe, expect, it } from '@jest/globals';
import { MetricType } from '@podwright/cri-client-interface';
import { createMemoryLogger, type MemoryLogger } from '@podwright/logging';
import type { Pod } from '@podwright/kube-types';
import { encodeMetrics, type MetricFamily } from '@podwright/metrics';
import { VirtualClock } from '@podwright/time';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { createCadvisorMetrics, createOnDemandCgroupStats } from '../cgroup-stats.module.js';
import { v1Container, v2Container } from '../fixtures/cgroup-files.js';
import { FixtureHost, limitsFile, netDev } from '../fixtures/fixture-host.js';
import { scriptedRuntime, type ScriptedRuntime } from '../fixtures/scripted-runtime.js';
import type { CadvisorMetrics } from './cadvisor-metrics.js';

const sandboxId = 'a'.repeat(64);
const containerId = 'b'.repeat(64);
const pod = '/kubepods/burstable/pod1';

const labels = {
  'io.kubernetes.pod.name': 'web',
  'io.kubernetes.pod.namespace': 'shop',
  'io.kubernetes.container.name': 'app',
};

const metadata = { name: 'web', namespace: 'shop', uid: '1', attempt: 0 };

let host: FixtureHost;
let clock: VirtualClock;
let logger: MemoryLogger;
let runtime: ScriptedRuntime;

async function set(
  version: 1 | 2,
  options: { readonly containerMetricsFromCri?: boolean; readonly fileSystems?: boolean } = {},
): Promise<CadvisorMetrics> {
  host = await FixtureHost.create(version);
  clock = new VirtualClock({ startMs: 1_700_000_000_500 });
  logger = createMemoryLogger(0);
  runtime = scriptedRuntime();
  runtime.answers = {
    listPodSandbox: { items: [{ id: sandboxId, metadata, labels: {} }] },
    podSandboxStatus: { info: { info: JSON.stringify({ image: 'pause:3.10' }) } },
    listContainers: { containers: [{ id: containerId, podSandboxId: sandboxId, imageRef: 'sha256:1', labels }] },
    imageStatus: { image: { repoTags: ['docker.io/library/web:1'], repoDigests: [] } },
  };
  const files = version === 1 ? v1Container : v2Container;
  await host.cgroup('/', files);
  for (const cgroup of [pod, `${pod}/${containerId}`]) await host.cgroup(cgroup, files);
  await host.cgroup(`${pod}/${sandboxId}`, { ...files, 'cgroup.procs': '201\n' });
  await host.put({
    'proc/201/net/dev': netDev({ lo: 1, eth0: 500 }),
    'proc/201/limits': limitsFile('unlimited'),
    'proc/101/limits': limitsFile('1048576'),
    'proc/101/fd/0': '',
  });
  await symlink('socket:[5]', path.join(host.root, 'proc/101/fd/1'));
  await symlink('pipe:[6]', path.join(host.root, 'proc/101/fd/2'));
  const config = { hostRoot: host.root, ...options };
  const stats = createOnDemandCgroupStats({ clock, logger }, config);
  const web = { metadata: { name: 'web', namespace: 'shop' }, spec: { containers: [] } } as Pod;
  const pods = { getPodByUid: (uid: string) => (uid === '1' ? web : undefined) };
  const metrics = createCadvisorMetrics({ stats, runtime, images: runtime, pods, clock, logger }, config);
  await stats.start();
  await metrics.start();
  return metrics;
}

/** Series of a family as `{labels} value timestamp`. */
async function scrape(metrics: CadvisorMetrics): Promise<ReadonlyMap<string, MetricFamily>> {
  return new Map([...(await metrics.gather())].map((family) => [family.name, family]));
}
const series = (families: ReadonlyMap<string, MetricFamily>, name: string): readonly string[] =>
  [...(families.get(name)?.points ?? [])].map(({ labels, value, timestampMs }) =>
    [`{${labels.map(([key, text]) => `${key}=${text}`).join(',')}}`, String(value), timestampMs ?? ''].join(' ').trim(),
  );
afterEach(() => host.remove());

const rootLabels = 'container=,id=/,image=,name=,namespace=,pod=';
const podLabels = `container=,id=${pod},image=,name=,namespace=shop,pod=web`;
const sandboxLabels = `container=,id=${pod}/${sandboxId},image=pause:3.10,name=${sandboxId},namespace=shop,pod=web`;
const containerLabels = `container=app,id=${pod}/${containerId},image=docker.io/library/web:1,name=${containerId},namespace=shop,pod=web`;
const at = 1_700_000_000_500;

/** Families with series on v1; v2 has those of io.cost and pressure as well. */
const v1Families = [
  'cadvisor_version_info',
  'container_blkio_device_usage_total',
  'container_cpu_cfs_burst_periods_total',
  'container_cpu_cfs_burst_seconds_total',
  'container_cpu_cfs_periods_total',
  'container_cpu_cfs_throttled_periods_total',
  'container_cpu_cfs_throttled_seconds_total',
  'container_cpu_load_average_10s',
  'container_cpu_load_d_average_10s',
  'container_cpu_system_seconds_total',
  'container_cpu_usage_seconds_total',
  'container_cpu_user_seconds_total',
  'container_file_descriptors',
  'container_fs_inodes_free',
  'container_fs_inodes_total',
  'container_fs_io_current',
  'container_fs_io_time_seconds_total',
  'container_fs_io_time_weighted_seconds_total',
  'container_fs_limit_bytes',
  'container_fs_read_seconds_total',
  'container_fs_reads_bytes_total',
  'container_fs_reads_merged_total',
  'container_fs_reads_total',
  'container_fs_sector_reads_total',
  'container_fs_sector_writes_total',
  'container_fs_usage_bytes',
  'container_fs_write_seconds_total',
  'container_fs_writes_bytes_total',
  'container_fs_writes_merged_total',
  'container_fs_writes_total',
  'container_health_state',
  'container_last_seen',
  'container_memory_cache',
  'container_memory_failcnt',
  'container_memory_failures_total',
  'container_memory_kernel_usage',
  'container_memory_mapped_file',
  'container_memory_max_usage_bytes',
  'container_memory_rss',
  'container_memory_swap',
  'container_memory_total_active_file_bytes',
  'container_memory_total_inactive_file_bytes',
  'container_memory_usage_bytes',
  'container_memory_working_set_bytes',
  'container_network_receive_bytes_total',
  'container_network_receive_errors_total',
  'container_network_receive_packets_dropped_total',
  'container_network_receive_packets_total',
  'container_network_transmit_bytes_total',
  'container_network_transmit_errors_total',
  'container_network_transmit_packets_dropped_total',
  'container_network_transmit_packets_total',
  'container_oom_events_total',
  'container_processes',
  'container_scrape_error',
  'container_sockets',
  'container_spec_cpu_period',
  'container_spec_cpu_quota',
  'container_spec_cpu_shares',
  'container_spec_memory_limit_bytes',
  'container_spec_memory_reservation_limit_bytes',
  'container_spec_memory_swap_limit_bytes',
  'container_start_time_seconds',
  'container_tasks_state',
  'container_threads',
  'container_threads_max',
  'container_ulimits_soft',
  'machine_cpu_books',
  'machine_cpu_cores',
  'machine_cpu_drawers',
  'machine_cpu_physical_cores',
  'machine_cpu_sockets',
  'machine_memory_bytes',
  'machine_nvm_avg_power_budget_watts',
  'machine_nvm_capacity',
  'machine_scrape_error',
  'machine_swap_bytes',
];
const v2Families = ['cpu', 'io', 'memory'].flatMap((resource) => [
  `container_pressure_${resource}_stalled_seconds_total`,
  `container_pressure_${resource}_waiting_seconds_total`,
]);

describe('cAdvisor metrics', () => {
  it.each([1, 2] as const)('of v%i are those of the table, sorted, and not without a number', async (version) => {
    const families = await scrape(await set(version));
    const cost = 'container_fs_io_cost_usage_seconds_total';
    const expected = version === 1 ? v1Families : [...v1Families, ...v2Families, cost];
    const present = [...families.keys()].filter((name) => series(families, name).length > 0);
    expect(present).toEqual([...expected].sort());
    expect([...families.keys()]).toEqual([...families.keys()].sort());
  });

  it('have the six labels, the time of the reading, and what only sandboxes or limits have', async () => {
    const families = await scrape(await set(1));
    const all = (name: string): readonly string[] => series(families, name);
    expect(all('container_memory_working_set_bytes')).toEqual(
      [rootLabels, rootLabels.replace('id=/', 'id=/kubepods'), rootLabels.replace('id=/', 'id=/kubepods/burstable')]
        .map((text, index) => `{${text}} ${index === 0 ? 3600 : 0} ${at}`)
        .concat([podLabels, sandboxLabels, containerLabels].map((text) => `{${text}} 3600 ${at}`)),
    );
    expect(all('container_network_receive_bytes_total')).toEqual([
      `{${rootLabels.replace('image=', 'image=,interface=eth0')}} 1000 ${at}`,
      `{${sandboxLabels.replace('pause:3.10', 'pause:3.10,interface=eth0')}} 500 ${at}`,
    ]);
    expect(all('container_cpu_usage_seconds_total')).toContain(
      `{${containerLabels.replace('container=app', 'container=app,cpu=total')}} 5 ${at}`,
    );
    expect(all('container_memory_failures_total').filter((line) => line.includes('=app'))).toEqual([
      `{${containerLabels.replace('id=', 'failure_type=pgfault,id=')},scope=container} 77 ${at}`,
      `{${containerLabels.replace('id=', 'failure_type=pgmajfault,id=')},scope=container} 3 ${at}`,
      `{${containerLabels.replace('id=', 'failure_type=pgfault,id=')},scope=hierarchy} 77 ${at}`,
      `{${containerLabels.replace('id=', 'failure_type=pgmajfault,id=')},scope=hierarchy} 3 ${at}`,
    ]);
  });

  it.each<[1 | 2, string, number, string]>([
    [1, 'container_spec_cpu_quota', 50_000, ''],
    [1, 'container_spec_cpu_shares', 204, ''],
    [2, 'container_spec_cpu_shares', 185, ''],
    [1, 'container_spec_memory_limit_bytes', 67_108_864, ''],
    [1, 'container_spec_memory_reservation_limit_bytes', 0, ''],
    [2, 'container_spec_memory_swap_limit_bytes', 0, ''],
    [1, 'container_cpu_user_seconds_total', 3, ` ${at}`],
    [1, 'container_cpu_cfs_throttled_seconds_total', 2.5, ` ${at}`],
    [2, 'container_cpu_cfs_burst_seconds_total', 0.000005, ` ${at}`],
    [1, 'container_memory_kernel_usage', 600, ` ${at}`],
    [2, 'container_memory_failcnt', 0, ` ${at}`],
    [2, 'container_oom_events_total', 6, ` ${at}`],
    [1, 'container_processes', 2, ` ${at}`],
    [1, 'container_sockets', 1, ` ${at}`],
    [1, 'container_threads_max', 128, ` ${at}`],
    [2, 'container_threads_max', 0, ` ${at}`],
    [1, 'container_health_state', -1, ` ${at}`],
    [1, 'container_last_seen', 1_700_000_000, ` ${at}`],
    [2, 'container_pressure_cpu_stalled_seconds_total', 1, ` ${at}`],
    [2, 'container_pressure_io_waiting_seconds_total', 6, ` ${at}`],
  ])('v%i %s of a container is %d', async (version, name, value, time) => {
    const families = await scrape(await set(version));
    expect(series(families, name)).toContain(`{${containerLabels}} ${value}${time}`);
  });

  it('say that a container is seen at the scrape, whenever it was read', async () => {
    const metrics = await set(1);
    await scrape(metrics);
    await clock.advance(9_000);
    const families = await scrape(metrics);
    expect(series(families, 'container_memory_working_set_bytes')).toContain(`{${containerLabels}} 3600 ${at}`);
    const seen = `{${containerLabels}} ${1_700_000_009} ${at + 9_000}`;
    expect(series(families, 'container_last_seen')).toContain(seen);
  });

  it('show disks by device, and the soft limit of open files', async () => {
    const families = await scrape(await set(2));
    const device = containerLabels.replace('app', 'app,device=/dev/vda');
    expect(series(families, 'container_fs_reads_bytes_total')).toContain(`{${device}} 4096 ${at}`);
    expect(series(families, 'container_fs_writes_total')).toContain(`{${device}} 4 ${at}`);
    expect(series(families, 'container_fs_io_cost_usage_seconds_total')).toContain(`{${device}} 1.5 ${at}`);
    const operation = `{${device.replace('name=', 'major=254,minor=0,name=').replace(',pod=', ',operation=Write,pod=')}}`;
    expect(series(families, 'container_blkio_device_usage_total')).toContain(`${operation} 8192 ${at}`);
    expect(series(families, 'container_ulimits_soft')).toEqual([
      `{${rootLabels},ulimit=max_open_files} 1024 ${at}`,
      `{${sandboxLabels},ulimit=max_open_files} -1 ${at}`,
      `{${containerLabels},ulimit=max_open_files} 1048576 ${at}`,
    ]);
    expect(series(families, 'machine_nvm_capacity')).toEqual([
      `{boot_id=boot,machine_id=machine,mode=memory_mode,system_uuid=uuid} 0`,
      `{boot_id=boot,machine_id=machine,mode=app_direct_mode,system_uuid=uuid} 0`,
    ]);
  });

  it('show with CRI-O its names, what containers have written, and the network of a sandbox without a process', async () => {
    const metrics = await set(1);
    const others = ['c', 'd'].map((letter) => letter.repeat(64));
    const [oldSandbox = '', dead = ''] = others;
    for (const id of others) await host.cgroup(`${pod}/crio-${id}`, { ...v1Container, 'cgroup.procs': '' });
    await host.removeCgroup(`${pod}/${sandboxId}`);
    await host.removeCgroup(`${pod}/${containerId}`);
    await host.cgroup(`${pod}/crio-${sandboxId}`, { ...v1Container, 'cgroup.procs': '' });
    await host.cgroup(`${pod}/crio-${containerId}`, v1Container);
    await host.put({ 'proc/101/net/dev': netDev({ eth0: 900 }) });
    const podLabels = { ...labels, 'io.kubernetes.container.name': 'POD' };
    const appLabels = { ...labels, 'io.kubernetes.pod.uid': '1' };
    const app = {
      podSandboxId: sandboxId,
      metadata: { name: 'app', attempt: 2 },
      imageRef: 'sha256:1',
      labels: appLabels,
    };
    runtime.answers = {
      ...runtime.answers,
      listPodSandbox: { items: [sandboxId, oldSandbox].map((id) => ({ id, metadata, labels: podLabels })) },
      // So it is for a sandbox with a process, as that of a pod whose containers share it.
      podSandboxStatus: { info: { info: JSON.stringify({ image: 'pause:3.10', runtimeSpec: {} }) } },
      listContainers: {
        containers: [dead, containerId].map((id) => ({ id, ...app })),
      },
      imageFsInfo: { containerFilesystems: [{ fsId: { mountpoint: path.join(host.root, 'storage') } }] },
      listContainerStats: {
        stats: [
          {
            attributes: { id: containerId },
            writableLayer: { usedBytes: { value: 4096n }, inodesUsed: { value: 7n } },
          },
        ],
      },
    };
    let families = await scrape(metrics);
    const shown = series(families, 'container_network_receive_bytes_total').filter((line) => line.includes('web'));
    const cgroup = `id=${pod}/crio-${sandboxId},image=,interface=eth0,name=k8s_POD_web_shop_1_0`;
    expect(shown).toEqual([`{container=POD,${cgroup},namespace=shop,pod=web} 900 ${at}`]);
    const onDisk = (name: string): ReadonlyMap<string | undefined, string | undefined> =>
      new Map(
        series(families, `container_fs_${name}`).map((line) => {
          const [, id, value] = /device=\/dev\/vda,id=(?:.*\/crio-)?(\S).* (\S+) \d+$/.exec(line) ?? [];
          return [id, value];
        }),
      );
    const limit = onDisk('limit_bytes').get('/');
    expect(limit).toMatch(/^[1-9]\d+$/);
    expect([onDisk('usage_bytes').get('b'), onDisk('inodes_total').get('b')]).toEqual(['4096', '7']);
    expect([onDisk('limit_bytes').get('b'), onDisk('io_time_weighted_seconds_total').get('b')]).toEqual([limit, '0']);
    expect(['a', 'c', 'd'].map((id) => onDisk('usage_bytes').get(id))).toEqual(['0', '0', '0']);
    // CRI-O keeps the cgroups of what has ended until it is removed, and so does upstream's page.
    const shownApps = series(families, 'container_memory_rss').filter((line) => line.includes('container=app'));
    expect(shownApps.map((line) => /crio-(\w).*,name=(\w*)/.exec(line)?.slice(1))).toEqual(
      ['b', 'd'].map((letter) => [letter, 'k8s_app_web_shop_1_2']),
    );
    runtime.failure = new Error('away');
    families = await scrape(metrics);
    expect([...onDisk('usage_bytes').keys()]).toEqual(['/']);
    expect(logger.entries.at(-1)?.message).toBe('Failed to get what containers have written');
  });

  it('show no file system without isolation of local storage, and what cgroups read and wrote all the same', async () => {
    const families = await scrape(await set(2, { fileSystems: false }));
    for (const name of ['inodes_free', 'inodes_total', 'limit_bytes', 'usage_bytes', 'io_time_weighted_seconds_total'])
      expect(series(families, `container_fs_${name}`)).toEqual([]);
    expect(series(families, 'container_fs_reads_bytes_total')).toHaveLength(4);
  });

  it('ask the runtime only when something unknown has started', async () => {
    const metrics = await set(1);
    await metrics.gather();
    const calls = ['imageStatus', 'listContainers', 'listPodSandbox', 'podSandboxStatus'];
    expect([...runtime.calls].sort()).toEqual(calls);
    await clock.advance(60_000);
    await metrics.gather();
    expect(runtime.calls).toHaveLength(calls.length);
    await host.cgroup(`${pod}/${'c'.repeat(64)}`, v1Container);
    await clock.advance(60_000);
    await metrics.gather();
    // Nobody knows it: it is asked for again only after a while.
    await metrics.gather();
    expect(runtime.calls).toHaveLength(calls.length + 2);
  });

  it('do without a runtime that fails, and say so once', async () => {
    const metrics = await set(1);
    runtime.failure = new Error('away');
    const families = await scrape(metrics);
    await clock.advance(10_000);
    await metrics.gather();
    expect(series(families, 'container_processes')).toContain(`{${podLabels}} 2 ${at}`);
    expect(series(families, 'container_processes')).toContain(
      `{container=,id=${pod}/${containerId},image=,name=,namespace=,pod=} 2 ${at}`,
    );
    expect(logger.entries.filter(({ message }) => message.includes('Failed to list containers'))).toHaveLength(1);
  });

  it('leave a cgroup out that is gone, without an error', async () => {
    const metrics = await set(1);
    await metrics.gather();
    await host.removeCgroup(`${pod}/${containerId}`);
    await clock.advance(20_000);
    const families = await scrape(metrics);
    expect(series(families, 'container_processes').some((line) => line.includes(containerId))).toBe(false);
    expect(series(families, 'container_scrape_error')).toEqual(['{} 0']);
  });

  it("are the runtime's own with its gate, and those of the machine", async () => {
    const metrics = await set(2, { containerMetricsFromCri: true });
    const metric = {
      name: 'container_x',
      metricType: MetricType.COUNTER,
      labelValues: ['a', '1'],
      value: { value: 7n },
    };
    const descriptors = [{ name: 'container_x', help: 'X.', labelKeys: ['name', 'id'] }];
    const containerMetrics = [
      {
        metrics: [
          { ...metric, timestamp: 5_000_000n },
          { ...metric, labelValues: ['1'] },
        ],
      },
    ];
    runtime.answers = {
      listMetricDescriptors: { descriptors },
      listPodSandboxMetrics: {
        podMetrics: [
          {
            metrics: [
              { ...metric, timestamp: 0n },
              { ...metric, name: 'unknown' },
            ],
            containerMetrics,
          },
        ],
      },
    };
    const families = await scrape(metrics);
    expect(families.get('container_x')).toMatchObject({ help: '[INTERNAL] X.', type: 'counter' });
    expect(series(families, 'container_x')).toEqual(['{id=1,name=a} 7', '{id=1,name=a} 7 5']);
    expect([...families.keys()].filter((name) => !name.startsWith('machine_'))).toEqual(['container_x']);
    runtime.failure = new Error('unimplemented');
    expect([...(await scrape(metrics)).keys()].every((name) => name.startsWith('machine_'))).toBe(true);
  });

  it('are text that has each series once', async () => {
    const pieces: string[] = [];
    for await (const piece of encodeMetrics(await set(2), 'text')) pieces.push(String(piece));
    const lines = pieces
      .join('')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(lines.length).toBeGreaterThan(200);
    const named = lines.map((line) => line.slice(0, line.lastIndexOf('} ') + 1)).filter((line) => line !== '');
    expect(new Set(named).size).toBe(named.length);
  });
});
