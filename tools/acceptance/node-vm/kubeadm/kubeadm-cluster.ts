import { readFile } from 'node:fs/promises';
import type { CertificateSigningRequest, Node, Pod } from '@podwright/kube-types';
import { waitFor } from '../../wait-for.js';
import { controlPlane, initConfiguration, joinConfiguration, worker } from './cluster-shape.js';
import { connectCable } from './cable.js';
import { installNetwork, prepareForKubeadm } from './kubeadm-node.js';
import { Machine } from './machine.js';

/** Long enough for a control plane on emulated processors. */
const WITHIN_MS = 900_000;
const everyMs = 2_000;

/** The cluster that kubeadm makes of both machines, seen by its administrator on the first one. */
export class KubeadmCluster {
  readonly first = Machine.here(controlPlane);
  readonly second = Machine.there(worker);
  readonly machines: readonly Machine[] = [this.first, this.second];
  /** Whether the folder of programs has a DNS server. */
  private hasDns = false;

  /** Brings both machines to where kubeadm starts. */
  async prepare(): Promise<void> {
    this.hasDns = (JSON.parse(await readFile('/podwright/kubeadm.json', 'utf8')) as { hasDns: boolean }).hasDns;
    await connectCable(controlPlane);
    await this.until('the second machine is up', () => this.second.run('ctr', 'version'));
    await Promise.all([
      prepareForKubeadm(this.first, ['images.tar', 'node-images.tar', 'control-plane-images.tar']),
      prepareForKubeadm(this.second, ['images.tar', 'node-images.tar']),
    ]);
  }

  /** Resolves with what kubeadm prints. */
  async init(): Promise<string> {
    const version = (await this.first.run('kubeadm', 'version', '-o', 'short')).trim();
    await this.first.write('/root/init.yaml', initConfiguration(version));
    const without = this.hasDns ? [] : ['--skip-phases=addon/coredns'];
    return this.first.run('kubeadm', 'init', '--config=/root/init.yaml', ...without);
  }

  async join(): Promise<string> {
    const command = await this.first.run('kubeadm', 'token', 'create', '--print-join-command');
    await this.second.write('/root/join.yaml', joinConfiguration(command.trim()));
    return this.second.run('kubeadm', 'join', '--config=/root/join.yaml');
  }

  kubectl(...args: readonly string[]): Promise<string> {
    return this.first.run('kubectl', ...args);
  }

  async apply(object: object): Promise<void> {
    await this.first.feed(JSON.stringify(object), 'kubectl', 'apply', '-f', '-');
  }

  private async list<T>(...args: readonly string[]): Promise<readonly T[]> {
    return (JSON.parse(await this.kubectl('get', ...args, '-o', 'json')) as { items: readonly T[] }).items;
  }

  pods(namespace: string): Promise<readonly Pod[]> {
    return this.list('pods', '-n', namespace);
  }

  async node(name: string): Promise<Node> {
    return JSON.parse(await this.kubectl('get', 'node', name, '-o', 'json')) as Node;
  }

  requests(): Promise<readonly CertificateSigningRequest[]> {
    return this.list('csr');
  }

  /** Approves what kubelets ask for their ports, as an administrator must. */
  async approveServing(): Promise<void> {
    const open = (await this.requests()).filter(
      ({ spec, status }) => spec.signerName === 'kubernetes.io/kubelet-serving' && !status?.conditions?.length,
    );
    for (const { metadata } of open) await this.kubectl('certificate', 'approve', metadata?.name ?? '');
  }

  /** Gives the machine its network and resolves when its node is ready. */
  async ready(machine: Machine): Promise<void> {
    const { name } = machine.shape;
    const rangeOf = async (node: string): Promise<string> =>
      this.until(`${node} has a range for pods`, async () => (await this.node(node)).spec?.podCIDR);
    const podRange = await rangeOf(name);
    for (const other of this.machines.filter((one) => one !== machine)) {
      if (!(await this.has(other.shape.name))) continue;
      const { address } = other.shape;
      await installNetwork(machine, podRange, [{ podRange: await rangeOf(other.shape.name), address }]);
      const there = { podRange, address: machine.shape.address };
      await installNetwork(other, await rangeOf(other.shape.name), [there]);
    }
    if (this.machines.indexOf(machine) === 0) await installNetwork(machine, podRange, []);
    await this.until(`${name} is ready`, async () => {
      const condition = (await this.node(name)).status?.conditions?.find(({ type }) => type === 'Ready');
      if (condition?.status !== 'True') throw new Error(condition?.message ?? 'no condition');
      return true;
    });
  }

  private async has(node: string): Promise<boolean> {
    return (await this.list<Node>('nodes')).some(({ metadata }) => metadata?.name === node);
  }

  /** Resolves with the pods of a namespace once the test holds for them; on failure, the error has their statuses. */
  async untilPods(namespace: string, what: string, test: (pods: readonly Pod[]) => boolean): Promise<readonly Pod[]> {
    let seen: readonly Pod[] = [];
    const look = async (): Promise<readonly Pod[] | false> => {
      seen = await this.pods(namespace);
      return test(seen) && seen;
    };
    return this.until(what, look).catch((error: Error) => {
      const lines = seen.map(({ metadata, status }) => `${metadata.name} ${JSON.stringify(status?.containerStatuses)}`);
      throw new Error(`${error.message}\n${lines.join('\n')}`);
    });
  }

  until<T>(what: string, look: () => Promise<T>): Promise<Exclude<T, undefined | false>> {
    return waitFor(what, look, { withinMs: WITHIN_MS, everyMs });
  }
}

/** Whether the pod is ready. */
export function isReady({ status }: Pod): boolean {
  return status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';
}
