import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { podUid, type Pod, type PodSpec } from '@podwright/kube-types';
import { defaultPod } from '@podwright/pod-manifest';
import { formatRfc3339 } from '@podwright/time';
import { repositoryRoot } from '../workspace/repository-root.js';
import type { PodManifest } from './pod-manifests.js';

/** The pods that an API server would bind to the node, in a file that `fixtures/api-pods.mjs` watches. */
export class ApiPodFile {
  private readonly pods = new Map<string, Pod>();

  constructor(readonly file: string) {}

  /** Value for `assembly` in {@link TestNodeOptions}. */
  get assembly(): readonly Readonly<Record<string, unknown>>[] {
    const module = path.join(repositoryRoot, 'tools/acceptance/fixtures/api-pods.mjs');
    return [{ add: module, config: { file: this.file } }];
  }

  /** Adds a pod with defaults, generation 1 and, unless the manifest has another, UID `uid-<name>`. */
  async add(manifest: PodManifest): Promise<Pod> {
    const { name } = manifest.metadata;
    const metadata = {
      namespace: 'default',
      uid: `uid-${name}`,
      generation: 1,
      creationTimestamp: formatRfc3339(Date.now()),
      ...manifest.metadata,
    };
    const pod = defaultPod({ ...manifest, metadata, status: { phase: 'Pending' } } as unknown as Pod);
    this.pods.set(podUid(pod), pod);
    await this.write();
    return pod;
  }

  /** Changes a pod's spec as a patch through the API would: the generation increases. Resolves with the new pod. */
  async update(uid: string, change: (spec: PodSpec) => PodSpec): Promise<Pod> {
    const pod = this.get(uid);
    const metadata = { ...pod.metadata, generation: (pod.metadata.generation ?? 0) + 1 };
    return this.replace({ ...pod, metadata, spec: change(pod.spec) });
  }

  /** Like a DELETE request: sets the deletion timestamp; the pod stays until {@link remove}. */
  async markDeleted(uid: string, gracePeriodSeconds = 30): Promise<Pod> {
    const pod = this.get(uid);
    const at = formatRfc3339(Date.now() + gracePeriodSeconds * 1000);
    const metadata = {
      ...pod.metadata,
      deletionTimestamp: at as unknown as NonNullable<Pod['metadata']['deletionTimestamp']>,
      deletionGracePeriodSeconds: gracePeriodSeconds,
    };
    return this.replace({ ...pod, metadata });
  }

  /** Sets a pod's status as if the kubelet had sent it. */
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

  /** Replaces the file atomically: a reader sees the old or the new list. */
  async write(): Promise<void> {
    const staged = `${this.file}.new`;
    await writeFile(staged, JSON.stringify([...this.pods.values()]));
    await rename(staged, this.file);
  }
}
