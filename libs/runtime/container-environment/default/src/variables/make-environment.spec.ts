import { describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import type { Container, Pod } from '@podwright/kube-types';
import { expandVariables } from './expand.js';
import { makeEnvironment } from './make-environment.js';

const pod: Pod = {
  metadata: { name: 'web', namespace: 'prod', uid: 'u1', labels: { 'a/b': 'x' }, annotations: { note: 'n' } },
  spec: {
    nodeName: 'n1',
    serviceAccountName: 'sa',
    containers: [{ name: 'other', resources: { requests: { cpu: '250m' } } }],
  },
};

async function env(container: Partial<Container>): Promise<Record<string, string>> {
  const list = await makeEnvironment({
    pod,
    container: { name: 'c', ...container },
    podIps: ['10.0.0.1', 'fd00::1'],
    node: { nodeName: 'n1', nodeIps: ['192.0.2.1', '192.0.2.2'], nodeAllocatable: { cpu: '4', memory: '8Gi' } },
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

describe('expandVariables', () => {
  it.each([
    ['$(A) and $(B)', '1 and $(B)'],
    ['$$(A)', '$(A)'],
    ['$$$(A)', '$1'],
    ['$A $( A', '$A $( A'],
    ['$(EMPTY)x', 'x'],
    ['a$', 'a$'],
  ])('%s', (text, expected) => {
    const values: Record<string, string> = { A: '1', EMPTY: '' };
    expect(expandVariables(text, (name) => values[name])).toBe(expected);
  });
});

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
    ["metadata.labels['__proto__']", ''],
    ['spec.nodeName', 'n1'],
    ['spec.serviceAccountName', 'sa'],
    ['status.hostIP', '192.0.2.1'],
    ['status.hostIPs', '192.0.2.1,192.0.2.2'],
    ['status.podIP', '10.0.0.1'],
    ['status.podIPs', '10.0.0.1,fd00::1'],
  ])('field %s', async (path, expected) => {
    expect(await env({ env: field(path) })).toEqual({ V: expected });
  });

  it('refuses a field that the downward API does not know', async () => {
    await expect(env({ env: field('spec.hostNetwork') })).rejects.toThrow('unsupported fieldPath: spec.hostNetwork');
  });

  it('divides resources, rounding up, and takes the node for missing limits', async () => {
    const resources = { limits: { memory: '100Mi' }, requests: { cpu: '1100m' } };
    const value = async (entry: NonNullable<Container['env']>): Promise<string | undefined> =>
      (await env({ resources, env: entry })).V;
    expect(await value(resource('requests.cpu'))).toBe('2');
    expect(await value(resource('requests.cpu', '1m'))).toBe('1100');
    expect(await value(resource('limits.memory'))).toBe('104857600');
    expect(await value(resource('limits.memory', '3Mi'))).toBe('34');
    expect(await value(resource('limits.cpu'))).toBe('4');
    expect(await value(resource('requests.memory'))).toBe('0');
    expect(await value(resource('requests.cpu', '1m', 'other'))).toBe('250');
    await expect(value(resource('limits.gpu'))).rejects.toThrow('unsupported container resource : limits.gpu');
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
