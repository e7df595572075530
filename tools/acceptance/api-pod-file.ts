import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { defaultPod, podUid, type Pod, type PodSpec } from '@podwright/kube-types';
import { repositoryRoot } from '../workspace/repository-root.js';
import type { PodManifest } from './pod-manifests.js';

/** The pods that an API server would bind to the node, in a file that `fixtures/api-pods.mjs` watches. */
export class ApiPodFile {
  private readonly pods = new Map<string, Pod>();

  constructor(readonly file: string) {}

  /** What {@link TestNodeOptions} `assembly` needs for it. */
  get assembly(): readonly Readonly<Record<string, unknown>>[] {
    const module = path.join(repositoryRoot, 'tools/acceptance/fixtures/api-pods.mjs');
    return [{ add: module, config: { file: this.file } }];
  }

  /** Adds a pod, defaulted, of generation 1 and with the UID `uid-<name>` unless the manifest has another. */
  async add(manifest: PodManifest): Promise<Pod> {
    const { name } = manifest.metadata;
    const metadata = {
      namespace: 'default',
      uid: `uid-${name}`,
      generation: 1,
      creationTimestamp: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
      ...manifest.metadata,
    };
    const pod = defaultPod({ ...manifest, metadata, status: { phase: 'Pending' } } as unknown as Pod);
    this.pods.set(podUid(pod), pod);
    await this.write();
    return pod;
  }

  /** Gives the pod another spec, as a patch of the API would: the generation goes up. Resolves with the new pod. */
  async update(uid: string, change: (spec: PodSpec) => PodSpec): Promise<Pod> {
    const pod = this.get(uid);
    const metadata = { ...pod.metadata, generation: (pod.metadata.generation ?? 0) + 1 };
    return this.replace({ ...pod, metadata, spec: change(pod.spec) });
  }

  /** As a DELETE request: the pod stays until {@link remove}, with a deletion timestamp. */
  async markDeleted(uid: string, gracePeriodSeconds = 30): Promise<Pod> {
    const pod = this.get(uid);
    const at = new Date(Date.now() + gracePeriodSeconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z');
    const metadata = {
      ...pod.metadata,
      deletionTimestamp: at as unknown as NonNullable<Pod['metadata']['deletionTimestamp']>,
      deletionGracePeriodSeconds: gracePeriodSeconds,
    };
    return this.replace({ ...pod, metadata });
  }

  /** Gives the pod another status, as if the kubelet had sent it. */
  async setStatus(uid: string, status: Pod['status']): Promise<Pod> {
    return this.replace({ ...this.get(uid), ...(status && { status }) });
  }

  async remove(uid: string): Promise<void> {
    this.pods.delete(uid);
    await this.write();
  }

  private get(uid: string): Pod {
    const pod = this.pods.get(uid);
    if (pod === undefined) throw new Error(`no pod ${uid} in ${this.file}`);
    return pod;
  }

  private async replace(pod: Pod): Promise<Pod> {
    this.pods.set(podUid(pod), pod);
    await this.write();
    return pod;
  }

  /** In one piece: a reader sees the old or the new list. */
  async write(): Promise<void> {
    const staged = `${this.file}.new`;
    await writeFile(staged, JSON.stringify([...this.pods.values()]));
    await rename(staged, this.file);
  }
}
