import {
  createSimulatedRuntime,
  type Program,
  type SimulatedRuntime,
  type SimulatedRuntimeOptions,
} from '@podwright/simulated-runtime';
import { createSeededRandom, type Clock } from '@podwright/time';
import type { Choices } from '../behaviour/choices.js';
import { identityOf } from '../behaviour/container-identity.js';
import { containerProgram, ruleFor } from '../behaviour/container-program.js';
import type { HollowBehaviour } from '../behaviour/hollow-behaviour.js';
import { imagePull } from '../behaviour/image-pull.js';
import { draw } from '../behaviour/spread.js';

export interface HollowRuntimeOptions {
  readonly nodeName: string;
  readonly behaviour: HollowBehaviour;
  readonly choices: Choices;
  readonly seed: number | string;
  readonly clock: Clock;
  readonly podCidr: string;
  /** Absent: exec and attach reach nobody. */
  readonly streamingUrl?: SimulatedRuntimeOptions['streamingUrl'];
}

export interface HollowRuntime {
  readonly runtime: SimulatedRuntime;
  /** Whether the behaviour lets the container's probes succeed by now. */
  readonly isReady: (containerId: string) => boolean;
}

/** The runtime of one hollow node, whose containers and images do what the behaviour says. */
export function createHollowRuntime(options: HollowRuntimeOptions): HollowRuntime {
  const { nodeName, behaviour, choices, seed, clock, podCidr, streamingUrl } = options;
  const runtime = createSimulatedRuntime({
    clock,
    // Ids of containers are unique in the cluster.
    random: createSeededRandom(`runtime ${seed} ${nodeName}`),
    podCidr,
    writesLogFiles: true,
    // Nobody reads them here.
    callLogLength: 0,
    ...(streamingUrl && { streamingUrl }),
    unpublished: (reference) => imagePull(behaviour.images, nodeName, reference, choices),
  });
  const readyAfterMs = new WeakMap<Program, number>();
  runtime.programs.setDefault((metadata, config) => {
    const of = identityOf(nodeName, metadata, config);
    const rule = ruleFor(behaviour.containers, of);
    const program = containerProgram(rule, of, metadata.attempt, choices);
    const random = choices('ready', of.namespace, of.pod, of.container, metadata.attempt);
    readyAfterMs.set(program, draw(rule.ready, random));
    return program;
  });
  return {
    runtime,
    isReady: (containerId) => {
      const container = runtime.control.findContainer(containerId);
      if (container?.running !== true) return false;
      const startedMs = Number(container.startedAt / 1_000_000n);
      return clock.now() - startedMs >= (readyAfterMs.get(container.program) ?? 0);
    },
  };
}
