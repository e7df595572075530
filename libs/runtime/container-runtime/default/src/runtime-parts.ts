import type { HostFacts } from './container/host-facts.js';
import { readHostFacts } from './container/host-facts.js';
import type { ContainerRuntimeConfig } from './container-runtime-config.js';
import { ContainerKiller } from './kill/container-killer.js';
import { ContainerCheckpoints } from './kill/container-checkpoints.js';
import { PodKiller } from './kill/pod-killer.js';
import { ContainerRemover } from './pod-records/container-remover.js';
import type { ContainerRuntimeNeeds } from './container-runtime-needs.js';
import { imagesOfHandler } from './sandbox/images-of-handler.js';
import { SandboxCreator } from './sandbox/sandbox-creator.js';
import { ContainerConfigurer } from './sync/container-configurer.js';
import { ContainerSequence } from './sync/container-sequence.js';
import { ContainerStarter } from './sync/container-starter.js';
import { CrashLoopBackOff } from './sync/crash-loop-back-off.js';
import { PodCleanup } from './sync/pod-cleanup.js';
import { PostStartHook } from './sync/post-start-hook.js';
import { RestartCheckpoints } from './sync/restart-checkpoints.js';
import { RuntimePodSync } from './sync/runtime-pod-sync.js';
import { registerStartMetrics } from './sync/start-metrics.js';
import { PreparationQueue } from './start-gate/preparation-queue.js';
import { StartGate } from './start-gate/start-gate.js';

export interface RuntimeParts {
  readonly podSync: RuntimePodSync;
  readonly preparations: PreparationQueue;
  readonly podKiller: PodKiller;
  readonly remover: ContainerRemover;
  readonly backOff: CrashLoopBackOff;
}

/** Constructs the parts of the container runtime and connects them. */
export function createRuntimeParts(given: ContainerRuntimeNeeds, config: ContainerRuntimeConfig): RuntimeParts {
  const { images, runtimeClasses } = given;
  const deps = config.runtimeClassInImageCriApi ? { ...given, images: imagesOfHandler(images, runtimeClasses) } : given;
  const metrics = registerStartMetrics(deps.metrics);
  const checkpoints = new ContainerCheckpoints(deps.checkpoints);
  const killer = new ContainerKiller(deps, checkpoints);
  const postStart = new PostStartHook(deps, checkpoints, killer);
  const podKiller = new PodKiller(deps.runtime, killer, deps.clock);
  const remover = new ContainerRemover(deps.runtime, config, deps.logger, deps.internalLifecycle);
  const backOff = new CrashLoopBackOff(deps.clock, deps.recorder, new RestartCheckpoints(deps.checkpoints), config);
  const gate = new StartGate(deps, config);
  const host = once(() => readHostFacts('/sys'));
  const configurer = new ContainerConfigurer(deps, config, host);
  const starter = new ContainerStarter(deps, config, configurer, postStart);
  const podSync = new RuntimePodSync(deps, {
    checkpoints,
    cleanup: new PodCleanup(killer, podKiller, remover),
    starter,
    sandboxes: new SandboxCreator(deps, config, metrics),
    sequence: new ContainerSequence(deps, { starter, backOff, metrics, postStart }),
    gate,
    metrics,
  });
  return { podSync, preparations: new PreparationQueue(deps.clock, gate), podKiller, remover, backOff };
}

/** Caches the first result; reads nothing before the first call. */
function once(read: () => Promise<HostFacts>): () => Promise<HostFacts> {
  let answer: Promise<HostFacts> | undefined;
  return () => (answer ??= read());
}
