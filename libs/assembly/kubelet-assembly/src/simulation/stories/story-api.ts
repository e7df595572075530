import type { KubeTransport } from '@podwright/kube-client-interface';
import type { Pod } from '@podwright/kube-types';
import { claimNames, claimOf, csiDriverObject, volumeOf } from './csi-objects.js';
import { allocatedTo, resourceClaimNames, resourceClaimOf, resourceClaimsOf } from './dra-objects.js';
import { configMapName, secretName } from './write-pod.js';

/** Of the ephemeral container of a pod. */
export const debuggerName = 'debugger';

const folder = '/api/v1/namespaces/default';
const resourceClaims = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims';
const merge = 'application/merge-patch+json';
const strategic = 'application/strategic-merge-patch+json';

/** What people do to the API server. Each resolves with the HTTP status: some are too late, or the server is away. */
export class StoryApi {
  constructor(private readonly transport: KubeTransport) {}

  async prepare(): Promise<void> {
    await this.send('POST', 'configmaps', { metadata: { name: configMapName }, data: { mode: 'quick' } });
    await this.send('POST', 'secrets', { metadata: { name: secretName }, data: { password: 'c2VjcmV0' } });
  }

  /** The claims of the CSI driver, bound as a controller does it. `uidOf`: of a claim that has just been made. */
  async prepareClaims(uidOf: (claim: string) => string): Promise<void> {
    await this.sendTo('POST', '/apis/storage.k8s.io/v1/csidrivers', csiDriverObject);
    for (const name of claimNames) {
      await this.send('POST', 'persistentvolumeclaims', claimOf(name));
      await this.sendTo('POST', '/api/v1/persistentvolumes', volumeOf(name, uidOf(name)));
      await this.send('PATCH', `persistentvolumeclaims/${name}/status`, { status: { phase: 'Bound' } });
    }
  }

  async prepareResourceClaims(): Promise<void> {
    for (const name of resourceClaimNames) await this.sendTo('POST', resourceClaims, resourceClaimOf(name));
  }

  /** As the scheduler: allocates the claims of pods that have just been made. `pods`: all that there are. */
  async reserveClaims(pods: readonly Pod[]): Promise<void> {
    for (const name of resourceClaimNames) {
      const users = pods.filter((pod) => resourceClaimsOf(pod).includes(name));
      const body = { status: allocatedTo(users) };
      if (users.length > 0) await this.sendTo('PATCH', `${resourceClaims}/${name}/status`, body, merge);
    }
  }

  create(pod: Pod): Promise<number> {
    return this.send('POST', 'pods', { ...pod, spec: { ...pod.spec, nodeName: 'node' } });
  }

  delete(name: string, gracePeriodSeconds?: number): Promise<number> {
    return this.send('DELETE', `pods/${name}`, gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds });
  }

  setImage(name: string, container: string, image: string): Promise<number> {
    return this.send('PATCH', `pods/${name}`, { spec: { containers: [{ name: container, image }] } });
  }

  resize(name: string, container: string, cpu: string, limited: boolean): Promise<number> {
    const resources = { requests: { cpu }, ...(limited && { limits: { cpu } }) };
    return this.send('PATCH', `pods/${name}/resize`, { spec: { containers: [{ name: container, resources }] } });
  }

  /** Adds an ephemeral container. */
  debug(name: string, targetContainerName: string, image: string): Promise<number> {
    const ephemeral = { name: debuggerName, image, imagePullPolicy: 'IfNotPresent', targetContainerName };
    return this.send('PATCH', `pods/${name}/ephemeralcontainers`, { spec: { ephemeralContainers: [ephemeral] } });
  }

  private send(method: 'POST' | 'PATCH' | 'DELETE', path: string, body: unknown): Promise<number> {
    return this.sendTo(method, `${folder}/${path}`, body);
  }

  private async sendTo(
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body: unknown,
    type = strategic,
  ): Promise<number> {
    const headers = { 'content-type': method === 'PATCH' ? type : 'application/json' };
    try {
      const request = { method, path, headers, body: JSON.stringify(body) };
      return (await this.transport.send(request, new AbortController().signal)).status;
    } catch {
      return 0; // as somebody whose kubectl fails
    }
  }
}
