import { readFile } from 'node:fs/promises';
import os from 'node:os';

/** What the kubelet learns about its machine once, at start. */
export interface NodeFacts {
  /** `--hostname-override`, else the host's name; trimmed, lower case. */
  readonly nodeName: string;
  /** Addresses for `status.hostIPs`; empty when the machine has none but loopback. */
  readonly nodeIps: readonly string[];
  readonly memoryBytes: number;
  readonly cores: number;
  /** 2 when the unified hierarchy carries the controllers, else 1. */
  readonly cgroupVersion: 1 | 2;
}

export interface NodeFactsOptions {
  readonly hostnameOverride: string;
  /** Value of `--node-ip`: one address or two with a comma between; empty, `0.0.0.0` or `::` mean "find it". */
  readonly nodeIp: string;
}

/** Reads the facts. Rejects only when the node has no name. */
export async function readNodeFacts({ hostnameOverride, nodeIp }: NodeFactsOptions): Promise<NodeFacts> {
  const nodeName = (hostnameOverride === '' ? os.hostname() : hostnameOverride).trim().toLowerCase();
  if (nodeName === '') throw new Error('the node has no name: set --hostname-override or the host name of the machine');
  const given = nodeIp
    .split(',')
    .map((address) => address.trim())
    .filter((address) => address !== '' && address !== '0.0.0.0' && address !== '::');
  return {
    nodeName,
    nodeIps: given.length > 0 ? given : await routedAddresses(),
    memoryBytes: os.totalmem(),
    cores: os.availableParallelism(),
    cgroupVersion: await cgroupVersion(),
  };
}

// The address of the interface that carries the default route, as upstream picks it; else the first that is not loopback.
async function routedAddresses(): Promise<readonly string[]> {
  const table = await readFile('/proc/net/route', 'utf8').catch(() => '');
  const routed = table
    .split('\n')
    .map((line) => line.split('\t'))
    .find(([, destination]) => destination === '00000000')?.[0];
  const interfaces = os.networkInterfaces();
  const usable = (name: string): readonly string[] =>
    (interfaces[name] ?? []).flatMap(({ family, internal, address }) =>
      family === 'IPv4' && !internal ? [address] : [],
    );
  const first = routed === undefined ? [] : usable(routed).slice(0, 1);
  return first.length > 0 ? first : Object.keys(interfaces).flatMap(usable).slice(0, 1);
}

/** 2 when the unified hierarchy is mounted at the root, as upstream looks at it. */
export async function cgroupVersion(): Promise<1 | 2> {
  const controllers = await readFile('/sys/fs/cgroup/cgroup.controllers', 'utf8').catch(() => '');
  return controllers.trim() === '' ? 1 : 2;
}
