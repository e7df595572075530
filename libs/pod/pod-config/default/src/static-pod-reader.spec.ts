import { describe, expect, it } from '@jest/globals';
import { defaultPodRules } from '@podwright/pod-manifest';
import { createStaticPodReader, type StaticPodRules } from './static-pod-reader.js';

const manifest = (spec: string, container = ''): Uint8Array =>
  Buffer.from(
    `apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: c, image: i${container}}]${spec}}`,
  );

describe('the rules of static pods', () => {
  const read = (content: Uint8Array, rules: Partial<StaticPodRules>): string => {
    const reader = createStaticPodReader('n1', { ...defaultPodRules, preventApiReferences: true, ...rules });
    try {
      return reader.readFile(content, '/m/a.yaml').metadata.name ?? '';
    } catch (error) {
      return (error as Error).message;
    }
  };
  const secret = manifest(', volumes: [{name: v, secret: {secretName: s}}]');
  const claim = manifest(', resourceClaims: [{name: r, resourceClaimName: x}]');
  const bundle = manifest(', volumes: [{name: v, projected: {sources: [{clusterTrustBundle: {name: b, path: p}}]}}]');
  const certificate = manifest(
    ', volumes: [{name: v, projected: {sources: [{podCertificate: {signerName: x.io/y, keyType: ED25519, keyPath: k}}]}}]',
  );
  const rule = '{action: RestartAllContainers, exitCodes: {operator: In, values: [3]}}';
  const ruled = manifest('', `, restartPolicy: Never, restartPolicyRules: [${rule}]`);
  const empty = manifest('', ', env: [{name: A, valueFrom: {}}]');
  const policy = manifest(', securityContext: {seLinuxChangePolicy: MountOption}');
  const hostUsers = manifest(', hostNetwork: true, hostUsers: false');

  it.each([
    ['refers to a secret', secret, { preventApiReferences: true }, 'static pods may not reference secrets'],
    ['refers to a secret', secret, { preventApiReferences: false }, 'a-n1'],
    ['has a claim', claim, { preventApiReferences: false }, 'static pods may not use ResourceClaims'],
    [
      'has a trust bundle',
      bundle,
      { preventApiReferences: false },
      'static pods may not use ClusterTrustBundle projected volume sources',
    ],
    ['has a certificate', certificate, {}, 'static pods may not reference podcertificaterequests'],
    ['has a certificate', certificate, { preventApiReferences: false }, 'a-n1'],
    ['has restart rules', ruled, {}, 'a-n1'],
    ['has restart rules', ruled, { restartAllContainers: false }, 'supported values: "Restart"'],
    ['has restart rules', ruled, { containerRestartRules: false }, 'may not be set for non-init containers'],
    ['has its own users on the host network', hostUsers, { userNamespacesHostNetwork: true }, 'a-n1'],
    ['changes labels by a mount', policy, {}, 'supported values: "Recursive"'],
    ['changes labels by a mount', policy, { seLinuxMount: true }, 'a-n1'],
    ['has a variable of nothing', empty, {}, '`secretKeyRef` or `fileKeyRef`'],
    ['has a variable of nothing', empty, { envFiles: false }, '`configMapKeyRef` or `secretKeyRef`'],
    ['has its own users on the host network', hostUsers, {}, 'spec.hostNetwork: Forbidden: when `hostUsers` is false'],
  ])('one that %s, case %#', (_, content, rules, expected) => {
    expect(read(content, rules)).toContain(expected);
  });

  it('let them stay on a node with a problem without end', () => {
    const tolerations = '[{operator: Exists, effect: NoExecute, tolerationSeconds: 5}, {key: k, operator: Exists}]';
    const pod = createStaticPodReader('n1').readFile(manifest(`, tolerations: ${tolerations}`), '/m/a.yaml');
    expect(pod.spec.tolerations).toEqual([
      { operator: 'Exists', effect: 'NoExecute' },
      { key: 'k', operator: 'Exists' },
    ]);
  });

  it('leave out what no kubelet knows, and say so', () => {
    const told: string[] = [];
    const reader = createStaticPodReader('n1', undefined, (message) => told.push(message));
    expect(reader.readFile(manifest(', colour: red'), '/m/a.yaml').spec).not.toHaveProperty('colour');
    expect(told).toEqual(['/m/a.yaml: spec.colour: unknown field']);
  });
});
