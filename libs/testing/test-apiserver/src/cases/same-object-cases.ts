import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiCaller } from './api-caller.js';
import { uniqueName, type CaseServer } from './case-server.js';
import { ContentTransport, type CaseContent } from './content-transport.js';

const container = {
  name: 'c',
  image: 'i',
  stdin: true,
  ports: [{ containerPort: 80, protocol: 'UDP' }],
  env: [
    { name: 'A', value: 'ä' },
    { name: 'B' },
    { name: 'C', valueFrom: { secretKeyRef: { name: 's', key: 'k', optional: false } } },
  ],
  resources: { limits: { cpu: '0', memory: '128Mi', 'example.com/x': '3' }, requests: { cpu: '0' } },
  securityContext: { privileged: false, allowPrivilegeEscalation: false, runAsUser: 0, capabilities: {} },
  livenessProbe: { exec: { command: [''] }, terminationGracePeriodSeconds: 1 },
  readinessProbe: { tcpSocket: { port: 'http' } },
  lifecycle: { postStart: { httpGet: { port: 'x', scheme: 'HTTPS', httpHeaders: [{ name: 'X', value: '' }] } } },
};

/** Values that are zero, empty, large or of several types; none that Go leaves out, because they are the default. */
const oddPod = (name: string, namespace: string): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    ...{ name, namespace, labels: { a: '' }, annotations: { long: 'ü€😀'.repeat(3_000) } },
  },
  spec: {
    ...{ terminationGracePeriodSeconds: 0, activeDeadlineSeconds: 2_147_483_647 },
    ...{
      hostUsers: false,
      enableServiceLinks: false,
      automountServiceAccountToken: false,
      shareProcessNamespace: true,
    },
    ...{ os: { name: 'linux' }, hostAliases: [{ ip: '127.0.0.1', hostnames: ['a'] }] },
    containers: [container],
    initContainers: [
      {
        ...{ name: 'i', image: 'i', restartPolicy: 'Always', lifecycle: { preStop: { sleep: { seconds: 0 } } } },
        startupProbe: { httpGet: { port: 80 }, periodSeconds: 1 },
      },
    ],
    securityContext: {
      ...{ runAsUser: 0, fsGroup: 0, supplementalGroups: [0, 1, 2_147_483_647] },
      ...{ sysctls: [{ name: 'kernel.shm_rmid_forced', value: '' }], seccompProfile: { type: 'RuntimeDefault' } },
    },
    tolerations: [{ operator: 'Exists' }],
    affinity: { podAntiAffinity: {} },
    dnsConfig: { options: [{ name: 'ndots', value: '' }, { name: 'x' }] },
    volumes: [
      { name: 'e', emptyDir: {} },
      { name: 'm', emptyDir: { medium: 'Memory', sizeLimit: '1Gi' } },
      { name: 'h', hostPath: { path: '/x', type: '' } },
      { name: 's', secret: { secretName: 's', defaultMode: 0, items: [{ key: 'k', path: 'p', mode: 0 }] } },
      {
        name: 'd',
        downwardAPI: {
          items: [
            { path: 'l', fieldRef: { fieldPath: 'metadata.labels' } },
            { path: 'c', resourceFieldRef: { containerName: 'c', resource: 'limits.cpu', divisor: '1m' } },
          ],
        },
      },
      { name: 'v', csi: { driver: 'd', volumeAttributes: { a: '' } } },
      { name: 'n', nfs: { server: 's', path: '/' } },
      { name: 'f', fc: { targetWWNs: ['5'], lun: 0 } },
    ],
  },
});

/** Tests that an object reads the same in JSON and in another form. */
export function describeSameObjectCases(create: () => Promise<CaseServer>, content: CaseContent): void {
  describe('an object', () => {
    let server: CaseServer;
    const namespace = uniqueName('same');
    beforeAll(async () => {
      server = await create();
      const admin = new ApiCaller(server.transport());
      await admin.post('/api/v1/namespaces', { metadata: { name: namespace } });
      await admin.post(`/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: 'default' } });
    });
    afterAll(async () => {
      await new ApiCaller(server.transport()).delete(`/api/v1/namespaces/${namespace}`);
      await server.stop();
    });

    it.each(['JSON', 'the form'])('that was written in %s reads the same in both', async (writer) => {
      const inJson = new ApiCaller(server.transport());
      const inForm = new ApiCaller(new ContentTransport(server.transport(), content));
      const path = `/api/v1/namespaces/${namespace}/pods`;
      const name = uniqueName('odd');
      const pod = oddPod(name, namespace);
      expect(await (writer === 'JSON' ? inJson : inForm).post(path, pod)).toMatchObject({ status: 201 });
      const json = (await inJson.get(`${path}/${name}`)).body;
      expect((await inForm.get(`${path}/${name}`)).body).toEqual(json);
      expect(json).toMatchObject(pod);
    });
  });
}
