import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { PodSpec } from '@podwright/kube-types';
import { labSupport } from '@podwright/lab';
import { csiCapabilities, type CsiCall } from '@podwright/test-csi-driver';
import type { NodePublishVolumeRequest } from '@podwright/volume-csi-interface';
import { createSeededRandom } from '@podwright/time';
import { CsiNode } from './csi-node.js';
import { expectPodExplained } from './explained.js';
import { main, podManifest, type PodManifest } from './pod-manifests.js';
import { useLab } from './test-lab.js';
import { aWhile, untilHolds, waitFor } from './wait-for.js';

// The defaults keep the suite short; figures that are published come from 50 pods and 100 kills.
const podCount = Number(process.env['PODWRIGHT_ACCEPTANCE_CSI_PODS'] ?? 8);
const kills = Number(process.env['PODWRIGHT_ACCEPTANCE_CSI_KILLS'] ?? 6);
const seed = Number(process.env['PODWRIGHT_ACCEPTANCE_SEED'] ?? 1);
jest.setTimeout(120_000 + podCount * 6_000 + kills * 15_000);

const patient = { withinMs: 90_000 + podCount * 3_000 };
const mebibyte = 2 ** 20;

/** A pod with its claim at `/data`. */
function podWith(claimName: string, spec: Partial<PodSpec> = {}, name = claimName): PodManifest {
  return podManifest(name, {
    containers: [main({ volumeMounts: [{ name: 'data', mountPath: '/data' }] })],
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
    terminationGracePeriodSeconds: 2,
    ...spec,
  });
}

const usualCapabilities = ['STAGE_UNSTAGE_VOLUME', 'GET_VOLUME_STATS', 'EXPAND_VOLUME'] as const;
/** Of operations that a pod's whole life takes. */
const operationLabels: readonly string[] = [
  '{operation_name="overall_volume_mount",plugin_name="kubernetes.io/csi:disks"}',
  '{metric_source="disks"}',
  ...['verify_controller_attached_volume', 'volume_mount', 'volume_unmount', 'unmount_device'].map(
    (name) => `{migrated="false",operation_name="${name}",status="success",volume_plugin="kubernetes.io/csi:disks"}`,
  ),
  ...['StageVolume', 'PublishVolume', 'GetVolumeStats', 'GetCapabilities', 'UnpublishVolume', 'UnstageVolume'].map(
    (rpc) => `{driver_name="disks",grpc_status_code="OK",method_name="/csi.v1.Node/Node${rpc}",migrated="false"}`,
  ),
];

const support = labSupport();
const onLab = support.ok ? describe : describe.skip;

onLab(`volumes of a CSI driver${support.ok ? '' : ` (skipped: ${support.reason})`}`, () => {
  const bed = useLab();
  let csi: CsiNode;

  beforeAll(async () => {
    csi = await CsiNode.start(bed(), 'csi', {
      configuration: { syncFrequency: '5s', volumeStatsAggPeriod: '2s', featureGates: { CSIVolumeHealth: true } },
    });
  });
  afterAll(async () => csi?.stop());

  async function gone(...names: readonly string[]): Promise<void> {
    for (const name of names) await csi.node.delete(name);
    for (const name of names) await csi.node.untilGone(name, patient);
    await csi.node.kubelet.waitFor(
      'nothing is in use',
      async () => (await csi.inUse()).length === 0,
      patient,
      () =>
        csi.driver.calls
          .list()
          .slice(-8)
          .map(({ rpc, volumeId, outcome }) => `${rpc} ${volumeId} ${outcome}\n`)
          .join(''),
    );
  }

  it('keeps data over the deaths of kubelet, driver, machine and pod, with the files owned by fsGroup', async () => {
    const { node, driver } = csi;
    await csi.claims.create('kept', '64Mi');
    const grouped = podWith('kept', { securityContext: { fsGroup: 4321 } });
    await node.create(grouped);
    const ready = await node.untilReady('kept', patient);
    await node.exec('kept', 'sh', '-c', 'echo first > /data/file; sync');
    expect(await node.exec('kept', 'stat', '-c', '%g', '/data', '/data/file')).toBe('4321\n4321\n');

    const { length: registrations } = driver.registrations;
    await csi.killKubelet();
    driver.die();
    await csi.startDriver();
    await node.ready();
    await waitFor('the driver is registered again', async () => driver.registrations.length > registrations);
    await node.exec('kept', 'sh', '-c', 'echo second >> /data/file; sync');
    const after = await node.untilReady('kept');
    expect(after.status?.containerStatuses).toMatchObject([
      { restartCount: 0, containerID: ready.status?.containerStatuses?.[0]?.containerID },
    ]);
    const handle = await csi.claims.handleOf('kept');
    // The new kubelet cannot know what the old one has completed.
    await node.kubelet.waitFor('the volume is set up again', async () => {
      return driver.calls.list({ rpc: 'NodePublishVolume', volumeId: handle, outcome: 'OK' }).length === 2;
    });

    await csi.restartMachine();
    await node.until(
      'kept',
      'runs again',
      ({ status }) => (status?.containerStatuses ?? []).some(({ ready, restartCount }) => ready && restartCount === 1),
      patient,
    );
    expect(await node.exec('kept', 'sh', '-c', 'grep -c " /data " /proc/mounts; cat /data/file')).toBe(
      '1\nfirst\nsecond\n',
    );

    await gone('kept');
    await node.create(podWith('kept', {}, 'reader'));
    await node.untilReady('reader', patient);
    expect(await node.exec('reader', 'cat', '/data/file')).toBe('first\nsecond\n');
    await gone('reader');
    expect(driver.calls.rpcsOf(handle).filter((rpc) => /stage|publish/i.test(rpc))).toEqual([
      ...['NodeStageVolume', 'NodePublishVolume', 'NodeStageVolume', 'NodePublishVolume'],
      ...['NodeStageVolume', 'NodePublishVolume', 'NodeUnpublishVolume', 'NodeUnstageVolume'],
      ...['NodeStageVolume', 'NodePublishVolume', 'NodeUnpublishVolume', 'NodeUnstageVolume'],
    ]);
  });

  it('gives the driver all that it asks for, and shows what it measures', async () => {
    const { node, driver } = csi;
    driver.capabilities = csiCapabilities;
    const tokenRequests = [{ audience: 'vault', expirationSeconds: 3600 }, { audience: '' }];
    await csi.change({ requiresRepublish: true, tokenRequests });
    await csi.claims.create('asked', '32Mi');
    await csi.addSecrets('asked');
    const volumeId = await csi.claims.handleOf('asked');
    const { metadata } = await node.create(podWith('asked', { securityContext: { fsGroup: 4321 } }));
    await node.untilReady('asked', patient);
    const capability = { mount: { fsType: 'ext4', volumeMountGroup: '4321' }, accessMode: { mode: 7 } };
    const [staged] = driver.calls.list({ rpc: 'NodeStageVolume', volumeId });
    expect(staged?.request).toMatchObject({ secrets: { for: 'stage' }, volumeCapability: capability });
    const published = (): readonly CsiCall[] =>
      driver.calls.list({ rpc: 'NodePublishVolume', volumeId, outcome: 'OK' });
    await node.kubelet.waitFor('it is published again and again', async () => published().length > 2, patient);
    const { volumeContext, ...request } = published().at(-1)?.request as NodePublishVolumeRequest;
    expect(request).toMatchObject({ secrets: { for: 'publish' }, volumeCapability: capability, readonly: false });
    const prefix = 'csi.storage.k8s.io';
    const { [`${prefix}/serviceAccount.tokens`]: tokens = '', ...context } = volumeContext;
    expect(context).toMatchObject({
      [`${prefix}/pod.name`]: 'asked',
      [`${prefix}/pod.namespace`]: 'default',
      [`${prefix}/pod.uid`]: metadata.uid,
      [`${prefix}/serviceAccount.name`]: 'default',
      [`${prefix}/ephemeral`]: 'false',
    });
    const token = { token: expect.stringMatching(/^\S+\.\S+\.\S+$/), expirationTimestamp: expect.any(String) };
    expect(JSON.parse(tokens)).toEqual({ '': token, vault: token });

    driver.setCondition(volumeId, { abnormal: true, message: 'the disk is on fire' });
    await node.untilEvent('asked', 'VolumeConditionAbnormal', /^Volume data: the disk is on fire$/, patient);
    const metrics = async (): Promise<string> => node.kubelet.kubelet.ask('/metrics');
    const ofClaim = '{namespace="default",persistentvolumeclaim="asked"}';
    const sick = `kubelet_volume_stats_health_status_abnormal${ofClaim} 1`;
    await node.kubelet.waitFor('metrics show it', async () => (await metrics()).includes(sick), patient);
    const text = await metrics();
    const stats = ['capacity_bytes', 'available_bytes', 'used_bytes', 'inodes', 'inodes_free', 'inodes_used'];
    for (const name of stats) {
      const [, value] = new RegExp(`^kubelet_volume_stats_${name}${ofClaim} (\\S+)$`, 'm').exec(text) ?? [];
      expect([name, Number(value) > 0]).toEqual([name, true]);
    }
    for (const state of ['actual_state_of_world', 'desired_state_of_world']) {
      expect(text).toContain(
        `volume_manager_total_volumes{plugin_name="kubernetes.io/csi:disks",state="${state}"} 1\n`,
      );
    }

    driver.capabilities = usualCapabilities;
    await csi.change({ requiresRepublish: false, tokenRequests: null });
    await gone('asked');
    const afterwards = await metrics();
    for (const labels of operationLabels) expect(afterwards).toContain(`_seconds_count${labels} `);
  });

  it('gives a block device raw, also from a driver that wants to publish again and again', async () => {
    const { node, driver } = csi;
    await csi.change({ requiresRepublish: true });
    await csi.claims.create('raw', '16Mi', { volumeMode: 'Block' });
    const volumeId = await csi.claims.handleOf('raw');
    const publishes = (): readonly CsiCall[] => driver.calls.list({ rpc: 'NodePublishVolume', volumeId });
    const containers = [main({ volumeDevices: [{ name: 'data', devicePath: '/dev/disk' }] })];
    await node.create(podWith('raw', { containers }));
    await node.untilReady('raw', patient);
    await node.kubelet.waitFor('it is published again', async () => publishes().length > 1, patient);
    await csi.change({ requiresRepublish: false });
    const paths = publishes().map(({ request }) => (request as NodePublishVolumeRequest).targetPath);
    expect(new Set(paths).size).toBe(1);
    await node.exec('raw', 'sh', '-c', 'echo raw | dd of=/dev/disk bs=4 seek=1048576 conv=notrunc,fsync');
    await csi.killKubelet();
    await node.ready();
    await gone('raw');
    expect(driver.calls.rpcsOf(volumeId).at(-1)).toBe('NodeUnstageVolume');
    await node.create(podWith('raw', { containers }, 'raw-reader'));
    await node.untilReady('raw-reader', patient);
    const read = await node.exec('raw-reader', 'sh', '-c', 'dd if=/dev/disk bs=4 skip=1048576 count=1');
    expect(read).toBe('raw\n');
    await gone('raw-reader');
  });

  it('explains a driver that is not there, and one that does not let go', async () => {
    const { node, driver } = csi;
    const inline = [{ name: 'data', csi: { driver: 'absent' } }];
    await node.create(podWith('lonely', { volumes: inline }));
    await expectPodExplained(node.kubelet, 'lonely', 'volume-driver-missing');
    await node.delete('lonely', 0);
    await csi.claims.create('stuck', '16Mi');
    await node.create(podWith('stuck'));
    await node.untilReady('stuck', patient);
    const busy = { type: 'status', status: 'INTERNAL', message: 'device is busy' } as const;
    driver.faults.add(busy, { rpc: 'NodeUnpublishVolume' }, 1000);
    await node.delete('stuck');
    await expectPodExplained(node.kubelet, 'stuck', 'ending-volume', { oneScreen: true });
    driver.faults.clear();
    await gone('stuck');
  });

  // xfs, because the kernel grows a mounted ext4 only for a process with CAP_SYS_RESOURCE.
  it('grows under a running pod', async () => {
    const { node } = csi;
    await csi.claims.create('grown', '320Mi', { storageClassName: 'xfs' });
    await csi.addSecrets('grown');
    await node.create(podWith('grown'));
    await node.untilReady('grown', patient);
    const size = async (): Promise<number> =>
      Number(
        (await node.exec('grown', 'stat', '-f', '-c', '%b %S', '/data'))
          .split(' ')
          .map(Number)
          .reduce((a, b) => a * b),
      );
    const before = await size();
    await csi.claims.resize('grown', '400Mi');
    await node.kubelet.waitFor(
      'the claim has its new size',
      async () => {
        const { status } = await csi.claims.get('grown');
        return status?.capacity?.['storage'] === '400Mi';
      },
      patient,
    );
    expect((await size()) - before).toBeGreaterThan(70 * mebibyte);
    const [grown] = csi.driver.calls.list({ rpc: 'NodeExpandVolume', volumeId: await csi.claims.handleOf('grown') });
    expect(grown?.request).toMatchObject({
      secrets: { for: 'expand' },
      capacityRange: { requiredBytes: BigInt(400 * mebibyte) },
      volumeCapability: { mount: { fsType: 'xfs' } },
    });
    await gone('grown');
  });

  it(`loses and leaves nothing of ${podCount} pods in ${kills} deaths of the kubelet, seed ${seed}`, async () => {
    const { node, driver } = csi;
    const random = createSeededRandom(seed);
    const names = Array.from({ length: podCount }, (_, at) => `many-${at}`);
    for (const name of names) await csi.claims.create(name, '16Mi');

    const killing = async (count: number): Promise<void> => {
      for (let at = 0; at < count; at++) {
        await aWhile(random.next() * 3_000);
        await csi.killKubelet();
        if (at !== Math.floor(count / 2)) continue;
        driver.die();
        await aWhile(500);
        await csi.startDriver();
      }
    };
    for (const name of names) await node.create(podWith(name));
    await killing(Math.ceil(kills / 2));
    for (const name of names) await node.untilReady(name, patient);
    for (const name of names) await node.exec(name, 'sh', '-c', `echo ${name} > /data/file; sync`);

    for (const name of names) await node.delete(name);
    await killing(Math.floor(kills / 2));
    await gone();
    for (const name of names) await node.untilGone(name, patient);
    expect(await csi.inUse()).toEqual([]);
    // The kubelet sweeps the folders of pods that are gone every two seconds.
    await waitFor('no pod has a folder', async () => (await readdir(path.join(csi.root, 'pods'))).length === 0);
    const csiFolder = path.join(csi.root, 'plugins/kubernetes.io/csi', driver.name);
    await untilHolds(async () => expect(await readdir(csiFolder)).toEqual([]));
    expect(driver.calls.overlaps()).toEqual([]);

    const [first = ''] = names;
    await node.create(podWith(first, {}, 'last-reader'));
    await node.untilReady('last-reader', patient);
    expect(await node.exec('last-reader', 'cat', '/data/file')).toBe(`${first}\n`);
    await gone('last-reader');
  });
});
