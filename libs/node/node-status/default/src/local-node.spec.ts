import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RuntimeFeatures, RuntimeHandler, RuntimeService } from '@podwright/cri-client-interface';
import { createMemoryLogger, type MemoryLogger } from '@podwright/logging';
import { createMetricsRegistry, type MetricsRegistry } from '@podwright/metrics';
import type { NodeSource } from '@podwright/node-status-interface';
import { describeNodeSourceContract } from '@podwright/node-status-interface/contract';
import { VirtualClock } from '@podwright/time';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { LocalNodeConfig } from './local-node-config.js';
import { createLocalNode } from './local-node.module.js';

let host: string;
let clock: VirtualClock;
let logger: MemoryLogger;
let metrics: MetricsRegistry;
const runtime = {
  own: undefined as RuntimeFeatures | undefined,
  list: [] as readonly RuntimeHandler[],
  features: () => runtime.own,
  handlers: () => runtime.list,
};
const told: string[] = [];
let refusal: Error | undefined;
const runtimeService: Pick<RuntimeService, 'updateRuntimeConfig'> = {
  updateRuntimeConfig: async ({ runtimeConfig }) => {
    told.push(runtimeConfig?.networkConfig?.podCidr ?? '');
    if (refusal !== undefined) throw refusal;
    return {};
  },
};
const connection = { runtimeName: 'containerd', runtimeVersion: 'v2.1.0' };

const setMemory = (kibibytes: number): Promise<void> =>
  writeFile(path.join(host, 'proc/meminfo'), `MemTotal: ${kibibytes} kB\n`);
const local = (options: Partial<LocalNodeConfig> = {}): NodeSource =>
  createLocalNode(
    { runtime, connection, runtimeService, clock, logger, metrics },
    { nodeName: 'n1', rootDir: host, hostRoot: host, nodeIps: ['192.0.2.1'], ...options },
  );

beforeEach(async () => {
  host = await mkdtemp(path.join(tmpdir(), 'podwright-local-node-'));
  await mkdir(path.join(host, 'proc'));
  await setMemory(1024);
  clock = new VirtualClock();
  logger = createMemoryLogger(3);
  metrics = createMetricsRegistry();
  runtime.own = undefined;
  runtime.list = [];
  told.splice(0);
  refusal = undefined;
});
afterEach(() => rm(host, { recursive: true, force: true }));

describeNodeSourceContract('LocalNode', async () => ({ source: local(), nodeName: 'n1' }));

describe('LocalNode', () => {
  it('tells the name of its node in a metric', async () => {
    await local().start();
    expect(await metrics.render()).toContain('kubelet_node_name{node="n1"} 1');
  });

  it('tells the runtime the addresses of pods once, and starts even if the runtime refuses', async () => {
    await local().start();
    expect(told).toEqual([]);
    await local({ podCidr: '10.1.0.0/24' }).start();
    expect(told).toEqual(['10.1.0.0/24']);
    refusal = new Error('no network plugin');
    const source = local({ podCidr: '10.2.0.0/24' });
    await source.start();
    expect(source.getNode().metadata?.name).toBe('n1');
    expect(logger.messages('error').concat(logger.messages('warning')).join()).toContain(
      'Pod CIDR update failed: failed to update pod CIDR: no network plugin',
    );
  });

  it('is what the kubelet would register', async () => {
    const source = local({
      nodeLabels: { zone: 'a', 'kubernetes.io/arch': 'other' },
      registerWithTaints: [{ key: 'dedicated', value: 'x', effect: 'NoExecute' }],
      externalCloudProvider: true,
      providerId: 'cloud://1',
      kubeletVersion: 'v1.36.0',
      featureGates: ['NodeDeclaredFeatures', 'ExtendWebSocketsToKubelet'],
    });
    await source.start();
    expect(source.getNode()).toMatchObject({
      metadata: {
        name: 'n1',
        labels: {
          'kubernetes.io/hostname': 'n1',
          'kubernetes.io/os': 'linux',
          'beta.kubernetes.io/os': 'linux',
          'kubernetes.io/arch': 'other',
          zone: 'a',
        },
        annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' },
      },
      spec: {
        providerID: 'cloud://1',
        taints: [
          { key: 'dedicated', value: 'x', effect: 'NoExecute' },
          { key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' },
        ],
      },
      status: {
        addresses: [
          { type: 'InternalIP', address: '192.0.2.1' },
          { type: 'Hostname', address: 'n1' },
        ],
        capacity: { memory: '1Mi', pods: '110' },
        nodeInfo: {
          containerRuntimeVersion: 'containerd://2.1.0',
          operatingSystem: 'linux',
          kubeletVersion: 'v1.36.0',
        },
        declaredFeatures: ['ExtendWebSocketsToKubelet'],
      },
    });
    await source.stop();
  });

  it('shows what the runtime can as soon as it has said so, and stays the same object otherwise', async () => {
    const source = local();
    await source.start();
    const before = source.getNode();
    expect(before.status).not.toHaveProperty('features');
    expect(source.getNode()).toBe(before);
    runtime.own = { supplementalGroupsPolicy: true, userNamespacesHostNetwork: false };
    runtime.list = [
      { name: 'runc', features: { recursiveReadOnlyMounts: true, userNamespaces: false } },
      { name: '', features: undefined },
    ];
    expect(source.getNode().status).toMatchObject({
      features: { supplementalGroupsPolicy: true },
      runtimeHandlers: [{ name: '' }, { name: 'runc', features: { recursiveReadOnlyMounts: true } }],
    });
    await source.stop();
  });

  it('looks at the machine again from time to time, and keeps what it knew when that fails', async () => {
    const source = local({ refreshPeriodMs: 60_000 });
    await source.start();
    await setMemory(2048);
    await clock.runUntil(() => source.getNode().status?.capacity?.['memory'] === '2Mi', 61_000);
    await rm(path.join(host, 'proc'), { recursive: true });
    await clock.runUntil(() => logger.entries.some(({ message }) => message.includes('cannot be read')), 120_000);
    expect(source.getNode().status?.capacity?.['memory']).toBe('2Mi');
    await source.stop();
  });

  it('does not start with more reserved than there is', async () => {
    const source = local({ kubeReserved: { memory: '1Mi' }, evictionHard: { 'memory.available': '1Ki' } });
    await expect(source.start()).rejects.toThrow(
      'invalid Node Allocatable configuration. Resource "memory" has a reservation of 1025Ki but capacity of 1Mi. ' +
        'Expected capacity >= reservation.',
    );
    await source.stop();
  });

  it('names the options that are wrong', () => {
    expect(() => local({ kubeReserved: { memory: 'much' } })).toThrow('kubeReserved.memory must be a quantity');
    expect(() => local({ registerWithTaints: [{ key: 'a' } as never] })).toThrow('registerWithTaints');
  });
});
