import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { ConfigMap, Pod, Secret } from '@podwright/kube-types';
import { LocalApi } from '../../local-api.js';
import { main, podManifest, script } from '../../pod-manifests.js';
import type { GuestCase } from '../guest-case.js';
import { secondBootConfiguration } from '../guest-configuration.js';
import { KUBELET_ROOT, type GuestNode } from '../guest-node.js';

const SOCKET = '/run/podwright/podwright.sock';
/** What the objects were before the reboot. */
const BEFORE = '/var/lib/podwright/objects-before.json';
const api = new LocalApi(SOCKET);

export const LOCAL_POD = 'local';

const objects = {
  configmaps: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'words' }, data: { greeting: 'hello' } },
  secrets: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'keys' }, stringData: { password: 'open sesame' } },
  pods: podManifest(LOCAL_POD, {
    containers: [
      main({
        command: [...script('echo "$PASSWORD" > /tmp/password; trap "exit 0" TERM; sleep 1000000 & wait')],
        env: [{ name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'keys', key: 'password' } } }],
        volumeMounts: [{ name: 'words', mountPath: '/words' }],
      }),
    ],
    volumes: [{ name: 'words', configMap: { name: 'words' } }],
  }),
};

const pathOf = (resource: keyof typeof objects): string =>
  `/api/v1/namespaces/default/${resource}/${objects[resource].metadata.name}`;

/** What must not change over a reboot. */
async function identities(): Promise<Readonly<Record<string, unknown>>> {
  const resources = Object.keys(objects) as readonly (keyof typeof objects)[];
  const found = await Promise.all(
    resources.map(async (resource) => {
      const { metadata, ...rest } = await api.object<Pod & ConfigMap & Secret>('GET', pathOf(resource));
      const { uid, resourceVersion, creationTimestamp } = metadata;
      return [resource, { uid, resourceVersion, creationTimestamp, data: rest.data, spec: rest.spec }] as const;
    }),
  );
  return Object.fromEntries(found);
}

/** Waits until the pod runs and has what it uses. */
async function running(node: GuestNode): Promise<void> {
  await node.waitFor('the pod of the local API runs', async () => {
    const pod = await api.object<Pod>('GET', pathOf('pods'));
    return pod.status?.containerStatuses?.[0]?.state?.running !== undefined;
  });
  const [container, ...others] = await node.runtime.running(LOCAL_POD);
  assert.ok(container !== undefined && others.length === 0);
  let seen = '';
  const look = async (): Promise<boolean> => {
    seen = await node.runtime.exec(container.id, 'cat', '/words/greeting', '/tmp/password');
    return seen === 'helloopen sesame\n';
  };
  await node.waitFor('it has what it uses', look).catch((error: Error) => {
    throw new Error(`${error.message}; it has ${JSON.stringify(seen)}`);
  });
}

const putObjects: GuestCase = {
  name: 'a kubelet without a cluster runs what is put through its socket beside static pods',
  boot: 0,
  vital: true,
  run: async (node) => {
    await node.crash();
    await node.configure(secondBootConfiguration);
    await node.setArguments(`--root-dir=${KUBELET_ROOT} --socket=${SOCKET}`, 'kubelet-standalone');
    await node.start();
    await node.waitFor('the local API answers', async () => (await api.text('/healthz')) === 'ok');
    for (const [resource, object] of Object.entries(objects))
      await api.object('PUT', pathOf(resource as keyof typeof objects), object);
    await running(node);
    await mkdir('/var/lib/podwright', { recursive: true });
    await writeFile(BEFORE, JSON.stringify(await identities()));
  },
};

const areBack: GuestCase = {
  name: 'after the reboot the pods, config maps and secrets of a machine without a cluster are back',
  boot: 1,
  run: async (node) => {
    await node.waitFor('the local API answers', async () => (await api.text('/healthz')) === 'ok');
    assert.deepEqual(
      JSON.parse(JSON.stringify(await identities())),
      JSON.parse(await readFile(BEFORE, 'utf8')) as unknown,
    );
    await running(node);
    await api.object('DELETE', `${pathOf('pods')}?gracePeriodSeconds=1`);
    await node.waitFor('the deleted pod is gone', async () => (await api.call('GET', pathOf('pods'))).code === 404);
  },
};

/** From here to the second cluster, the kubelet is the one without a cluster. */
export const localPodCases: readonly GuestCase[] = [putObjects];
export const localPodsBackCases: readonly GuestCase[] = [areBack];
