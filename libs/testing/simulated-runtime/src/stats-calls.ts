import type * as cri from '@podwright/cri-client-interface';
import type { DeepPartial } from '@podwright/cri-client-interface';
import type { NanosecondStamps } from './nanosecond-stamps.js';
import { unknown } from './runtime-errors.js';
import { hasLabels, type RuntimeState } from './runtime-state.js';
import { containerStats, sandboxStats, type StatsMoment } from './usage-stats.js';

/** The CRI calls for stats of running sandboxes and containers. */
export class StatsCalls {
  constructor(
    private readonly state: RuntimeState,
    private readonly stamps: NanosecondStamps,
    private readonly mountpoint: string,
  ) {}

  container({ containerId }: DeepPartial<cri.ContainerStatsRequest>): cri.ContainerStatsResponse {
    const container = this.state.container(containerId, 'failed to find container');
    if (!container.running) throw unknown('unexpected metrics response: []');
    return { stats: containerStats(container, this.moment()) };
  }

  containers({ filter }: DeepPartial<cri.ListContainerStatsRequest>): cri.ListContainerStatsResponse {
    const moment = this.moment();
    const found = this.state.matchingContainers(filter).filter(({ running }) => running);
    return { stats: found.map((container) => containerStats(container, moment)) };
  }

  sandbox({ podSandboxId = '' }: DeepPartial<cri.PodSandboxStatsRequest>): cri.PodSandboxStatsResponse {
    const complaint = `an error occurred when trying to find sandbox ${podSandboxId}`;
    const sandbox = this.state.sandbox(podSandboxId, complaint);
    const running = this.state.containersOf(sandbox.id).filter((container) => container.running);
    return { stats: sandboxStats(sandbox, running, this.moment()) };
  }

  sandboxes({ filter = {} }: DeepPartial<cri.ListPodSandboxStatsRequest>): cri.ListPodSandboxStatsResponse {
    const found = [...this.state.sandboxes.values()].filter(
      ({ id, ready, config }) =>
        ready && (!filter.id || id.startsWith(filter.id)) && hasLabels(config.labels, filter.labelSelector),
    );
    return { stats: found.flatMap(({ id }) => this.sandbox({ podSandboxId: id }).stats ?? []) };
  }

  private moment(): StatsMoment {
    return { now: this.stamps.next(), mountpoint: this.mountpoint };
  }
}
