import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import type { Pod } from '../objects.js';
import { findApiReferences, staticPodReferenceFault } from './api-references.js';
import { containerFieldPath, findContainer, visitContainers } from './containers.js';
import { podLimits, podRequests } from './pod-resources.js';
import { isCriticalPod, isMirrorPod, isNodeCriticalPod, isStaticPod, podSource } from './pod-source.js';
import { computeQosClass, podQosClass } from './qos.js';
import { formatResources } from './resource-amounts.js';
import { isTerminalPhase } from './terminal-phase.js';
import { usedVolumes } from './used-volumes.js';

// Quantities are texts in every object that was decoded; `cpu: 1` alone is a number to YAML.
const quantityKey = /^(cpu|memory|example\.com\/gpu)$/;

function decode(spec: string, metadata = 'name: p'): Pod {
  const text = `apiVersion: v1\nkind: Pod\nmetadata: {${metadata}}\nspec:\n${spec.replace(/^/gm, '  ')}`;
  return parse(text, (key, value: unknown) => (quantityKey.test(String(key)) ? String(value) : value)) as Pod;
}

const container = (requests: string, limits: string, more = ''): string =>
  `{name: c, image: x, resources: {requests: {${requests}}, limits: {${limits}}}${more}}`;

describe('used volumes', () => {
  it('are those that a container mounts or maps, not those of variables', () => {
    const pod = decode(`volumes: [{name: variable}, {name: device}, {name: none}, {name: mount}]
initContainers: [{name: i, volumeDevices: [{name: device, devicePath: /dev/d}]}]
containers: [{name: c, volumeMounts: [{name: mount, mountPath: /m}], env: [{name: A, valueFrom: {fileKeyRef: {volumeName: variable, path: p, key: k}}}]}]`);
    expect(usedVolumes(pod)).toEqual([
      { volume: { name: 'device' }, asMount: false, asDevice: true },
      { volume: { name: 'mount' }, asMount: true, asDevice: false },
    ]);
  });
});

describe('QoS class', () => {
  it.each([
    ['containers: [{name: c}]', 'BestEffort'],
    [`containers: [${container('cpu: 0', '')}]`, 'BestEffort'],
    [`containers: [${container('', 'example.com/gpu: 1')}]`, 'BestEffort'],
    [`containers: [${container('cpu: 1', '')}]`, 'Burstable'],
    [`containers: [${container('cpu: 1, memory: 1Gi', 'cpu: 1, memory: 1Gi')}]`, 'Guaranteed'],
    [`containers: [${container('cpu: 1000m, memory: 1024Mi', 'cpu: 1, memory: 1Gi')}]`, 'Guaranteed'],
    [`containers: [${container('cpu: 1', 'cpu: 1')}]`, 'Burstable'],
    [`containers: [${container('cpu: 1, memory: 1Gi', 'cpu: 2, memory: 1Gi')}]`, 'Burstable'],
    [
      `initContainers: [{name: i}]\ncontainers: [${container('cpu: 1, memory: 1Gi', 'cpu: 1, memory: 1Gi')}]`,
      'Burstable',
    ],
    [
      `ephemeralContainers: [{name: e}]\ncontainers: [${container('cpu: 1, memory: 1Gi', 'cpu: 1, memory: 1Gi')}]`,
      'Guaranteed',
    ],
    [
      'resources: {requests: {cpu: 1, memory: 1Gi}, limits: {cpu: 1, memory: 1Gi}}\ncontainers: [{name: c}]',
      'Guaranteed',
    ],
    [`resources: {}\ncontainers: [${container('cpu: 1', '')}]`, 'BestEffort'],
  ])('%s is %s', (spec, expected) => {
    expect(computeQosClass(decode(spec))).toBe(expected);
  });

  it('trusts the status', () => {
    expect(podQosClass({ ...decode('containers: []'), status: { qosClass: 'Guaranteed' } })).toBe('Guaranteed');
  });
});

describe('pod resources', () => {
  it.each<[string, string, object, object]>([
    [
      'regular containers add up',
      `containers: [${container('cpu: 1', 'cpu: 2')}, ${container('cpu: 500m', '')}]`,
      { cpu: '1500m' },
      { cpu: '2' },
    ],
    [
      'the largest init container counts',
      `initContainers: [${container('cpu: 5', '')}, ${container('cpu: 3', '')}]\ncontainers: [${container('cpu: 1', '')}]`,
      { cpu: '5' },
      {},
    ],
    [
      'sidecars run beside regular ones',
      `initContainers: [${container('cpu: 2', '', ', restartPolicy: Always')}]\ncontainers: [${container('cpu: 1', '')}]`,
      { cpu: '3' },
      {},
    ],
    [
      'and beside later init containers',
      `initContainers: [${container('cpu: 2', '', ', restartPolicy: Always')}, ${container('cpu: 4', '')}]\ncontainers: [${container('cpu: 1', '')}]`,
      { cpu: '6' },
      {},
    ],
    [
      'but not beside earlier ones',
      `initContainers: [${container('cpu: 4', '')}, ${container('cpu: 2', '', ', restartPolicy: Always')}]\ncontainers: [${container('cpu: 1', '')}]`,
      { cpu: '4' },
      {},
    ],
    [
      'overhead is added, to limits that exist',
      `overhead: {cpu: 1, memory: 1Gi}\ncontainers: [${container('cpu: 1', 'cpu: 1')}]`,
      { cpu: '2', memory: '1Gi' },
      { cpu: '2' },
    ],
    [
      'pod-level values replace',
      `resources: {requests: {cpu: 10}, limits: {cpu: 20}}\ncontainers: [${container('cpu: 1, memory: 1Gi', '')}]`,
      { cpu: '10', memory: '1Gi' },
      { cpu: '20' },
    ],
  ])('%s', (_, spec, requests, limits) => {
    const pod = decode(spec);
    expect(formatResources(podRequests(pod))).toEqual(requests);
    expect(formatResources(podLimits(pod))).toEqual(limits);
  });

  it('leaves overhead or pod-level values out on request', () => {
    const pod = decode(`overhead: {cpu: 1}\nresources: {requests: {cpu: 9}}\ncontainers: [${container('cpu: 2', '')}]`);
    expect(formatResources(podRequests(pod, { excludeOverhead: true, skipPodLevel: true }))).toEqual({ cpu: '2' });
    const allocated = podRequests(pod, { skipPodLevel: true, resourcesOf: () => ({ requests: { cpu: '7' } }) });
    expect(formatResources(allocated)).toEqual({ cpu: '8' });
  });
});

describe('kinds of pods', () => {
  it.each<[string, string, [string | undefined, boolean, boolean, boolean]]>([
    ['{}', '', [undefined, false, false, false]],
    ['{kubernetes.io/config.source: api}', '', ['api', false, false, false]],
    ['{kubernetes.io/config.source: file}', '', ['file', true, false, true]],
    ['{kubernetes.io/config.source: http}', '', ['http', true, false, true]],
    ['{kubernetes.io/config.source: local}', '', ['local', true, false, false]],
    ['{kubernetes.io/config.source: local}', 'priority: 2000000000', ['local', true, false, true]],
    ['{kubernetes.io/config.source: other}', '', [undefined, true, false, true]],
    ['{kubernetes.io/config.source: api, kubernetes.io/config.mirror: x}', '', ['api', false, true, true]],
    ['{}', 'priority: 2000000000', [undefined, false, false, true]],
    ['{}', 'priority: 1999999999', [undefined, false, false, false]],
  ])('annotations %s %s', (annotations, spec, expected) => {
    const pod = decode(`containers: []\n${spec}`, `name: p, annotations: ${annotations}`);
    expect([podSource(pod), isStaticPod(pod), isMirrorPod(pod), isCriticalPod(pod)]).toEqual(expected);
  });

  it('knows node-critical pods', () => {
    expect(
      isNodeCriticalPod(decode('containers: []\npriority: 2000001000\npriorityClassName: system-node-critical')),
    ).toBe(true);
    expect(isNodeCriticalPod(decode('containers: []\npriorityClassName: system-node-critical'))).toBe(false);
  });

  it('visits containers with their field paths', () => {
    const pod = decode(
      'initContainers: [{name: i}]\ncontainers: [{name: a}, {name: b}]\nephemeralContainers: [{name: e}]',
    );
    expect([...visitContainers(pod.spec)].map(({ kind, path }) => [kind, path])).toEqual([
      ['init', 'spec.initContainers[0]'],
      ['regular', 'spec.containers[0]'],
      ['regular', 'spec.containers[1]'],
      ['ephemeral', 'spec.ephemeralContainers[0]'],
    ]);
    expect(findContainer(pod, 'b')?.path).toBe('spec.containers[1]');
    expect(findContainer(pod, 'x')).toBeUndefined();
  });

  it.each([
    ['app', 'spec.containers{app}'],
    ['sidecar', 'spec.containers{sidecar}'],
    ['prepare', 'spec.initContainers{prepare}'],
    ['debugger', 'spec.ephemeralContainers{debugger}'],
    ['', 'spec.containers[2]'],
    ['other', undefined],
  ])('events name container %j by %s', (name, fieldPath) => {
    const pod = decode(
      'initContainers: [{name: prepare}]\ncontainers: [{name: app}, {name: sidecar}, {name: ""}]\nephemeralContainers: [{name: debugger}]',
    );
    expect(containerFieldPath(pod, name)).toBe(fieldPath);
  });
});

describe('references to API objects', () => {
  it.each([
    ['serviceAccountName: a', 'serviceaccounts', 'spec.serviceAccountName'],
    ['imagePullSecrets: [{name: a}]', 'secrets', 'spec.imagePullSecrets[0]'],
    [
      'initContainers: [{name: i, envFrom: [{secretRef: {name: s}}]}]',
      'secrets',
      'spec.initContainers[0].envFrom[0].secretRef',
    ],
    [
      'initContainers: [{name: i, env: [{name: A, valueFrom: {configMapKeyRef: {name: s, key: k}}}]}]',
      'configmaps',
      'spec.initContainers[0].env[0].valueFrom.configMapKeyRef',
    ],
    ['resourceClaims: [{name: a}]', 'resourceclaims', 'spec.resourceClaims[0]'],
    ['volumes: [{name: v, secret: {secretName: s}}]', 'secrets', 'spec.volumes[0].secret'],
    ['volumes: [{name: v, configMap: {name: s}}]', 'configmaps', 'spec.volumes[0].configMap'],
    [
      'volumes: [{name: v, persistentVolumeClaim: {claimName: s}}]',
      'persistentvolumeclaims',
      'spec.volumes[0].persistentVolumeClaim',
    ],
    ['volumes: [{name: v, ephemeral: {}}]', 'persistentvolumeclaims', 'spec.volumes[0].ephemeral'],
    [
      'volumes: [{name: v, csi: {driver: d, nodePublishSecretRef: {name: s}}}]',
      'secrets',
      'spec.volumes[0].csi.nodePublishSecretRef',
    ],
    ['volumes: [{name: v, iscsi: {secretRef: {name: s}}}]', 'secrets', 'spec.volumes[0].iscsi.secretRef'],
    [
      'volumes: [{name: v, projected: {sources: [{downwardAPI: {}}, {serviceAccountToken: {path: t}}]}}]',
      'serviceaccounts',
      'spec.volumes[0].projected.sources[1].serviceAccountToken',
    ],
  ])('%s', (spec, resource, field) => {
    const pod = decode(`containers: []\n${spec}`);
    expect(findApiReferences(pod)).toEqual([{ resource, field }]);
    expect(staticPodReferenceFault(pod)).toBe(`static pods may not reference ${resource} (${field})`);
  });

  it('finds none in a pod of local parts', () => {
    const pod = decode(
      'containers: [{name: c, env: [{name: A, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]}]\nvolumes: [{name: v, csi: {driver: d}}, {name: w, hostPath: {path: /}}]',
    );
    expect(findApiReferences(pod)).toEqual([]);
    expect(staticPodReferenceFault(pod)).toBeUndefined();
  });
});

it.each([
  ['Succeeded', true],
  ['Failed', true],
  ['Running', false],
  ['Pending', false],
  ['Unknown', false],
  [undefined, false],
])('phase %s is terminal: %s', (phase, terminal) => {
  expect(isTerminalPhase(phase)).toBe(terminal);
});
