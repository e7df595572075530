import { afterEach, describe, expect, it } from '@podwright/contract';
import { status } from '@grpc/grpc-js';
import type { Pod } from '@podwright/kube-types';
import type { ContainerAssignments, PodResourcesServer } from '../pod-resources.js';
import { PodResourcesClient } from './pod-resources-client.js';

/** A server on a socket of its own, not started, and the means to set what it serves. */
export interface PodResourcesHarness {
  readonly server: PodResourcesServer;
  /** Another server for the same socket. */
  readonly successor: PodResourcesServer;
  /** `known` are all pods of the pod manager, `active` those of them that use the node. */
  setPods(pods: { readonly known: readonly Pod[]; readonly active: readonly Pod[] }): void;
  assign(podUid: string, container: string, assignments: Partial<ContainerAssignments>): void;
  setAllocatable(assignments: Partial<Omit<ContainerAssignments, 'claims'>>): void;
}

const pod = (name: string, spec: Partial<Pod['spec']> = {}): Pod => ({
  metadata: { name, namespace: 'shop', uid: `uid-${name}` },
  spec: { containers: [{ name: 'app' }], ...spec },
});

/** Every implementation of {@link PodResourcesServer} passes this suite; `create` gives a new instance per case. */
export function describePodResourcesContract(name: string, create: () => Promise<PodResourcesHarness>): void {
  describe(`${name} as a PodResourcesServer`, () => {
    const ends: (() => unknown)[] = [];
    afterEach(async () => {
      for (const end of ends.splice(0).reverse()) await end();
    });
    async function started(): Promise<PodResourcesHarness & { readonly client: PodResourcesClient }> {
      const harness = await create();
      ends.push(() => harness.server.stop());
      await harness.server.start();
      const client = new PodResourcesClient(harness.server.socket);
      ends.push(() => client.close());
      return { ...harness, client };
    }

    it('can be stopped before it was started, and twice', async () => {
      const { server } = await create();
      expect(server.healthy()).toMatchObject({ ok: false });
      await server.stop();
      await server.start();
      expect(server.healthy()).toEqual({ ok: true });
      await server.stop();
      await server.stop();
      expect(server.healthy()).toMatchObject({ ok: false });
    });

    it('takes the socket over that a former one left', async () => {
      const { server, successor } = await create();
      ends.push(() => successor.stop());
      await server.start();
      await server.stop();
      await successor.start();
      const client = new PodResourcesClient(successor.socket);
      ends.push(() => client.close());
      expect(await client.list()).toEqual({ podResources: [] });
    });

    it('lists active pods with their sidecars and containers', async () => {
      const { client, setPods, assign } = await started();
      const web = pod('web', {
        initContainers: [{ name: 'once' }, { name: 'proxy', restartPolicy: 'Always' }],
        containers: [{ name: 'app' }, { name: 'log' }],
      });
      setPods({ known: [web, pod('done')], active: [web] });
      assign('uid-web', 'app', {
        cpuIds: [3, 2],
        devices: [
          { resourceName: 'v.io/gpu', deviceIds: ['g1'], numaNodes: [1] },
          { resourceName: 'v.io/nic', deviceIds: ['n1', 'n2'] },
        ],
        memory: [{ memoryType: 'hugepages-2Mi', bytes: 4_194_304, numaNodes: [0, 1] }],
        claims: [
          {
            claimName: 'c',
            claimNamespace: 'shop',
            devices: [
              { cdiDevices: ['v.io/gpu=1'], driverName: 'd', poolName: 'p', deviceName: 'gpu-1', shareId: 's' },
              { cdiDevices: [], driverName: 'd', poolName: 'p', deviceName: 'gpu-2' },
            ],
          },
        ],
      });
      const nothing = { devices: [], cpuIds: [], memory: [], dynamicResources: [] };
      expect(await client.list()).toEqual({
        podResources: [
          {
            name: 'web',
            namespace: 'shop',
            containers: [
              { name: 'proxy', ...nothing },
              {
                name: 'app',
                cpuIds: [3n, 2n],
                devices: [
                  { resourceName: 'v.io/gpu', deviceIds: ['g1'], topology: { nodes: [{ ID: 1n }] } },
                  { resourceName: 'v.io/nic', deviceIds: ['n1', 'n2'], topology: undefined },
                ],
                memory: [
                  { memoryType: 'hugepages-2Mi', size: 4_194_304n, topology: { nodes: [{ ID: 0n }, { ID: 1n }] } },
                ],
                dynamicResources: [
                  {
                    claimName: 'c',
                    claimNamespace: 'shop',
                    claimResources: [
                      {
                        cdiDevices: [{ name: 'v.io/gpu=1' }],
                        driverName: 'd',
                        poolName: 'p',
                        deviceName: 'gpu-1',
                        shareId: 's',
                      },
                      { cdiDevices: [], driverName: 'd', poolName: 'p', deviceName: 'gpu-2', shareId: undefined },
                    ],
                  },
                ],
              },
              { name: 'log', ...nothing },
            ],
          },
        ],
      });
    });

    it('gets one active pod, and says which one it does not find', async () => {
      const { client, setPods } = await started();
      setPods({ known: [pod('done'), pod('web')], active: [pod('web')] });
      const { podResources } = await client.get('shop', 'web');
      expect(podResources?.containers.map((container) => container.name)).toEqual(['app']);
      const notFound = (name: string, namespace: string): object => ({
        code: status.UNKNOWN,
        details: `pod ${name} in namespace ${namespace} not found`,
      });
      await expect(client.get('other', 'done')).rejects.toMatchObject(notFound('done', 'other'));
      await expect(client.get('shop', 'done')).rejects.toMatchObject(notFound('done', 'shop'));
    });

    it('tells what can be given out', async () => {
      const { client, setAllocatable } = await started();
      expect(await client.allocatable()).toEqual({ devices: [], cpuIds: [], memory: [] });
      setAllocatable({ cpuIds: [1, 2], devices: [{ resourceName: 'v.io/gpu', deviceIds: ['g1'], numaNodes: [0] }] });
      expect(await client.allocatable()).toEqual({
        devices: [{ resourceName: 'v.io/gpu', deviceIds: ['g1'], topology: { nodes: [{ ID: 0n }] } }],
        cpuIds: [1n, 2n],
        memory: [],
      });
    });

    it('still speaks v1alpha1: all pods, containers without sidecars, devices only', async () => {
      const { client, setPods, assign } = await started();
      const web = pod('web', { initContainers: [{ name: 'proxy', restartPolicy: 'Always' }] });
      setPods({ known: [web], active: [] });
      assign('uid-web', 'app', { cpuIds: [1], devices: [{ resourceName: 'r', deviceIds: ['d'], numaNodes: [1] }] });
      const { podResources } = await client.list('v1alpha1');
      expect(podResources).toEqual([
        {
          name: 'web',
          namespace: 'shop',
          containers: [
            {
              name: 'app',
              devices: [{ resourceName: 'r', deviceIds: ['d'], topology: undefined }],
              cpuIds: [],
              memory: [],
              dynamicResources: [],
            },
          ],
        },
      ]);
    });

    it('refuses what comes too fast', async () => {
      const { client } = await started();
      const outcomes = await Promise.allSettled(Array.from({ length: 60 }, () => client.allocatable()));
      const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as object] : []));
      expect(refused.length).toBeGreaterThan(0);
      expect(refused.length).toBeLessThan(60);
      for (const reason of refused) {
        expect(reason).toMatchObject({ code: status.RESOURCE_EXHAUSTED, details: 'rejected by rate limit' });
      }
    });
  });
}
