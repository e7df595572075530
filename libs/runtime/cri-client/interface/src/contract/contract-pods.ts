import { expect } from '@podwright/contract';
import { hasCode, type ErrorCode } from '@podwright/errors';
import { yieldToEventLoop } from '@podwright/time';
import { podUidLabel } from '../index.js';
import type { ContainerConfig, ContainerStatus, DeepPartial, PodSandboxConfig, PodSandboxStatus } from '../index.js';
import type { ContractProgram, CriHarness } from './cri-harness.js';

/** Creates the pods of one case, and removes them after it. */
export class ContractPods {
  private readonly sandboxes: string[] = [];
  private static made = 0;

  constructor(readonly harness: CriHarness) {}

  /** A sandbox config with a new uid. */
  config(extra: DeepPartial<PodSandboxConfig> = {}): DeepPartial<PodSandboxConfig> {
    const uid = `contract-${this.harness.connection.runtimeName}-${++ContractPods.made}`;
    return {
      ...this.harness.sandbox,
      metadata: { name: 'pod', namespace: 'contract', uid, attempt: 0 },
      labels: { [podUidLabel]: uid },
      annotations: {},
      linux: { securityContext: { namespaceOptions: {} }, ...this.harness.sandbox.linux },
      ...extra,
    };
  }

  async run(config: DeepPartial<PodSandboxConfig> = this.config()): Promise<string> {
    const { podSandboxId } = await this.settled(this.harness.runtime.runPodSandbox({ config }));
    this.sandboxes.push(podSandboxId);
    return podSandboxId;
  }

  /** Creates a container, without starting it. */
  async create(
    podSandboxId: string,
    program: ContractProgram,
    config: DeepPartial<ContainerConfig> = {},
    sandboxConfig?: DeepPartial<PodSandboxConfig>,
  ): Promise<string> {
    const name = config.metadata?.name ?? program;
    const merged = {
      logPath: `${name}.log`,
      ...this.harness.program(program),
      metadata: { name, attempt: 0 },
      ...config,
    };
    const { containerId } = await this.settled(
      this.harness.runtime.createContainer({
        podSandboxId,
        // CRI-O checks signatures by the name in the pod's spec, and refuses a container without it.
        config: { ...merged, image: { userSpecifiedImage: merged.image?.image ?? '', ...merged.image } },
        sandboxConfig: sandboxConfig ?? { ...this.harness.sandbox, metadata: { name: 'pod' } },
      }),
    );
    return containerId;
  }

  async start(
    podSandboxId: string,
    program: ContractProgram,
    config: DeepPartial<ContainerConfig> = {},
  ): Promise<string> {
    const containerId = await this.create(podSandboxId, program, config);
    await this.settled(this.harness.runtime.startContainer({ containerId }));
    return containerId;
  }

  async container(containerId: string): Promise<ContainerStatus> {
    const { status } = await this.settled(this.harness.runtime.containerStatus({ containerId }));
    if (status === undefined) throw new Error(`no status of container ${containerId}`);
    return status;
  }

  async sandbox(podSandboxId: string): Promise<PodSandboxStatus> {
    const { status } = await this.settled(this.harness.runtime.podSandboxStatus({ podSandboxId }));
    if (status === undefined) throw new Error(`no status of sandbox ${podSandboxId}`);
    return status;
  }

  async containerIds(podSandboxId: string): Promise<string[]> {
    const { containers } = await this.settled(this.harness.runtime.listContainers({ filter: { podSandboxId } }));
    return containers.map(({ id }) => id).sort();
  }

  /** The promise's outcome; lets time pass while it is pending. */
  async settled<T>(promise: Promise<T>): Promise<T> {
    let pending = true;
    const ended = (): void => void (pending = false);
    promise.then(ended, ended);
    // An immediate answer must not cost a wait: the suite makes hundreds of calls.
    await Promise.race([promise.then(ended, ended), yieldToEventLoop()]);
    while (pending) await Promise.race([promise.then(ended, ended), this.harness.pass(50)]);
    return promise;
  }

  async until(condition: () => Promise<boolean>): Promise<void> {
    for (let rounds = 0; !(await condition()); rounds++) {
      if (rounds > 400) throw new Error('the condition was not met');
      await this.harness.pass(50);
    }
  }

  /** Expects a failure with one of the codes and returns its message. */
  async refused(promise: Promise<unknown>, ...codes: ErrorCode[]): Promise<string> {
    const error: unknown = await this.settled(promise).then(
      (answer) => {
        throw new Error(`expected a failure (${codes.join(', ')}), got ${String(answer)}`);
      },
      (thrown: unknown) => thrown,
    );
    if (!codes.some((code) => hasCode(error, code))) throw error;
    expect(error).toBeInstanceOf(Error);
    return (error as Error).message;
  }

  async removeAll(): Promise<void> {
    for (const podSandboxId of this.sandboxes.splice(0)) {
      await this.settled(this.harness.runtime.stopPodSandbox({ podSandboxId })).catch(ignoreMissing);
      await this.settled(this.harness.runtime.removePodSandbox({ podSandboxId })).catch(ignoreMissing);
    }
  }
}

function ignoreMissing(error: unknown): void {
  if (!hasCode(error, 'not-found')) throw error;
}
