import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Pod, PodSpec } from '@podwright/kube-types';
import { ApiPodFile } from './api-pod-file.js';
import { PodDiary } from './pod-diary.js';
import type { PodManifest } from './pod-manifests.js';
import type { TestLab } from './test-lab.js';
import type { TestNode, TestNodeOptions } from './test-node.js';

/**
 * A node for pods with a {@link PodDiary}. The pods come from an {@link ApiPodFile}, so that tests can delete and
 * change them. Like static pods, their names end with the node's name, so that {@link TestNode} finds both kinds.
 */
export class DiaryNode {
  private constructor(
    readonly node: TestNode,
    readonly api: ApiPodFile,
    readonly diary: PodDiary,
  ) {}

  static async start(bed: TestLab, name: string, { assembly = [] }: TestNodeOptions = {}): Promise<DiaryNode> {
    const folder = path.join(bed.lab.dir, 'diary');
    await mkdir(folder);
    const api = new ApiPodFile(path.join(bed.lab.dir, 'pods.json'));
    await api.write();
    const node = await bed.startNode(name, {
      assembly: [...api.assembly, ...assembly],
      configuration: { clusterDNS: ['192.0.2.53'] }, // without a DNS server, each pod gets an event about that
    });
    return new DiaryNode(node, api, new PodDiary(folder));
  }

  uid(name: string): string {
    return `uid-${this.node.podName(name)}`;
  }

  async add(...pods: readonly PodManifest[]): Promise<void> {
    for (const pod of pods)
      await this.api.add({ ...pod, metadata: { ...pod.metadata, name: this.node.podName(pod.metadata.name) } });
  }

  async update(name: string, change: (spec: PodSpec) => PodSpec): Promise<void> {
    await this.api.update(this.uid(name), change);
  }

  /** Like a DELETE request; resolves with the wall clock just before, in Unix milliseconds. */
  async delete(name: string, graceSeconds: number): Promise<number> {
    const atMs = Date.now();
    await this.api.markDeleted(this.uid(name), graceSeconds);
    return atMs;
  }

  /** Waits until the words are in the pod's diary `times` times. */
  async says(name: string, words: string, times = 1): Promise<void> {
    await this.node.waitFor(
      `${name} says ${times} times: ${words}`,
      async () => (await this.diary.words(name)).filter((each) => each === words).length >= times,
    );
  }

  /** Resolves with the pod once it has succeeded or failed. */
  ended(name: string): Promise<Pod> {
    const hasEnded = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';
    return this.node.waitForPod(name, 'has ended', hasEnded);
  }
}
