import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import type { ContainerAssignments, ResourceAssignments } from '@podwright/pod-resources-interface';
import {
  describePodResourcesContract,
  PodResourcesClient,
  type PodResourcesHarness,
} from '@podwright/pod-resources-interface/contract';
import { VirtualClock } from '@podwright/time';
import { createGrpcPodResourcesServer, type GrpcPodResourcesServerDeps } from './grpc-pod-resources-server.js';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function harness(options: { readonly listActivePods?: boolean } = {}): Promise<
  PodResourcesHarness & {
    readonly deps: GrpcPodResourcesServerDeps;
    readonly clock: VirtualClock;
    readonly released: () => number;
  }
> {
  const folder = await mkdtemp(path.join(tmpdir(), 'pod-resources-'));
  folders.push(folder);
  let pods: { readonly known: readonly Pod[]; readonly active: readonly Pod[] } = { known: [], active: [] };
  const nothing: ContainerAssignments = { devices: [], cpuIds: [], memory: [], claims: [] };
  const assigned = new Map<string, ContainerAssignments>();
  let allocatable: Omit<ContainerAssignments, 'claims'> = nothing;
  let released = 0;
  const assignments: ResourceAssignments = {
    of: (podUid, container) => assigned.get(`${podUid}/${container}`) ?? nothing,
    allocatable: () => allocatable,
    releaseInactive: () => void released++,
  };
  const manager = {
    getPods: () => pods.known,
    getPodByFullName: (name: string) =>
      pods.known.find(({ metadata }) => `${metadata?.name}_${metadata?.namespace}` === name),
  };
  const clock = new VirtualClock();
  const deps: GrpcPodResourcesServerDeps = {
    pods: manager as Partial<GrpcPodResourcesServerDeps['pods']> as GrpcPodResourcesServerDeps['pods'],
    activePods: { list: () => pods.active },
    clock,
    metrics: createMetricsRegistry(),
    logger: createMemoryLogger(),
    assignments,
  };
  const config = { socket: path.join(folder, 'kubelet.sock'), ...options };
  return {
    deps,
    clock,
    released: () => released,
    server: createGrpcPodResourcesServer(deps, config),
    successor: createGrpcPodResourcesServer(deps, config),
    setPods: (all) => void (pods = all),
    assign: (podUid, container, given) => void assigned.set(`${podUid}/${container}`, { ...nothing, ...given }),
    setAllocatable: (given) => void (allocatable = { ...nothing, ...given }),
  };
}

describePodResourcesContract('GrpcPodResourcesServer', harness);

const pod: Pod = { metadata: { name: 'a', namespace: 'n', uid: 'u' }, spec: { containers: [{ name: 'c' }] } };

describe('GrpcPodResourcesServer', () => {
  it('has nothing exclusive to tell where no manager gives anything out', async () => {
    const { deps, server, setPods } = await harness();
    const { assignments: _without, ...rest } = deps;
    setPods({ known: [pod], active: [pod] });
    const bare = createGrpcPodResourcesServer(rest, { socket: server.socket });
    await bare.start();
    const client = new PodResourcesClient(bare.socket);
    const container = { name: 'c', devices: [], cpuIds: [], memory: [], dynamicResources: [] };
    expect(await client.list()).toEqual({ podResources: [{ name: 'a', namespace: 'n', containers: [container] }] });
    client.close();
    await bare.stop();
  });

  it('lists pods that have ended too when it is told so, after what they held was taken back', async () => {
    const { server, setPods, released } = await harness({ listActivePods: false });
    setPods({ known: [pod], active: [] });
    await server.start();
    const client = new PodResourcesClient(server.socket);
    expect((await client.list()).podResources.map(({ name }) => name)).toEqual(['a']);
    expect(released()).toBe(1);
    client.close();
    await server.stop();
  });

  it('counts calls and errors by version, and lets calls through again as time goes by', async () => {
    const { deps, server, clock } = await harness();
    await server.start();
    const client = new PodResourcesClient(server.socket);
    await client.list('v1alpha1');
    await expect(client.get('n', 'missing')).rejects.toThrow('not found');
    for (let i = 0; i < 8; i++) await client.allocatable();
    await expect(client.list()).rejects.toThrow('rejected by rate limit');
    await clock.advance(10);
    await client.list();
    client.close();
    await server.stop();
    const lines = (await deps.metrics.render()).split('\n').filter((line) => line.startsWith('kubelet_pod_resources'));
    expect(lines).toEqual([
      'kubelet_pod_resources_endpoint_errors_get{server_api_version="v1"} 1',
      'kubelet_pod_resources_endpoint_requests_get{server_api_version="v1"} 1',
      'kubelet_pod_resources_endpoint_requests_get_allocatable{server_api_version="v1"} 8',
      'kubelet_pod_resources_endpoint_requests_list{server_api_version="v1"} 1',
      'kubelet_pod_resources_endpoint_requests_total{server_api_version="v1"} 10',
      'kubelet_pod_resources_endpoint_requests_total{server_api_version="v1alpha1"} 1',
    ]);
  });

  it('does not take a place that holds something else than a socket, or a folder that is not there', async () => {
    const { deps, server } = await harness();
    await writeFile(server.socket, 'mine');
    await expect(server.start()).rejects.toThrow(
      /^cannot serve pod resources on .*kubelet\.sock: .*; look whether its folder is there/,
    );
    expect(server.healthy().ok).toBe(false);
    await mkdir(`${server.socket}-d`);
    const lost = createGrpcPodResourcesServer(deps, { socket: path.join(`${server.socket}-d`, 'missing', 'x.sock') });
    await expect(lost.start()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('names the option that is out of range', async () => {
    const { deps } = await harness();
    expect(() => createGrpcPodResourcesServer(deps, { qps: 0 })).toThrow('pod-resources options: qps');
  });
});
