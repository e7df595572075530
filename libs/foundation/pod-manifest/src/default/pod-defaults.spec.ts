import { describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { decodePodManifest } from '../decode/pod-manifest.js';
import { defaultPullPolicy } from './container-defaults.js';
import { defaultPod } from './pod-defaults.js';

function decode(spec: string): Pod {
  return decodePodManifest(`apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n${spec.replace(/^/gm, '  ')}`, 'p');
}

describe('defaultPod', () => {
  it('gives the smallest pod what the API server gives it', () => {
    expect(defaultPod(decode('containers: [{name: c, image: nginx}]')).spec).toEqual({
      restartPolicy: 'Always',
      dnsPolicy: 'ClusterFirst',
      schedulerName: 'default-scheduler',
      securityContext: {},
      terminationGracePeriodSeconds: 30,
      enableServiceLinks: true,
      containers: [
        {
          name: 'c',
          image: 'nginx',
          imagePullPolicy: 'Always',
          terminationMessagePath: '/dev/termination-log',
          terminationMessagePolicy: 'File',
          resources: {},
        },
      ],
    });
  });

  it.each<[string, object]>([
    ['terminationGracePeriodSeconds: 0', { terminationGracePeriodSeconds: 0 }],
    ['terminationGracePeriodSeconds: -5', { terminationGracePeriodSeconds: 1 }],
    ['enableServiceLinks: false', { enableServiceLinks: false }],
    ['serviceAccount: sa', { serviceAccountName: 'sa', serviceAccount: 'sa' }],
    ['volumes: [{name: v}]', { volumes: [{ name: 'v', emptyDir: {} }] }],
    ['volumes: [{name: v, hostPath: {path: /a}}]', { volumes: [{ hostPath: { path: '/a', type: '' } }] }],
    ['volumes: [{name: v, secret: {secretName: s}}]', { volumes: [{ secret: { secretName: 's', defaultMode: 420 } }] }],
    ['volumes: [{name: v, secret: {secretName: s, defaultMode: 0}}]', { volumes: [{ secret: { defaultMode: 0 } }] }],
    ['volumes: [{name: v, configMap: {name: s}}]', { volumes: [{ configMap: { defaultMode: 420 } }] }],
    ['volumes: [{name: v, image: {reference: "a:1"}}]', { volumes: [{ image: { pullPolicy: 'IfNotPresent' } }] }],
    [
      'volumes: [{name: v, iscsi: {iqn: a, targetPortal: b}}]',
      { volumes: [{ iscsi: { iscsiInterface: 'default', lun: 0 } }] },
    ],
    [
      'volumes: [{name: v, projected: {sources: [{serviceAccountToken: {path: t}}, {downwardAPI: {items: [{path: p, fieldRef: {fieldPath: metadata.uid}}]}}]}}]',
      {
        volumes: [
          {
            projected: {
              defaultMode: 420,
              sources: [
                { serviceAccountToken: { expirationSeconds: 3600 } },
                { downwardAPI: { items: [{ fieldRef: { apiVersion: 'v1' } }] } },
              ],
            },
          },
        ],
      },
    ],
    [
      'volumes: [{name: v, ephemeral: {volumeClaimTemplate: {spec: {}}}}]',
      { volumes: [{ ephemeral: { volumeClaimTemplate: { spec: { volumeMode: 'Filesystem' } } } }] },
    ],
    ['overhead: {cpu: 1u}', { overhead: { cpu: '1m' } }],
  ])('%s', (spec, expected) => {
    expect(defaultPod(decode(`containers: []\n${spec}`)).spec).toMatchObject(expected);
  });

  it.each<[string, object]>([
    ['ports: [{containerPort: 80}]', { ports: [{ containerPort: 80, protocol: 'TCP' }] }],
    [
      'resources: {limits: {cpu: 1, memory: 1Gi}, requests: {cpu: 500m}}',
      { resources: { requests: { cpu: '500m', memory: '1Gi' } } },
    ],
    ['resources: {requests: {cpu: 100u}}', { resources: { requests: { cpu: '1m' } } }],
    [
      'env: [{name: A, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]',
      { env: [{ valueFrom: { fieldRef: { apiVersion: 'v1' } } }] },
    ],
    [
      'env: [{name: A, valueFrom: {fileKeyRef: {volumeName: v, path: f, key: k}}}]',
      { env: [{ valueFrom: { fileKeyRef: { optional: false } } }] },
    ],
    [
      'livenessProbe: {httpGet: {port: 1}}',
      {
        livenessProbe: {
          httpGet: { path: '/', scheme: 'HTTP' },
          timeoutSeconds: 1,
          periodSeconds: 10,
          successThreshold: 1,
          failureThreshold: 3,
        },
      },
    ],
    [
      'readinessProbe: {grpc: {port: 1}, periodSeconds: 5}',
      { readinessProbe: { grpc: { service: '' }, periodSeconds: 5 } },
    ],
    [
      'lifecycle: {preStop: {httpGet: {port: 1}}}',
      { lifecycle: { preStop: { httpGet: { path: '/', scheme: 'HTTP' } } } },
    ],
    ['imagePullPolicy: Never', { imagePullPolicy: 'Never' }],
  ])('container with %s', (rest, expected) => {
    const list = `[{name: c, image: "a:1", ${rest}}]`;
    const { spec } = defaultPod(decode(`containers: ${list}\ninitContainers: ${list}\nephemeralContainers: ${list}`));
    expect(spec.containers[0]).toMatchObject(expected);
    expect(spec.initContainers?.[0]).toMatchObject(expected);
    if (!rest.startsWith('resources: {limits')) expect(spec.ephemeralContainers?.[0]).toMatchObject(expected);
  });

  it('makes host ports of the container ports on the host network alone', () => {
    const port = (spec: string): unknown => defaultPod(decode(spec)).spec.containers[0]?.ports?.[0]?.hostPort;
    const containers = 'containers: [{name: c, image: a, ports: [{containerPort: 80}]}]';
    expect(port(containers)).toBeUndefined();
    expect(port(`hostNetwork: true\n${containers}`)).toBe(80);
    expect(port(`hostNetwork: true\n${containers.replace('80}', '80, hostPort: 81}')}`)).toBe(81);
  });

  it('completes pod-level resources from the containers and its own limits', () => {
    const { spec } = defaultPod(
      decode(`resources: {limits: {cpu: "4", memory: 4Gi}}
containers:
- {name: a, image: x, resources: {requests: {cpu: "1"}, limits: {hugepages-2Mi: 2Mi}}}
- {name: b, image: x, resources: {requests: {cpu: 500m}}}`),
    );
    expect(spec.resources).toEqual({
      limits: { cpu: '4', memory: '4Gi', 'hugepages-2Mi': '2Mi' },
      requests: { cpu: '1500m', memory: '4Gi', 'hugepages-2Mi': '2Mi' },
    });
  });

  it('only rounds pod-level resources while they are switched off', () => {
    const { spec } = defaultPod(decode('resources: {limits: {cpu: 100u}}\ncontainers: [{name: a, image: x}]'), {
      podLevelResources: false,
    });
    expect(spec.resources).toEqual({ limits: { cpu: '1m' } });
  });

  it('is idempotent and changes nothing of its argument', () => {
    const pod = decode('volumes: [{name: v}]\ncontainers: [{name: c, image: a, ports: [{containerPort: 1}]}]');
    const before = JSON.stringify(pod);
    const once = defaultPod(pod);
    expect(defaultPod(once)).toEqual(once);
    expect(JSON.stringify(pod)).toBe(before);
  });
});

describe('defaultPullPolicy', () => {
  it.each([
    ['nginx', 'Always'],
    ['nginx:latest', 'Always'],
    ['nginx:1.25', 'IfNotPresent'],
    ['localhost:5000/nginx', 'Always'],
    ['localhost:5000/nginx:1', 'IfNotPresent'],
    [`nginx@sha256:${'a'.repeat(64)}`, 'IfNotPresent'],
    [`nginx:latest@sha256:${'a'.repeat(64)}`, 'Always'],
    ['Not A Name', 'IfNotPresent'],
    [undefined, 'IfNotPresent'],
  ])('%s: %s', (image, policy) => {
    expect(defaultPullPolicy(image)).toBe(policy);
  });
});
