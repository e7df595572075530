import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { bytesOfVariable, type ServiceSource } from '@podwright/container-environment-interface';
import { KubeletError } from '@podwright/errors';
import type { Container, Pod, Secret } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { noServices } from '../no-services.js';
import { makeEnvironment } from './make-environment.js';
import type { EnvironmentInput } from './make-environment.js';
import { orderPodIps } from './pod-ip-order.js';

const pod: Pod = {
  metadata: { name: 'web', namespace: 'prod', uid: 'u1', labels: { 'a/b': 'x' }, annotations: { note: 'n' } },
  spec: {
    enableServiceLinks: true,
    nodeName: 'n1',
    serviceAccountName: 'sa',
    containers: [{ name: 'other', resources: { requests: { cpu: '250m' } } }],
  },
};

const services: ServiceSource = {
  list: (namespace) => [
    { name: 'db', namespace, clusterIp: '10.0.0.9', ports: [{ port: 5432, protocol: 'TCP' }] },
    { name: 'kubernetes', namespace: 'default', clusterIp: '10.0.0.1', ports: [{ port: 443, protocol: 'TCP' }] },
  ],
  hasSynced: () => true,
};

async function env(
  container: Partial<Container>,
  changes: Partial<EnvironmentInput> = {},
): Promise<Record<string, string>> {
  const list = await makeEnvironment({
    pod,
    volumes: [],
    services: noServices,
    envFiles: true,
    logger: createMemoryLogger(),
    container: { name: 'c', ...container },
    podIps: ['10.0.0.1', 'fd00::1'],
    node: {
      nodeName: 'n1',
      nodeIps: [],
      hostIps: () => ['192.0.2.1', '2001:db8::1'],
      allocatable: () => ({ cpu: '4' }),
    },
    secrets: {
      get: async (namespace, name) => {
        if (name !== 's') throw new KubeletError(`secret ${namespace}/${name} not found`, { code: 'not-found' });
        return { data: { password: Buffer.from('geheim').toString('base64') } };
      },
      registerPod: () => undefined,
      unregisterPod: () => undefined,
    },
    configMaps: {
      get: async (_, name) => {
        if (name === 'm') return { data: { one: '1', two: '2' } };
        throw new KubeletError('no api server', { code: 'failed-precondition' });
      },
      registerPod: () => undefined,
      unregisterPod: () => undefined,
    },
    ...changes,
  });
  return Object.fromEntries(list.map(({ name, value }) => [name, value]));
}

const field = (fieldPath: string): NonNullable<Container['env']> => [
  { name: 'V', valueFrom: { fieldRef: { fieldPath } } },
];
const resource = (name: string, divisor?: string, containerName?: string): NonNullable<Container['env']> => [
  {
    name: 'V',
    valueFrom: {
      resourceFieldRef: {
        resource: name,
        ...(divisor === undefined ? {} : { divisor }),
        ...(containerName === undefined ? {} : { containerName }),
      },
    },
  },
];

describe('makeEnvironment', () => {
  it('lets later names override and earlier ones be used', async () => {
    const values = await env({
      envFrom: [{ prefix: 'P_', configMapRef: { name: 'm' } }, { secretRef: { name: 's' } }],
      env: [
        { name: 'P_two', value: 'zwei' },
        { name: 'MIX', value: '$(P_one)-$(P_two)-$(LATER)-$(password)' },
        { name: 'LATER', value: 'l' },
        { name: 'EMPTY' },
      ],
    });
    expect(values).toEqual({
      P_one: '1',
      P_two: 'zwei',
      password: 'geheim',
      MIX: '1-zwei-$(LATER)-geheim',
      LATER: 'l',
      EMPTY: '',
    });
  });

  it.each([
    ['metadata.name', 'web'],
    ['metadata.namespace', 'prod'],
    ['metadata.uid', 'u1'],
    ["metadata.labels['a/b']", 'x'],
    ["metadata.labels['missing']", ''],
    ["metadata.annotations['note']", 'n'],
    ['metadata.labels', 'a/b="x"'],
    ['metadata.annotations', 'note="n"'],
    ['spec.host', 'n1'],
    ["metadata.labels['constructor']", ''],
    ['spec.nodeName', 'n1'],
    ['spec.serviceAccountName', 'sa'],
    ['status.hostIP', '192.0.2.1'],
    ['status.hostIPs', '192.0.2.1,2001:db8::1'],
    ['status.podIP', '10.0.0.1'],
    ['status.podIPs', '10.0.0.1,fd00::1'],
  ])('field %s', async (path, expected) => {
    expect(await env({ env: field(path) })).toEqual({ V: expected });
  });

  it.each([
    ['spec.hostNetwork', 'field label not supported: spec.hostNetwork'],
    ["metadata.name['x']", "field label does not support subscript: metadata.name['x']"],
    ['spec.restartPolicy', 'unsupported fieldPath: spec.restartPolicy'],
    ["metadata.labels['a b']", "invalid key subscript in metadata.labels['a b']: "],
  ])('refuses field %s', async (path, message) => {
    await expect(env({ env: field(path) })).rejects.toThrow(message);
  });

  it('has no host IP on a node without addresses', async () => {
    const hostIps = (): never => {
      throw new KubeletError('host IP unknown; known addresses: []', { code: 'failed-precondition' });
    };
    const node = { nodeName: 'n1', nodeIps: [], hostIps, allocatable: () => ({}) };
    await expect(env({ env: field('status.hostIP') }, { node })).rejects.toThrow('host IP unknown');
    await expect(env({ env: field('status.hostIPs') }, { node })).rejects.toThrow('host IP unknown');
    expect(await env({ env: field('status.podIP') }, { node })).toEqual({ V: '10.0.0.1' });
  });

  it('divides resources, rounding up, and takes the node for missing limits', async () => {
    const resources = { limits: { memory: '100Mi' }, requests: { cpu: '1100m' } };
    const value = async (entry: NonNullable<Container['env']>): Promise<string | undefined> =>
      (await env({ resources, env: entry })).V;
    expect(await value(resource('requests.cpu', '1m'))).toBe('1100');
    expect(await value(resource('limits.memory', '3Mi'))).toBe('34');
    expect(await value(resource('limits.cpu'))).toBe('4');
    expect(await value(resource('requests.cpu', '1m', 'other'))).toBe('250');
    await expect(value(resource('limits.gpu'))).rejects.toThrow('unsupported container resource : limits.gpu');
  });

  it('tells of no resource as long as the node is not known', async () => {
    const allocatable = (): never => {
      throw new KubeletError('not yet', { code: 'unavailable' });
    };
    const node = { nodeName: 'n1', nodeIps: [], hostIps: () => [], allocatable };
    const made = env({ env: resource('requests.cpu') }, { node });
    await expect(made).rejects.toThrow('failed to find node object, expected a node');
    expect(await env({ env: field('metadata.name') }, { node })).toEqual({ V: 'web' });
  });

  it('adds services last, which values may use and other variables override', async () => {
    const values = await env(
      {
        env: [
          { name: 'URL', value: '$(DB_PORT)/x' },
          { name: 'DB_SERVICE_PORT', value: '1' },
        ],
      },
      { services },
    );
    expect(Object.keys(values).slice(0, 3)).toEqual(['URL', 'DB_SERVICE_PORT', 'DB_SERVICE_HOST']);
    expect(values).toMatchObject({
      URL: 'tcp://10.0.0.9:5432/x',
      DB_SERVICE_PORT: '1',
      KUBERNETES_SERVICE_HOST: '10.0.0.1',
    });
  });

  it('waits for services, but not with static pods', async () => {
    const notSynced = { ...services, hasSynced: () => false };
    await expect(env({}, { services: notSynced })).rejects.toThrow(
      'services have not yet been read at least once, cannot construct envvars',
    );
    const annotations = { 'kubernetes.io/config.source': 'file' };
    const fixed = { ...pod, metadata: { ...pod.metadata, annotations } };
    expect(await env({}, { services: notSynced, pod: fixed })).toMatchObject({ KUBERNETES_SERVICE_PORT: '443' });
  });

  it('refuses a pod that does not say whether it wants links', async () => {
    const { enableServiceLinks: _, ...spec } = pod.spec;
    await expect(env({}, { pod: { ...pod, spec } })).rejects.toThrow(
      'nil pod.spec.enableServiceLinks encountered, cannot construct envvars',
    );
  });

  it('keeps all bytes of secrets and env files, also those that are no text', async () => {
    const bytes = Buffer.of(0xff, 0x61, 0xc3, 0xa4, 0x80);
    const get = async (): Promise<Secret> => ({ data: { key: bytes.toString('base64') } });
    const secrets = { get, registerPod: () => undefined, unregisterPod: () => undefined };
    const folder = await mkdtemp(join(tmpdir(), 'env-bytes-'));
    await writeFile(join(folder, 'env'), Buffer.concat([Buffer.from("K='"), bytes, Buffer.from("'\n")]));
    const values = await env(
      {
        envFrom: [{ prefix: 'ALL_', secretRef: { name: 'any' } }],
        env: [
          { name: 'ONE', valueFrom: { secretKeyRef: { name: 'any', key: 'key' } } },
          { name: 'PART', value: '<$(ONE)>' },
          { name: 'FILE', valueFrom: { fileKeyRef: { volumeName: 'v', path: 'env', key: 'K' } } },
        ],
      },
      { secrets, volumes: [{ name: 'v', hostPath: folder, readOnly: false, managed: true, selinuxRelabel: false }] },
    ).finally(() => rm(folder, { recursive: true }));
    const part = Buffer.concat([Buffer.from('<'), bytes, Buffer.from('>')]);
    const found = Object.entries(values).map(([name, value]) => [name, bytesOfVariable(value)]);
    expect(Object.fromEntries(found)).toEqual({ ALL_key: bytes, ONE: bytes, PART: part, FILE: bytes });
  });

  it('takes keys of secrets and config maps, and leaves out what is optional and missing', async () => {
    const secret = (name: string, key: string, optional: boolean): NonNullable<Container['env']> => [
      { name: 'V', valueFrom: { secretKeyRef: { name, key, optional } } },
    ];
    expect(await env({ env: secret('s', 'password', false) })).toEqual({ V: 'geheim' });
    expect(await env({ env: secret('s', 'nope', true) })).toEqual({});
    expect(await env({ env: secret('gone', 'k', true) })).toEqual({});
    await expect(env({ env: secret('s', 'nope', false) })).rejects.toThrow("couldn't find key nope in Secret prod/s");
    await expect(env({ env: secret('gone', 'k', false) })).rejects.toThrow('secret prod/gone not found');
    expect(await env({ envFrom: [{ secretRef: { name: 'gone', optional: true } }] })).toEqual({});
  });

  it('says that nobody can be asked without an API server, also for an optional reference', async () => {
    const reference = { name: 'unknown', key: 'k', optional: true };
    await expect(env({ env: [{ name: 'V', valueFrom: { configMapKeyRef: reference } }] })).rejects.toThrow(
      "couldn't get configMap prod/unknown, no kubeClient defined",
    );
  });
});

describe('orderPodIps', () => {
  it.each<[readonly string[], readonly string[], readonly string[]]>([
    [['fd00::1', '10.0.0.1'], [], ['10.0.0.1', 'fd00::1']],
    [['fd00::1', '10.0.0.1'], ['192.0.2.1'], ['10.0.0.1', 'fd00::1']],
    [
      ['10.0.0.1', 'fd00::1'],
      ['2001:db8::1', '192.0.2.1'],
      ['fd00::1', '10.0.0.1'],
    ],
    [['10.0.0.1', '10.0.0.2'], [], ['10.0.0.1']],
    [[], [], []],
  ])('%j on a node with %j', (podIps, nodeIps, expected) => {
    expect(orderPodIps(podIps, nodeIps)).toEqual(expected);
  });
});
