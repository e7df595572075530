import { ContainerState } from '@podwright/cri-client-interface';
import type { Container, ContainerConfig, ContainerStatus, DeepPartial, Image } from '@podwright/cri-client-interface';
import type { LinuxContainerResources } from '@podwright/cri-client-interface';
import { messageOf } from '@podwright/errors';
import { withLinkedSignal, type Clock, type Timer } from '@podwright/time';
import { containerMetadata, imageSpec, linuxResources, mount, textMap } from './complete-messages.js';
import type { NanosecondStamps } from './nanosecond-stamps.js';
import type { Program } from './program.js';
import { unknown } from './runtime-errors.js';

export interface ContainerParts {
  readonly id: string;
  readonly podSandboxId: string;
  readonly config: DeepPartial<ContainerConfig>;
  readonly image: Image;
  readonly logPath: string;
  readonly program: Program;
}

const stateNames = ['CONTAINER_CREATED', 'CONTAINER_RUNNING', 'CONTAINER_EXITED', 'CONTAINER_UNKNOWN'];

/** One container. It can be started once and ends once. */
export class SimulatedContainer {
  readonly id: string;
  readonly podSandboxId: string;
  readonly name: string;
  readonly config: DeepPartial<ContainerConfig>;
  readonly program: Program;
  readonly createdAt: bigint;
  resources: LinuxContainerResources;
  state: ContainerState = ContainerState.CONTAINER_CREATED;
  startedAt = 0n;
  finishedAt = 0n;
  exitCode = 0;
  reason = '';
  message = '';
  private isStarting = false;
  private exitTimer: Timer | undefined;
  private readonly endings = new AbortController();

  constructor(
    private readonly parts: ContainerParts,
    private readonly clock: Clock,
    private readonly stamps: NanosecondStamps,
    private readonly onExit: (container: SimulatedContainer) => void,
  ) {
    this.id = parts.id;
    this.podSandboxId = parts.podSandboxId;
    this.config = parts.config;
    this.program = parts.program;
    this.name = parts.config.metadata?.name ?? '';
    this.createdAt = stamps.next();
    this.resources = linuxResources(parts.config.linux?.resources);
  }

  get running(): boolean {
    return this.state === ContainerState.CONTAINER_RUNNING;
  }

  get logPath(): string {
    return this.parts.logPath;
  }

  /** Aborts when the container ends. */
  get ended(): AbortSignal {
    return this.endings.signal;
  }

  /** Between the call that starts it and the end of that call. */
  get starting(): boolean {
    return this.isStarting;
  }

  /** Starts the container after `prepare`. When that fails, the container has ended, without an event, and never runs. */
  async start(prepare: () => Promise<void>): Promise<void> {
    if (this.state !== ContainerState.CONTAINER_CREATED || this.isStarting) {
      const state = this.isStarting ? 'container is already in starting state' : this.stateText();
      throw unknown(`failed to set starting state for container "${this.id}": ${state}`);
    }
    const { startError, exitAfterMs } = this.program;
    this.isStarting = true;
    try {
      await prepare();
      if (startError !== undefined) throw unknown(startError);
    } catch (error) {
      this.message = messageOf(error);
      this.end(128, 'StartError');
      throw error;
    } finally {
      this.isStarting = false;
    }
    this.state = ContainerState.CONTAINER_RUNNING;
    this.startedAt = this.stamps.next();
    if (exitAfterMs !== undefined) this.exitTimer = this.clock.setTimer(exitAfterMs, () => this.exitByItself());
  }

  /** Stops the container; resolves when it has ended, by itself after SIGTERM or killed after `graceMs`. */
  async stop(graceMs: number, signal: AbortSignal): Promise<void> {
    if (!this.running) return;
    const { onStop = 'exit' } = this.program;
    if (graceMs <= 0) return this.exit(137);
    if (onStop === 'exit') return this.exit(143);
    if (onStop !== 'ignore') {
      this.exitTimer?.cancel();
      this.exitTimer = this.clock.setTimer(onStop.afterMs, () => this.exit(onStop.exitCode ?? 0));
    }
    await this.sleepUntilEnd(graceMs, signal);
    this.exit(137);
  }

  /** Resolves to true after `ms`, or to false as soon as the container ends. Rejects with the signal's reason. */
  async sleepUntilEnd(ms: number, signal: AbortSignal): Promise<boolean> {
    try {
      await withLinkedSignal([signal, this.ended], (either) => this.clock.sleep(ms, either));
      return true;
    } catch (error) {
      if (this.ended.aborted) return false;
      throw error;
    }
  }

  /** Ends the process; does nothing when it is not running. */
  exit(exitCode: number, reason = exitCode === 0 ? 'Completed' : 'Error'): void {
    if (!this.running) return;
    this.end(exitCode, reason);
    this.onExit(this);
  }

  /** Cancels the timers of a container that is removed without an exit. */
  dispose(): void {
    this.exitTimer?.cancel();
    this.endings.abort();
  }

  stateText(): string {
    return `container is in ${stateNames[this.state] ?? 'CONTAINER_UNKNOWN'} state`;
  }

  listed(): Container {
    const { id, podSandboxId, config, parts, state, createdAt } = this;
    return {
      id,
      podSandboxId,
      metadata: containerMetadata(config.metadata),
      image: this.image(),
      imageRef: parts.image.repoDigests[0] ?? parts.image.id,
      state,
      createdAt,
      labels: textMap(config.labels),
      annotations: textMap(config.annotations),
      imageId: parts.image.id,
    };
  }

  status(): ContainerStatus {
    const { podSandboxId: _sandbox, ...listed } = this.listed();
    const { startedAt, finishedAt, exitCode, reason, message, config, resources } = this;
    const { runAsUser, runAsGroup, supplementalGroups = [] } = config.linux?.securityContext ?? {};
    return {
      ...listed,
      startedAt,
      finishedAt,
      exitCode,
      reason,
      message,
      mounts: (config.mounts ?? []).map(mount),
      logPath: this.logPath,
      resources: { linux: { ...resources, unified: { ...resources.unified } }, windows: undefined },
      user: {
        linux: {
          uid: runAsUser?.value ?? this.parts.image.uid?.value ?? 0n,
          gid: runAsGroup?.value ?? 0n,
          supplementalGroups: [...supplementalGroups],
        },
      },
      stopSignal: config.stopSignal ?? 0,
    };
  }

  private image(): Container['image'] {
    const { config, image } = this.parts;
    return imageSpec({ ...config.image, image: image.repoTags[0] ?? config.image?.image });
  }

  private exitByItself(): void {
    const { reason, exitCode = reason === 'OOMKilled' ? 137 : 0 } = this.program;
    this.exit(exitCode, reason);
  }

  private end(exitCode: number, reason: string): void {
    this.exitTimer?.cancel();
    this.state = ContainerState.CONTAINER_EXITED;
    this.finishedAt = this.stamps.next();
    this.exitCode = exitCode;
    this.reason = reason;
    this.endings.abort();
  }
}
