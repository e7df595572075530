import { readFile } from 'node:fs/promises';
import { createCriClient, type CriClient } from '@podwright/cri-client';
import {
  containerNameLabel,
  ContainerState,
  podNameLabel,
  PodSandboxState,
  podUidLabel,
  type ContainerStatus,
} from '@podwright/cri-client-interface';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { createSystemClock } from '@podwright/time';

const sigtermBit = 14n;

/** A container as the runtime lists it. */
export interface ContainerRecord {
  readonly id: string;
  readonly sandboxId: string;
  readonly pod: string;
  readonly podUid: string;
  readonly name: string;
  readonly attempt: number;
  readonly state: ContainerState;
}

export interface SandboxRecord {
  readonly id: string;
  readonly pod: string;
  readonly podUid: string;
  readonly attempt: number;
  readonly ready: boolean;
}

/**
 * The runtime's view, read over CRI and not through the kubelet. Pods have the name of their manifest with the node's
 * name.
 */
export class RuntimeView {
  private constructor(readonly client: CriClient) {}

  static async connect(endpoint: string): Promise<RuntimeView> {
    const deps = { clock: createSystemClock(), logger: createMemoryLogger(), metrics: createMetricsRegistry() };
    const client = createCriClient(deps, { runtimeEndpoint: endpoint });
    await client.start();
    return new RuntimeView(client);
  }

  close(): Promise<void> {
    return this.client.stop();
  }

  /** Containers of one pod or of all, oldest first. */
  async containers(pod?: string): Promise<readonly ContainerRecord[]> {
    const { containers } = await this.client.listContainers({});
    return containers
      .map(({ id, podSandboxId, labels, metadata, state }) => ({
        id,
        sandboxId: podSandboxId,
        pod: labels[podNameLabel] ?? '',
        podUid: labels[podUidLabel] ?? '',
        name: labels[containerNameLabel] ?? '',
        attempt: metadata?.attempt ?? 0,
        state,
      }))
      .filter((container) => pod === undefined || container.pod === pod)
      .sort((left, right) => left.name.localeCompare(right.name) || left.attempt - right.attempt);
  }

  async running(pod?: string): Promise<readonly ContainerRecord[]> {
    return (await this.containers(pod)).filter(({ state }) => state === ContainerState.CONTAINER_RUNNING);
  }

  async sandboxes(pod?: string): Promise<readonly SandboxRecord[]> {
    const { items } = await this.client.listPodSandbox({});
    return items
      .map(({ id, labels, metadata, state }) => ({
        id,
        pod: labels[podNameLabel] ?? '',
        podUid: labels[podUidLabel] ?? '',
        attempt: metadata?.attempt ?? 0,
        ready: state === PodSandboxState.SANDBOX_READY,
      }))
      .filter((sandbox) => pod === undefined || sandbox.pod === pod);
  }

  async status(containerId: string): Promise<ContainerStatus> {
    const { status } = await this.client.containerStatus({ containerId });
    if (status === undefined) throw new Error(`no status of container ${containerId}`);
    return status;
  }

  /** Pid on the machine of the container's pid 1. */
  async pid(containerId: string): Promise<number> {
    const { info } = await this.client.containerStatus({ containerId, verbose: true });
    const { pid } = JSON.parse(info['info'] ?? '{}') as { pid?: number };
    if (pid === undefined || pid <= 0) throw new Error(`container ${containerId} has no process`);
    return pid;
  }

  /** False until the container's shell has come to its trap: before, SIGTERM does nothing to its process 1. */
  async listensToTerm(containerId: string): Promise<boolean> {
    const status = await readFile(`/proc/${await this.pid(containerId)}/status`, 'utf8');
    const caught = BigInt(`0x${/^SigCgt:\s*(\w+)$/m.exec(status)?.[1] ?? '0'}`);
    return ((caught >> sigtermBit) & 1n) === 1n;
  }

  async exec(containerId: string, ...cmd: string[]): Promise<string> {
    const { stdout, stderr, exitCode } = await this.client.execSync({ containerId, cmd, timeout: 10n });
    if (exitCode !== 0) throw new Error(`${cmd.join(' ')} exited with ${exitCode}: ${Buffer.from(stderr).toString()}`);
    return Buffer.from(stdout).toString();
  }
}

/** Converts a CRI timestamp to Unix milliseconds. */
export const toMs = (nanoseconds: bigint): number => Number(nanoseconds / 1_000n) / 1_000;
