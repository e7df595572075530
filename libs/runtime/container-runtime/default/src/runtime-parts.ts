import type { HostFacts } from './container/host-facts.js';
import { readHostFacts } from './container/host-facts.js';
import type { ContainerRuntimeConfig } from './container-runtime-config.js';
import { ContainerKiller } from './kill/container-killer.js';
import { ContainerMemory } from './kill/container-memory.js';
import { PodKiller } from './kill/pod-killer.js';
import { ContainerRemover } from './pod-records/container-remover.js';
import { PodResizer } from './resize/pod-resizer.js';
import type { ContainerRuntimeDeps } from './runtime-deps.js';
import { imagesOfHandler } from './sandbox/images-of-handler.js';
import { SandboxCreator } from './sandbox/sandbox-creator.js';
import { ContainerConfigurer } from './sync/container-configurer.js';
import { ContainerSequence } from './sync/container-sequence.js';
import { ContainerStarter } from './sync/container-starter.js';
import { CrashLoopBackOff } from './sync/crash-loop-back-off.js';
import { PodClearer } from './sync/pod-clearer.js';
import { PostStartHook } from './sync/post-start-hook.js';
import { RestartMemory } from './sync/restart-memory.js';
import { RuntimePodSync } from './sync/runtime-pod-sync.js';
import { registerStartMetrics } from './sync/start-metrics.js';
import { StartGate } from './sync/start-place.js';

export interface RuntimeParts {
  readonly podSync: RuntimePodSync;
  readonly podKiller: PodKiller;
  readonly remover: ContainerRemover;
  readonly backOff: CrashLoopBackOff;
}

/** Puts the parts of the container runtime together. */
export function createRuntimeParts(given: ContainerRuntimeDeps, config: ContainerRuntimeConfig): RuntimeParts {
  const { images, runtimeClasses } = given;
  const deps = config.runtimeClassInImageCriApi ? { ...given, images: imagesOfHandler(images, runtimeClasses) } : given;
  const metrics = registerStartMetrics(deps.metrics);
  const memory = new ContainerMemory(deps.memory);
  const killer = new ContainerKiller(deps, memory);
  const postStart = new PostStartHook(deps, memory, killer);
  const podKiller = new PodKiller(deps.runtime, killer, deps.clock);
  const remover = new ContainerRemover(deps.runtime, config, deps.logger, deps.internalLifecycle);
  const backOff = new CrashLoopBackOff(deps.clock, deps.recorder, new RestartMemory(deps.memory), config);
  const host = once(() => readHostFacts('/sys'));
  const configurer = new ContainerConfigurer(deps, config, host);
  const starter = new ContainerStarter(deps, config, configurer, postStart);
  const podSync = new RuntimePodSync(deps, {
    memory,
    clearer: new PodClearer(killer, podKiller, remover),
    starter,
    sandboxes: new SandboxCreator(deps, config, metrics),
    sequence: new ContainerSequence(deps, starter, backOff, metrics, postStart),
    gate: new StartGate(deps.clock, config),
    resizer: new PodResizer(deps, config, host),
    resizeRules: config,
    metrics,
  });
  return { podSync, podKiller, remover, backOff };
}

/** The first call decides; nothing is read before somebody asks. */
function once(read: () => Promise<HostFacts>): () => Promise<HostFacts> {
  let answer: Promise<HostFacts> | undefined;
  return () => (answer ??= read());
}
