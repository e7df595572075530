import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { podNameLabel } from '@podwright/cri-client-interface';
import { SocketServer } from '@podwright/grpc';
import { resourceClaims } from '@podwright/kube-client-interface';
import { podUid, type ResourceClaim } from '@podwright/kube-types';
import { RegistrationSocket } from '@podwright/test-device-plugin';
// oxlint-disable-next-line @nx/enforce-module-boundaries -- generated files are no part of the package's surface
import { dRAPluginMethods as methods } from '../../../libs/testing/test-dra-driver/src/generated/dra-server-codecs.js';
import { main, podManifest } from '../../acceptance/pod-manifests.js';
import { aWhile, waitFor } from '../../acceptance/wait-for.js';
import { attack } from '../attack.js';
import type { AttackTarget } from '../attack-target.js';

const driver = 'hostile-dra.example.com';
const escapes = '\u001b[2J\u001b]0;owned\u0007';
const foreign = 'evil.example.com/class=all';
const mostGrownMiB = 150;

/** A claim that somebody has allocated to the pod, in the place of a scheduler. */
async function allocate({ node }: AttackTarget, name: string, uid: string): Promise<ResourceClaim> {
  const apiVersion = 'resource.k8s.io/v1';
  const spec = { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu' } }] } };
  const metadata = { namespace: 'default', name };
  const claim = await node.admin.create(resourceClaims, { apiVersion, kind: 'ResourceClaim', metadata, spec });
  const results = [{ request: 'gpu', driver, pool: 'pool', device: 'gpu-0' }];
  const reservedFor = [{ resource: 'pods', name, uid }];
  const body = { status: { allocation: { devices: { results } }, reservedFor } };
  await node.admin.patch(resourceClaims, metadata, { type: 'merge', body }, { subresource: 'status' });
  return claim;
}

const claims = (name: string): ReturnType<typeof podManifest> =>
  podManifest(name, {
    terminationGracePeriodSeconds: 1,
    resourceClaims: [{ name: 'gpu', resourceClaimName: name }],
    containers: [main({ resources: { claims: [{ name: 'gpu' }] } })],
  });

interface Prepared {
  /** CDI devices of the containers of the pod whose claim the driver has no business with. */
  readonly neighbour: readonly string[];
  /** Whether the driver was asked, and the neighbour's container was created again after that. */
  readonly asked: boolean;
  readonly rawEscapes: boolean;
  readonly runsPods: boolean;
  readonly answers: boolean;
  readonly grownMiB: number;
}

export const draAnswers = attack<Prepared>({
  name: 'dra-answers',
  tries:
    "a DRA driver that answers for another pod's claim, and with CDI devices that are paths, escapes, prototypes, very long or ten thousand",
  mustNot:
    "another pod's container gets a device, the log has raw escapes, pods no longer run, or the kubelet grows or ends",
  pastFault: 'devices of claims that are not theirs',
  attempt: async (target) => {
    const { node } = target;
    const before = await target.memoryMiB();
    const folder = path.join(target.root, 'plugins', driver);
    await mkdir(folder, { recursive: true });
    const server = new SocketServer(path.join(folder, 'dra.sock'));
    const device = (cdiDeviceIds: readonly string[]): object => ({
      requestNames: ['gpu', '../..', '__proto__'],
      poolName: escapes,
      deviceName: '../../..',
      cdiDeviceIds,
    });
    const odd = ['', '../../../etc', `a b\n${escapes}`, '__proto__', 'x'.repeat(500_000), foreign];
    let [victims, asked]: [string, boolean] = ['', false];
    server.unary(methods.nodePrepareResources, (request) => {
      const own = request.claims.map(({ uid }) => uid);
      // The first claim is prepared as it should be.
      if (victims === '') return { claims: Object.fromEntries(own.map((uid) => [uid, { devices: [], error: '' }])) };
      asked = true;
      const many = Array.from({ length: 10_000 }, (_, index) => `${foreign}-${index}`);
      const answers = [...own, victims, 'nobody-asked', '__proto__'].map((uid) => [
        uid,
        { devices: [device([...odd, ...many])], error: '' },
      ]);
      return { claims: Object.fromEntries(answers) };
    });
    server.unary(methods.nodeUnprepareResources, (request) => ({
      claims: Object.fromEntries(request.claims.map(({ uid }) => [uid, { error: '' }])),
    }));
    await server.listen();
    const registration = new RegistrationSocket({
      socket: path.join(target.root, 'plugins_registry', `${driver}-reg.sock`),
      info: { type: 'DRAPlugin', name: driver, endpoint: server.socket, supportedVersions: ['v1.DRAPlugin'] },
    });
    await registration.listen();
    const neighbour: string[] = [];
    let created = 0;
    try {
      await waitFor('the kubelet takes the driver', async () => registration.statuses.at(-1)?.pluginRegistered);
      await target.runtime.lie(
        {
          createContainer: (request, truth) => {
            if (request.config?.labels?.[podNameLabel] === 'dra-neighbour') {
              created += 1;
              neighbour.push(...(request.config.CDIDevices ?? []).map(({ name = '' }) => name));
            }
            return truth();
          },
        },
        async () => {
          const pod = await node.create(claims('dra-neighbour'));
          const claim = await allocate(target, 'dra-neighbour', podUid(pod));
          await node.untilReady('dra-neighbour');
          victims = claim.metadata?.uid ?? '';
          const liar = await node.create(claims('dra-liar'));
          await allocate(target, 'dra-liar', podUid(liar));
          await waitFor('the driver is asked', async () => asked, { withinMs: 30_000 }).catch(() => false);
          await aWhile(2_000);
          const [running] = await node.kubelet.bed.runtime.running('dra-neighbour');
          await node.kubelet.bed.runtime.client.stopContainer({ containerId: running?.id ?? '', timeout: 0n });
          await waitFor('it runs again', async () => created > 1, { withinMs: 60_000 }).catch(() => false);
        },
      );
      const rawEscapes = (await target.log()).includes(escapes.slice(0, 4));
      for (const name of ['dra-liar', 'dra-neighbour']) await node.delete(name, 1);
      const runsPods = await target.runsPods('after-dra');
      const grownMiB = (await target.memoryMiB()) - before;
      return {
        neighbour,
        asked: asked && created > 1,
        rawEscapes,
        runsPods,
        answers: await target.answers(),
        grownMiB,
      };
    } finally {
      await registration.close();
      server.close();
    }
  },
  harms: ({ neighbour, asked, rawEscapes, runsPods, answers, grownMiB }) => [
    ...(asked ? [] : ['the driver was not asked, or no container was created after that, so nothing was proven']),
    ...neighbour.slice(0, 1).map((name) => `another pod got the device ${JSON.stringify(name.slice(0, 40))}`),
    ...(rawEscapes ? ['the log has a raw escape character'] : []),
    ...(runsPods ? [] : ['the node no longer runs pods']),
    ...(answers ? [] : ['the kubelet no longer answers']),
    ...(grownMiB > mostGrownMiB ? [`the kubelet grew by ${grownMiB.toFixed(0)} MiB`] : []),
  ],
  weak: [
    { neighbour: [], asked: false, rawEscapes: false, runsPods: true, answers: true, grownMiB: 0 },
    { neighbour: [foreign], asked: true, rawEscapes: false, runsPods: true, answers: true, grownMiB: 0 },
    { neighbour: [], asked: true, rawEscapes: true, runsPods: true, answers: true, grownMiB: 0 },
    { neighbour: [], asked: true, rawEscapes: false, runsPods: false, answers: true, grownMiB: 0 },
    { neighbour: [], asked: true, rawEscapes: false, runsPods: true, answers: false, grownMiB: 0 },
    { neighbour: [], asked: true, rawEscapes: false, runsPods: true, answers: true, grownMiB: 500 },
  ],
});
