import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Pod } from '@podwright/kube-types';
import { tryCommand } from '@podwright/lab';
import { LocalApi } from './local-api.js';
import type { PodManifest } from './pod-manifests.js';
import type { TestLab } from './test-lab.js';
import type { TestNode, TestNodeOptions } from './test-node.js';
import type { WaitOptions } from './wait-for.js';

/** Path of an object of namespace `default`. */
export const objectPath = (resource: string, name: string): string => `/api/v1/namespaces/default/${resource}/${name}`;

/** A kubelet without a cluster, and a client of its local API. Pods are in namespace `default`. */
export class LocalNode {
  private constructor(
    readonly kubelet: TestNode,
    readonly api: LocalApi,
  ) {}

  /**
   * Starts the program and waits until its API answers.
   * @param storeMiB size of the file system of the store of objects
   */
  static async start(
    bed: TestLab,
    name: string,
    { storeMiB, ...options }: TestNodeOptions & { readonly storeMiB: number },
  ): Promise<LocalNode> {
    const dir = path.join(bed.lab.dir, `node-${name}`);
    await mountStore(path.join(dir, 'root'), storeMiB);
    const socket = path.join(dir, 'podwright.sock');
    const kubelet = await bed.startNode(name, {
      ...options,
      flags: ['--socket', socket, ...(options.flags ?? [])],
      configuration: { readOnlyPort: 0, ...options.configuration },
    });
    const node = new LocalNode(kubelet, new LocalApi(socket));
    await node.untilUp();
    return node;
  }

  /** Folder of the store of objects. */
  get store(): string {
    return path.join(this.kubelet.dir, 'root/local-objects');
  }

  async untilUp(): Promise<void> {
    await this.kubelet.waitFor('the kubelet is up', async () => (await this.api.text('/healthz')) === 'ok');
  }

  /** Kills it and starts it again; `meanwhile` runs in between. */
  async crash(meanwhile: () => Promise<void> = async () => undefined): Promise<void> {
    await this.kubelet.end('SIGKILL');
    await meanwhile();
    await this.kubelet.start();
    await this.untilUp();
  }

  /** Creates or replaces an object of namespace `default`. */
  put<T>(resource: string, object: T & { readonly metadata: { readonly name: string } }): Promise<T> {
    return this.api.object('PUT', objectPath(resource, object.metadata.name), object);
  }

  pod(name: string): Promise<Pod> {
    return this.api.object('GET', objectPath('pods', name));
  }

  putPods(...pods: readonly PodManifest[]): Promise<readonly Pod[]> {
    return Promise.all(pods.map((pod) => this.put<Pod>('pods', pod as Pod & PodManifest)));
  }

  /** Resolves with the pod once the test holds for it. On failure, the error has the pod's status. */
  async until(name: string, what: string, test: (pod: Pod) => boolean, options: WaitOptions = {}): Promise<Pod> {
    let seen: Pod | undefined;
    const look = async (): Promise<Pod | false> => {
      seen = await this.pod(name);
      return test(seen) && seen;
    };
    return this.kubelet.waitFor(`pod ${name} ${what}`, look, options, () => `${JSON.stringify(seen?.status)}\n`);
  }

  /** Runs a command in the only running container of a pod, through the runtime. */
  async exec(pod: string, ...command: string[]): Promise<string> {
    const { runtime } = this.kubelet.bed;
    const [container] = await runtime.running(pod);
    if (container === undefined) throw new Error(`no container of ${pod} runs`);
    return runtime.exec(container.id, ...command);
  }

  /** IDs of the running containers, by pod. */
  async running(): Promise<Readonly<Record<string, readonly string[]>>> {
    const byPod: Record<string, string[]> = {};
    for (const { pod, id } of await this.kubelet.bed.runtime.running()) (byPod[pod] ??= []).push(id);
    return byPod;
  }
}

/** Mounts a file system of the size where the store will be, so that a case can fill it. */
async function mountStore(rootDir: string, sizeMiB: number): Promise<void> {
  const store = path.join(rootDir, 'local-objects');
  await mkdir(store, { recursive: true });
  // As the kubelet itself would do, above this mount, which it would hide.
  await run('mount', '--bind', rootDir, rootDir);
  await run('mount', '--make-rshared', rootDir);
  await run('mount', '-t', 'tmpfs', '-o', `size=${sizeMiB}m,mode=700`, 'podwright-store', store);
}

async function run(file: string, ...args: readonly string[]): Promise<void> {
  const { code, stderr } = await tryCommand(file, args);
  if (code !== 0) throw new Error(`${file} ${args.join(' ')}: ${stderr.trim()}`);
}
