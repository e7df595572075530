import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { configMaps, leases, nodes, pods, secrets } from '@podwright/kube-client-interface';
import type { ConfigMap, Pod, Secret } from '@podwright/kube-types';
import type { ClusterServer } from './cluster-server.js';
import { ClusterNode, isTrue } from './cluster-node.js';
import { expectNodeExplained, expectPodExplained } from './explained.js';
import { runtimeCalls } from './runtime-calls.js';
import { certificateNode, describePodCertificateCases } from './pod-certificate-cases.js';
import { main, podManifest, script } from './pod-manifests.js';
import type { TestLab } from './test-lab.js';

const namespace = 'default';
const leaseName = { namespace: 'kube-node-lease', name: 'member' };
const account = '/var/run/secrets/kubernetes.io/serviceaccount';
/** Exits 1 s after SIGTERM. */
const slowEnd = script('trap "sleep 1; exit 0" TERM; sleep 1000000 & wait');
const deaf = script('trap "" TERM; while true; do sleep 1; done');

/**
 * Cases for every cluster: the same for the API server in memory and for a real one. Returns the node, which is there
 * while the cases run.
 */
export function describeClusterCases(bed: () => TestLab, start: () => Promise<ClusterServer>): () => ClusterNode {
  let server: ClusterServer;
  let on: ClusterNode;

  beforeAll(async () => {
    server = await start();
    on = await ClusterNode.start(bed(), server, 'member', {
      ...certificateNode,
      configuration: {
        ...certificateNode.configuration,
        ...{
          nodeLeaseDurationSeconds: 8,
          nodeStatusUpdateFrequency: '2s',
          syncFrequency: '2s',
          clusterDNS: ['10.96.0.10'],
        },
      },
    });
  });
  afterAll(async () => {
    await on?.stop();
    await bed().stopNodes();
    await server?.stop();
  });

  describe('the node', () => {
    it('is Ready, with the labels and addresses of its machine', async () => {
      const node = await on.ready();
      expect(node.metadata?.labels).toMatchObject({ 'kubernetes.io/hostname': 'member', 'kubernetes.io/os': 'linux' });
      expect(node.status?.addresses).toEqual([
        { type: 'InternalIP', address: bed().lab.network.gateway },
        { type: 'Hostname', address: 'member' },
      ]);
    });

    it('renews its lease, which goes with it', async () => {
      const { metadata } = await on.ready();
      const lease = await on.kubelet.waitFor('there is a lease', () => on.find(leases, leaseName));
      expect(lease.spec).toMatchObject({ holderIdentity: 'member', leaseDurationSeconds: 8 });
      const renewed = await on.kubelet.waitFor('the lease is renewed', async () => {
        const now = await on.admin.get(leases, leaseName);
        return now.spec?.renewTime !== lease.spec?.renewTime && now.metadata?.ownerReferences !== undefined && now;
      });
      expect(renewed.metadata?.ownerReferences).toEqual([
        { apiVersion: 'v1', kind: 'Node', name: 'member', uid: metadata?.uid },
      ]);
    });
  });

  it('that loses its network for a moment says so, also afterwards', async () => {
    const { cniConfDir } = bed().lab.layout;
    await on.ready();
    // The folder itself stays, and the file is written anew: containerd ends without the one and overlooks a renamed other.
    const [file = ''] = await readdir(cniConfDir);
    const config = path.join(cniConfDir, file);
    const text = await readFile(config);
    await rm(config);
    try {
      const isNotReady = async () => !isTrue(await on.admin.get(nodes, { name: on.name }), 'Ready');
      await on.kubelet.waitFor('the node is not Ready', isNotReady);
      await expectNodeExplained(on.kubelet, 'network-not-ready');
      await on.create(podManifest('unplugged'));
      await expectPodExplained(on.kubelet, 'unplugged', 'network-not-ready');
    } finally {
      await writeFile(config, text);
    }
    await on.untilReady('unplugged');
    await expectNodeExplained(on.kubelet, 'was-not-ready', { oneScreen: true });
    await on.delete('unplugged');
  });

  describe('a pod', () => {
    it('runs, knows its account, and has its events told', async () => {
      const { metadata } = await on.create(podManifest('web'));
      const pod = await on.untilReady('web');
      expect(pod.status).toMatchObject({
        phase: 'Running',
        hostIP: bed().lab.network.gateway,
        containerStatuses: [{ name: 'main', ready: true, started: true, restartCount: 0 }],
      });
      expect(await on.exec('web', 'cat', `${account}/namespace`)).toBe(namespace);
      expect(await on.exec('web', 'cat', `${account}/ca.crt`)).toContain('BEGIN CERTIFICATE');
      const [, claims = ''] = (await on.exec('web', 'cat', `${account}/token`)).split('.');
      expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
        sub: `system:serviceaccount:${namespace}:default`,
        'kubernetes.io': { pod: { name: 'web', uid: metadata.uid }, node: { name: 'member' } },
      });
      await on.untilEvent('web', 'Started', /^Container started$/);
      const events = await on.events('web');
      const about = { kind: 'Pod', namespace, name: 'web', uid: metadata.uid, apiVersion: 'v1' };
      for (const reason of ['Pulled', 'Created', 'Started'])
        expect(events.find((event) => event.reason === reason)).toMatchObject({
          involvedObject: { ...about, fieldPath: 'spec.containers{main}' },
          source: { component: 'kubelet', host: 'member' },
          type: 'Normal',
          count: 1,
        });
      expect(events.filter(({ source }) => source?.component === 'kubelet').map(({ reason }) => reason)).toEqual([
        'Pulled',
        'Created',
        'Started',
      ]);
    });

    it('goes as fast as its containers end', async () => {
      await on.create(podManifest('slow', { containers: [main({ command: [...slowEnd] })] }));
      await on.untilReady('slow');
      await on.kubelet.untilPolite('slow');
      await on.delete('slow');
      const fromMs = Date.now();
      // Before its grace period of 30 s is over, on which nothing waits.
      await on.untilGone('slow', { withinMs: 25_000 });
      expect(Date.now() - fromMs).toBeGreaterThan(900);
      expect(await bed().runtime.running('slow')).toEqual([]);
    });

    it('that is deleted by force is gone at once, and ends with the least grace that containers get', async () => {
      await on.create(podManifest('forced', { containers: [main({ command: [...deaf] })] }));
      await on.untilReady('forced');
      const [container] = await bed().runtime.running('forced');
      await on.delete('forced', 0);
      expect(await on.pod('forced')).toBeUndefined();
      await on.untilEnded('forced');
      const calls = await runtimeCalls(bed().lab);
      const stops = calls.filter(({ method, about }) => method === 'StopContainer' && about === container?.id);
      expect(stops.map(({ graceSeconds }) => graceSeconds)).toEqual([2]);
    });

    it('that is deleted while the kubelet is dead goes afterwards, and the others stay as they are', async () => {
      await on.create(podManifest('doomed', {}));
      const steady = await on.untilReady('web');
      await on.untilReady('doomed');
      await on.kubelet.end('SIGKILL');
      await on.delete('doomed');
      expect((await on.pod('doomed'))?.metadata.deletionTimestamp).toBeDefined();
      await on.kubelet.start();
      await on.untilGone('doomed');
      expect(await bed().runtime.running('doomed')).toEqual([]);
      expect((await on.untilReady('web')).status?.containerStatuses).toEqual(steady.status?.containerStatuses);
    });

    it('with a finalizer ends and stays an object until that is taken away', async () => {
      await on.create(podManifest('held'), { finalizers: ['example.com/hold'] });
      await on.untilReady('held');
      await on.kubelet.untilPolite('held');
      await on.delete('held');
      await on.untilEnded('held');
      const over = await on.until('held', 'is over', (pod) => pod.status?.phase === 'Succeeded');
      expect(over.status?.containerStatuses).toMatchObject([{ state: { terminated: { exitCode: 0 } } }]);
      await expectPodExplained(on.kubelet, 'held', 'ending-finalizers');
      const body = { metadata: { finalizers: null } };
      await on.admin.patch(pods, { namespace, name: 'held' }, { type: 'merge', body });
      await on.untilGone('held');
    });
  });

  describe('secrets and config maps', () => {
    const mounted = '/etc/mounted';
    const secretOf = (name: string, value: string): Secret => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace, name },
      data: { key: Buffer.from(value).toString('base64') },
    });
    const configMapOf = (name: string, value: string): ConfigMap => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace, name },
      data: { key: value },
    });

    it('reach variables and files, and what changes reaches the files', async () => {
      await on.admin.create(secrets, secretOf('s', 'secret 1'));
      await on.admin.create(configMaps, configMapOf('c', 'config 1'));
      await on.create(
        podManifest('reader', {
          containers: [
            main({
              env: [{ name: 'S', valueFrom: { secretKeyRef: { name: 's', key: 'key' } } }],
              envFrom: [{ prefix: 'C_', configMapRef: { name: 'c' } }],
              volumeMounts: [
                { name: 's', mountPath: `${mounted}/s` },
                { name: 'c', mountPath: `${mounted}/c` },
              ],
            }),
          ],
          volumes: [
            { name: 's', secret: { secretName: 's' } },
            { name: 'c', configMap: { name: 'c' } },
          ],
        }),
      );
      await on.untilReady('reader');
      expect(await on.exec('reader', 'sh', '-c', 'echo "$S, $C_key"')).toBe('secret 1, config 1\n');
      expect(await on.exec('reader', 'cat', `${mounted}/s/key`, `${mounted}/c/key`)).toBe('secret 1config 1');
      await on.admin.update(secrets, secretOf('s', 'secret 2'));
      await on.admin.update(configMaps, configMapOf('c', 'config 2'));
      await on.kubelet.waitFor('the files have changed', async () => {
        const text = await on.exec('reader', 'cat', `${mounted}/s/key`, `${mounted}/c/key`);
        return text === 'secret 2config 2';
      });
      expect(await on.exec('reader', 'sh', '-c', 'echo "$S, $C_key"')).toBe('secret 1, config 1\n');
    });

    it('that are missing are told, and the pod starts when they come', async () => {
      const env = [{ name: 'S', valueFrom: { secretKeyRef: { name: 'late-env', key: 'key' } } }];
      await on.create(podManifest('wants-variable', { containers: [main({ env })] }));
      const volumeMounts = [{ name: 'v', mountPath: mounted }];
      const volumes = [{ name: 'v', configMap: { name: 'late-file' } }];
      await on.create(podManifest('wants-file', { containers: [main({ volumeMounts })], volumes }));
      await on.until('wants-variable', 'says what is missing', ({ status }) => {
        const waiting = status?.containerStatuses?.[0]?.state?.waiting;
        return waiting?.reason === 'CreateContainerConfigError' && waiting.message === 'secret "late-env" not found';
      });
      await on.untilEvent('wants-variable', 'Failed', /^Error: secret "late-env" not found$/);
      const missing = /^MountVolume\.SetUp failed for volume "v" : configmap "late-file" not found$/;
      await on.untilEvent('wants-file', 'FailedMount', missing);
      await expectPodExplained(on.kubelet, 'wants-variable', 'config-object-missing');
      await expectPodExplained(on.kubelet, 'wants-file', 'volume-object-missing', { oneScreen: true });
      await on.admin.create(secrets, secretOf('late-env', 'here'));
      await on.admin.create(configMaps, configMapOf('late-file', 'there'));
      await on.untilReady('wants-file');
      expect(await on.exec('wants-file', 'cat', `${mounted}/key`)).toBe('there');
    });
  });

  describePodCertificateCases(() => on);

  describe('a static pod', () => {
    const name = 'static-member';
    const containers = async (): Promise<readonly string[]> => (await bed().runtime.running(name)).map(({ id }) => id);
    const hashOf = ({ metadata }: Pod): string => metadata.annotations?.['kubernetes.io/config.mirror'] ?? '';

    it('has a mirror pod that comes back when it is deleted by hand', async () => {
      await on.kubelet.add(podManifest('static'));
      const mirror = await on.untilReady(name);
      expect(mirror.metadata.ownerReferences).toMatchObject([{ kind: 'Node', name: 'member', controller: true }]);
      expect(hashOf(mirror)).not.toBe('');
      const before = await containers();
      expect(before).toHaveLength(1);
      await on.delete(name);
      const again = await on.until(
        name,
        'is there again and Ready',
        (pod) => pod.metadata.uid !== mirror.metadata.uid && isTrue(pod, 'Ready'),
      );
      expect(hashOf(again)).toBe(hashOf(mirror));
      expect(await containers()).toEqual(before);
      await expectPodExplained(on.kubelet, name, 'ready', { page: 'ready-static' });
    });

    it('is replaced with its mirror pod when its manifest changes', async () => {
      const mirror = await on.untilReady(name);
      const before = await containers();
      await on.kubelet.add(podManifest('static', {}, { labels: { version: '2' } }));
      const again = await on.until(
        name,
        'is the new one and Ready',
        (pod) => pod.metadata.labels?.['version'] === '2' && isTrue(pod, 'Ready'),
      );
      expect(again.metadata.uid).not.toBe(mirror.metadata.uid);
      expect(hashOf(again)).not.toBe(hashOf(mirror));
      expect(await containers()).toHaveLength(1);
      expect(await containers()).not.toEqual(before);
    });

    it('takes its mirror pod with it', async () => {
      await on.kubelet.remove('static.json');
      await on.untilGone(name);
      await on.untilEnded(name);
    });
  });

  // A failed sync is retried after 10 to 15 s; the earlier cases have taken that long.
  it('a pod whose secret was missing has started', async () => {
    const pod = await on.untilReady('wants-variable');
    expect(pod.status?.containerStatuses).toMatchObject([{ restartCount: 0 }]);
    expect(await on.exec('wants-variable', 'sh', '-c', 'echo $S')).toBe('here\n');
  });

  return () => on;
}
