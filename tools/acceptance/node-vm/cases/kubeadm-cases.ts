import assert from 'node:assert/strict';
import { labImages } from '@podwright/lab';
import type { GuestCase } from '../guest-case.js';
import { KUBELET_LOG } from '../guest-node.js';
import { controlPlane, worker } from '../kubeadm/cluster-shape.js';
import { isReady, KubeadmCluster } from '../kubeadm/kubeadm-cluster.js';
import { leftByKubeadm } from '../kubeadm/kubeadm-node.js';
import { servingCertificate } from '../kubeadm/serving-certificate.js';

const timeoutMs = 1_800_000;
const CLIENT_CERTIFICATE = '/var/lib/kubelet/pki/kubelet-client-current.pem';
const SERVING_CERTIFICATE = '/var/lib/kubelet/pki/kubelet-server-current.pem';
const APP = 'web';
const replicas = 4;

const cluster = new KubeadmCluster();

/** A vital case, whose failure shows the log of the second machine's kubelet too. */
const step = (name: string, work: () => Promise<void>): GuestCase => ({
  name,
  boot: 0,
  vital: true,
  timeoutMs,
  run: () =>
    work().catch(async (error: Error) => {
      const log = await cluster.second.run('tail', '-n', '40', KUBELET_LOG).catch(() => '');
      throw new Error(`${error.stack ?? error.message}\n---- kubelet of ${worker.name}\n${log}`);
    }),
});

const prepare = step('two machines have what the packages of kubeadm and the kubelet install', () => cluster.prepare());

const staticPods = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'];

const init = step('kubeadm init passes its checks, and the control plane runs as static pods', async () => {
  await cluster.init();
  const names = staticPods.map((name) => `${name}-${controlPlane.name}`);
  const pods = await cluster.untilPods('kube-system', 'the control plane has mirror pods', (all) =>
    names.every((name) => all.some((pod) => pod.metadata.name === name && isReady(pod))),
  );
  for (const pod of pods.filter(({ metadata }) => names.includes(metadata.name ?? ''))) {
    assert.equal(pod.metadata.annotations?.['kubernetes.io/config.source'], 'file');
    assert.ok(pod.metadata.annotations['kubernetes.io/config.mirror'] !== undefined, pod.metadata.name);
    assert.equal(pod.status?.hostIP, controlPlane.address);
  }
});

const network = step('the first node is ready once it has a network, and runs kube-proxy', async () => {
  const { spec, status } = await cluster.node(controlPlane.name);
  assert.ok(spec?.taints?.some(({ key }) => key === 'node-role.kubernetes.io/control-plane'));
  const before = status?.conditions?.find(({ type }) => type === 'Ready');
  assert.match(before?.message ?? '', /container runtime network not ready/);
  await cluster.ready(cluster.first);
  await cluster.untilPods('kube-system', 'kube-proxy runs', (all) =>
    all.some((pod) => pod.metadata.name?.startsWith('kube-proxy') === true && isReady(pod)),
  );
});

const join = step('kubeadm join makes the second machine a node by TLS bootstrap', async () => {
  await cluster.join();
  const files = (await cluster.second.run('ls', '/etc/kubernetes')).split('\n');
  assert.ok(!files.includes('bootstrap-kubelet.conf'), files.join(' '));
  const kubeconfig = await cluster.second.run('cat', '/etc/kubernetes/kubelet.conf');
  assert.match(kubeconfig, new RegExp(`client-certificate: ${CLIENT_CERTIFICATE}`));
  const request = (await cluster.requests()).find(({ spec }) => spec.username?.startsWith('system:bootstrap:'));
  assert.equal(request?.spec.signerName, 'kubernetes.io/kube-apiserver-client-kubelet');
  assert.deepEqual(
    request.status?.conditions?.map(({ type }) => type),
    ['Approved'],
  );
  await cluster.ready(cluster.second);
});

const serving = step(
  'the ports of both kubelets have certificates of the cluster once somebody approves them',
  async () => {
    for (const { shape } of cluster.machines) {
      const certificate = await cluster.until(`${shape.name} has a certificate of the cluster`, async () => {
        await cluster.approveServing();
        return servingCertificate(shape.address);
      });
      assert.equal(certificate.subject.CN, `system:node:${shape.name}`);
      assert.equal(certificate.subjectaltname, `DNS:${shape.name}, IP Address:${shape.address}`);
    }
  },
);

const labels = { app: APP };
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: APP },
  spec: {
    replicas,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        terminationGracePeriodSeconds: 1,
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'kubernetes.io/hostname',
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: { matchLabels: labels },
          },
        ],
        containers: [
          {
            name: 'main',
            image: labImages.busybox,
            command: [
              'sh',
              '-c',
              'echo "I am $(hostname)"; mkdir /www; hostname > /www/index.html; exec httpd -f -p 80 -h /www',
            ],
            ports: [{ containerPort: 80 }],
            readinessProbe: { httpGet: { port: 80, path: '/' }, timeoutSeconds: 10 },
          },
        ],
      },
    },
  },
};
const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: APP },
  spec: { selector: labels, ports: [{ port: 80 }] },
};

/** The page that a pod gets from an address. */
async function pageOf(pod: string, address: string): Promise<string> {
  const get = `printf 'GET / HTTP/1.0\\r\\n\\r\\n' | nc -w 20 ${address} 80`;
  const answer = await cluster.kubectl('exec', pod, '--', 'sh', '-c', get);
  return answer.trim().split('\n').at(-1) ?? '';
}

const workload = step('pods of a Deployment run on both nodes and reach each other; logs and exec work', async () => {
  await cluster.kubectl('taint', 'node', controlPlane.name, 'node-role.kubernetes.io/control-plane-');
  for (const object of [deployment, service]) await cluster.apply(object);
  const pods = await cluster.untilPods(
    'default',
    `${replicas} pods are ready`,
    (all) => all.filter(isReady).length === replicas,
  );
  const names = pods.map(({ metadata }) => metadata.name ?? '');
  for (const { name } of [controlPlane, worker]) {
    const pod = pods.find(({ spec }) => spec?.nodeName === name);
    assert.ok(pod !== undefined, `no pod on ${name}`);
    const here = pod.metadata.name ?? '';
    assert.equal(await cluster.kubectl('logs', here), `I am ${here}\n`);
    for (const { metadata, status } of pods) assert.equal(await pageOf(here, status?.podIP ?? ''), metadata.name);
    const answer = await pageOf(here, await cluster.kubectl('get', 'service', APP, '-o', 'jsonpath={.spec.clusterIP}'));
    assert.ok(names.includes(answer), answer);
  }
});

const rotation = step('certificates of the second node are renewed before they expire, and it works on', async () => {
  const certificates = (): Promise<string> => cluster.second.run('readlink', CLIENT_CERTIFICATE, SERVING_CERTIFICATE);
  const [client, server] = (await certificates()).split('\n');
  await cluster.until('both have been renewed', async () => {
    await cluster.approveServing();
    const [newClient, newServer] = (await certificates()).split('\n');
    return newClient !== client && newServer !== server;
  });
  const [pod] = (await cluster.pods('default')).filter(({ spec }) => spec?.nodeName === worker.name);
  assert.equal(await cluster.kubectl('exec', pod?.metadata.name ?? '', '--', 'echo', 'yes'), 'yes\n');
  await cluster.ready(cluster.second);
});

const upkeep = step(
  'kubeadm upgrade node and kubeadm certs renew work, and a static pod starts anew with its file',
  async () => {
    await cluster.second.run('kubeadm', 'upgrade', 'node');
    await cluster.first.run('kubeadm', 'certs', 'renew', 'scheduler.conf');
    const manifest = '/etc/kubernetes/manifests/kube-scheduler.yaml';
    const name = `kube-scheduler-${controlPlane.name}`;
    await cluster.first.run('mv', manifest, '/root/');
    await cluster.untilPods('kube-system', 'the mirror pod is gone', (all) =>
      all.every(({ metadata }) => metadata.name !== name),
    );
    await cluster.first.run('mv', '/root/kube-scheduler.yaml', manifest);
    await cluster.untilPods('kube-system', 'the mirror pod is back', (all) =>
      all.some((pod) => pod.metadata.name === name && isReady(pod)),
    );
  },
);

const reset = step('kubeadm reset leaves nothing on either machine', async () => {
  await cluster.kubectl('delete', 'node', worker.name);
  for (const machine of [cluster.second, cluster.first]) {
    let left: readonly string[] = [];
    const isClean = async (): Promise<boolean> => {
      // An emulated runtime may be slower than kubeadm waits for it to remove containers.
      await machine.run('kubeadm', 'reset', '--force');
      left = await leftByKubeadm(machine);
      return left.length === 0;
    };
    await cluster.until(`nothing is left on ${machine.shape.name}`, isClean).catch((error: Error) => {
      throw new Error(`${error.message}\n${left.join('\n')}`);
    });
  }
});

/** Run by a spec of their own, on two machines. */
export const kubeadmCases: readonly GuestCase[] = [
  prepare,
  init,
  network,
  join,
  serving,
  workload,
  rotation,
  upkeep,
  reset,
];
