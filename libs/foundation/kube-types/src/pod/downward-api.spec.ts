import { describe, expect, it } from '@jest/globals';
import type { Container, Pod } from '../objects.js';
import { podMetadataField } from './downward-field.js';
import { downwardResource } from './downward-resource.js';

describe('podMetadataField', () => {
  const pod: Pod = {
    metadata: {
      name: 'web',
      namespace: 'prod',
      uid: 'u1',
      labels: { zone: 'b', 'a/b': 'x', Zone: 'c' },
      annotations: { build: 'two\nlines', builder: 'say "hi"' },
    },
    spec: { containers: [] },
  };

  it.each([
    ['metadata.name', 'web'],
    ['metadata.namespace', 'prod'],
    ['metadata.uid', 'u1'],
    ['metadata.labels', 'Zone="c"\na/b="x"\nzone="b"'],
    ['metadata.annotations', 'build="two\\nlines"\nbuilder="say \\"hi\\""'],
    ["metadata.labels['a/b']", 'x'],
    ["metadata.labels['none']", ''],
    ["metadata.labels['constructor']", ''],
    ["metadata.annotations['build']", 'two\nlines'],
  ])('%s', (path, expected) => {
    expect(podMetadataField(pod, path)).toBe(expected);
  });

  it.each([
    ['status.podIP', 'unsupported fieldPath: status.podIP'],
    ["metadata.name['x']", 'fieldPath "metadata.name[\'x\']" does not support subscript'],
    ["metadata.labels['']", "invalid key subscript in metadata.labels['']: name part must be non-empty;"],
    ["metadata.labels['a b']", "invalid key subscript in metadata.labels['a b']: name part must consist of"],
  ])('refuses %s', (path, message) => {
    expect(() => podMetadataField(pod, path)).toThrow(message);
  });

  it('is empty without labels', () => {
    expect(podMetadataField({ ...pod, metadata: {} }, 'metadata.labels')).toBe('');
  });
});

describe('downwardResource', () => {
  const limits = { cpu: '1500m', memory: '100Mi', 'ephemeral-storage': '3Gi', 'hugepages-2Mi': '4Mi' };
  const requests = { cpu: '1100m', memory: '64Mi', 'ephemeral-storage': '1G', 'hugepages-2Mi': '4Mi' };
  const pod: Pod = {
    metadata: {},
    spec: {
      containers: [
        { name: 'full', resources: { limits, requests } },
        { name: 'bare', resources: { limits: { memory: '0' } } },
      ],
      initContainers: [{ name: 'first', resources: { requests: { cpu: '250m' } } }],
      ephemeralContainers: [{ name: 'debug' }],
    },
  };
  const node = { cpu: '3800m', memory: '8Gi', 'ephemeral-storage': '20Gi', 'hugepages-2Mi': '1Gi' };

  it.each([
    ['full', 'limits.cpu', undefined, '2'],
    ['full', 'limits.cpu', '1m', '1500'],
    ['full', 'requests.cpu', '0', '2'],
    ['full', 'limits.memory', undefined, '104857600'],
    ['full', 'limits.memory', '3Mi', '34'],
    ['full', 'requests.memory', '1Mi', '64'],
    ['full', 'limits.ephemeral-storage', '1Gi', '3'],
    ['full', 'requests.ephemeral-storage', undefined, '1000000000'],
    ['full', 'limits.hugepages-2Mi', '1Mi', '4'],
    ['full', 'requests.hugepages-2Mi', undefined, '4194304'],
    ['bare', 'limits.cpu', undefined, '4'],
    ['bare', 'limits.memory', '1Gi', '8'],
    ['bare', 'limits.ephemeral-storage', '1Gi', '20'],
    ['bare', 'limits.hugepages-2Mi', undefined, '0'],
    ['bare', 'requests.cpu', undefined, '0'],
    ['first', 'requests.cpu', '1m', '250'],
  ])('%s %s by %s', (containerName, resource, divisor, expected) => {
    const selector = { containerName, resource, ...(divisor !== undefined && { divisor }) };
    expect(downwardResource(pod, undefined, selector, node)).toBe(expected);
  });

  it('takes the container itself without a name, and the limits of the pod before those of the node', () => {
    const ofPod = { limits: { cpu: '2', memory: '1Gi', 'ephemeral-storage': '1Gi' } };
    const levelled: Pod = { ...pod, spec: { ...pod.spec, resources: ofPod } };
    const value = (resource: string): string => downwardResource(levelled, { name: 'any' }, { resource }, node);
    expect([value('limits.cpu'), value('limits.memory')]).toEqual(['2', String(2 ** 30)]);
    expect(value('limits.ephemeral-storage')).toBe(String(20 * 2 ** 30)); // not a resource of pods
    expect(downwardResource(levelled, { name: 'any' }, { resource: 'limits.cpu' }, {})).toBe('0');
  });

  it('takes the limits of the pod for variables only', () => {
    const levelled: Pod = { ...pod, spec: { ...pod.spec, resources: { limits: { cpu: '2' } } } };
    const selector = { containerName: 'bare', resource: 'limits.cpu' };
    expect(downwardResource(levelled, { name: 'full' }, selector, node)).toBe('2');
    expect(downwardResource(levelled, undefined, selector, node)).toBe('4');
  });

  it('has no limit for an init container that a variable names, also for its own variable', () => {
    const first = { name: 'first' };
    const value = (of: Container | undefined, containerName: string): string =>
      downwardResource(pod, of, { containerName, resource: 'limits.cpu' }, node);
    expect([value({ name: 'full' }, 'first'), value(first, 'first')]).toEqual(['0', '0']);
    expect([value(first, ''), value(undefined, 'first')]).toEqual(['4', '4']);
  });

  it.each([
    ['full', 'limits.nvidia.com/gpu', 'unsupported container resource : limits.nvidia.com/gpu'],
    ['full', 'capacity.cpu', 'unsupported container resource : capacity.cpu'],
    ['gone', 'limits.cpu', 'container gone not found'],
    ['debug', 'limits.cpu', 'container debug not found'],
  ])('refuses %s %s', (containerName, resource, message) => {
    expect(() => downwardResource(pod, undefined, { containerName, resource }, node)).toThrow(message);
  });
});
