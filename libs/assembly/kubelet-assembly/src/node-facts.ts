import { access, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ownCgroupOf } from '@podwright/cgroup-files';
import { KubeletError } from '@podwright/errors';
import { meminfoBytes } from '@podwright/machine';
import { nodeAddresses, parseNodeIps, readHostNetwork, type HostNetwork } from '@podwright/node-status';

/** What the kubelet reads about its machine once, at start. */
export interface NodeFacts {
  /** `--hostname-override`, else the host's name; trimmed, lower case. */
  readonly nodeName: string;
  /** Addresses that the node would register; empty when the machine has only loopback addresses. */
  readonly nodeIps: readonly string[];
  /** Addresses of `--node-ip`. A single `0.0.0.0` or `::` selects the preferred family. */
  readonly givenNodeIps: readonly string[];
  /** Parts of `--node-ip` that are not IP addresses. */
  readonly invalidNodeIps: readonly string[];
  readonly memoryBytes: number;
  readonly swapBytes: number;
  /** True when the kernel can limit the swap of a cgroup. */
  readonly swapControllerAvailable: boolean;
  readonly cores: number;
  /** 2 when the unified hierarchy carries the controllers, else 1. */
  readonly cgroupVersion: 1 | 2;
}

export interface NodeFactsOptions {
  readonly hostnameOverride: string;
  /**
   * Value of `--node-ip`: one address, or two with a comma between; the kubelet detects the address for empty,
   * `0.0.0.0` or `::`.
   */
  readonly nodeIp: string;
}

/** Reads the facts. Rejects when the node has no name, or when `--node-ip` is an invalid combination. */
export async function readNodeFacts(
  { hostnameOverride, nodeIp }: NodeFactsOptions,
  network: HostNetwork = readHostNetwork(),
): Promise<NodeFacts> {
  const nodeName = (hostnameOverride === '' ? os.hostname() : hostnameOverride).trim().toLowerCase();
  if (nodeName === '')
    throw new KubeletError(
      'failed to run Kubelet: empty hostname is invalid (set --hostname-override or the host name of the machine)',
      { code: 'invalid-argument' },
    );
  const { nodeIps, invalid, fault } = parseNodeIps(nodeIp);
  if (fault !== undefined) {
    const place = `failed to run Kubelet: bad --node-ip ${JSON.stringify(nodeIp)}`;
    throw new KubeletError(`${place}: ${fault}`, { code: 'invalid-argument' });
  }
  return {
    nodeName,
    nodeIps: await addressesOf(nodeName, nodeIps, network),
    givenNodeIps: nodeIps,
    invalidNodeIps: invalid,
    memoryBytes: os.totalmem(),
    cores: os.availableParallelism(),
    ...(await swapFacts()),
    cgroupVersion: await cgroupVersion(),
  };
}

// Picks addresses as upstream. When that finds none, the machine's first address still lets static pods run.
async function addressesOf(
  nodeName: string,
  given: readonly string[],
  network: HostNetwork,
): Promise<readonly string[]> {
  const specified = given.filter((address) => address !== '0.0.0.0' && address !== '::');
  if (specified.length > 0) return specified;
  const options = { nodeName, nodeIps: given, externalCloudProvider: false };
  const found = await nodeAddresses(options, [], network).catch(() => undefined);
  if (found !== undefined) return found.filter(({ type }) => type === 'InternalIP').map(({ address }) => address);
  const others = (await network.addresses()).filter(
    ({ internal, address }) => !internal && !address.startsWith('fe80:'),
  );
  return others.slice(0, 1).map(({ address }) => address);
}

// On cgroup v2 the root cgroup has no such file, but the cgroup of this process has. Source: kubernetes v1.36
// pkg/kubelet/kuberuntime kuberuntime_container_linux.go initSwapControllerAvailabilityCheck.
async function swapFacts(): Promise<Pick<NodeFacts, 'swapBytes' | 'swapControllerAvailable'>> {
  const orEmpty = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');
  const own = ownCgroupOf(await orEmpty('/proc/self/cgroup')) ?? '/';
  const file =
    (await cgroupVersion()) === 2
      ? path.join('/sys/fs/cgroup', own, 'memory.swap.max')
      : '/sys/fs/cgroup/memory/memory.memsw.limit_in_bytes';
  return {
    swapBytes: meminfoBytes(await orEmpty('/proc/meminfo'), 'SwapTotal'),
    swapControllerAvailable: await access(file).then(
      () => true,
      () => false,
    ),
  };
}

/** 2 when the unified hierarchy is mounted at the cgroup root, as upstream detects it. */
export async function cgroupVersion(): Promise<1 | 2> {
  const controllers = await readFile('/sys/fs/cgroup/cgroup.controllers', 'utf8').catch(() => '');
  return controllers.trim() === '' ? 1 : 2;
}
