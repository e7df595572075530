import { messageOf } from '@podwright/errors';
import { FailureLog } from '@podwright/logging';
import { goError, type Answer } from '@podwright/http-answer';
import { podUid } from '@podwright/kube-types';
import type { ServerRequest } from '@podwright/server-interface';
import path from 'node:path';
import type { ConsoleParts } from '../console-needs.js';
import { DeviceReads } from './device-reads.js';
import { containerInfo, containerOwners, ownerOf } from './container-info.js';
import { infoRequest } from './info-request.js';
import { machineInfo } from './machine-info.js';
import { readMachineDevices } from './machine-devices.js';

const maxAgeMs = 1_000;

/**
 * cAdvisor's REST of version 1.3 for tools that still ask: the machine, one cgroup, a cgroup with all below it. Source:
 * google/cadvisor v0.56 cmd/internal/api.
 */
export class CadvisorPages {
  private readonly reads: DeviceReads;

  constructor(
    private readonly parts: Pick<ConsoleParts, 'cgroups' | 'pods' | 'statuses' | 'logger' | 'clock'>,
    private readonly hostRoot: string,
  ) {
    this.reads = new DeviceReads(new FailureLog(parts.logger, parts.clock));
  }

  async machine(): Promise<Answer> {
    return json(machineInfo(this.parts.cgroups.machine(), await readMachineDevices(this.reads, this.hostRoot)));
  }

  async container(request: ServerRequest): Promise<Answer> {
    const name = nameOf(request);
    try {
      const wanted = await infoRequest(request);
      const { cgroups } = this.parts;
      const sample = await cgroups.sample(name, { maxAgeMs, network: true });
      if (sample === undefined)
        return goError(500, `failed to get container ${quoted(name)} with error: unknown container ${quoted(name)}`);
      const paths = (await cgroups.samples({ detail: 'usage' })).map((each) => each.path);
      const owner = ownerOf(name, this.owners());
      const { swapBytes } = cgroups.machine();
      return json(
        containerInfo(sample, { owner, paths, machine: { swapBytes }, withStats: wanted.includes(sample.timeMs) }),
      );
    } catch (error) {
      return goError(500, messageOf(error));
    }
  }

  async subcontainers(request: ServerRequest): Promise<Answer> {
    const name = nameOf(request);
    const prefix = name === '/' ? '/' : `${name}/`;
    try {
      const wanted = await infoRequest(request);
      const { cgroups } = this.parts;
      const samples = await cgroups.samples({ maxAgeMs });
      const paths = samples.map((each) => each.path);
      const owners = this.owners();
      const machine = cgroups.machine();
      const below = samples.filter((sample) => sample.path === name || sample.path.startsWith(prefix));
      return json(
        below.map((sample) => {
          const owner = ownerOf(sample.path, owners);
          return containerInfo(sample, { owner, paths, machine, withStats: wanted.includes(sample.timeMs) });
        }),
      );
    } catch (error) {
      return goError(500, messageOf(error));
    }
  }

  private owners(): ReturnType<typeof containerOwners> {
    const { pods, statuses } = this.parts;
    return containerOwners(pods.getPods().map((pod) => ({ pod, status: statuses.getPodStatus(podUid(pod)) })));
  }
}

const nameOf = ({ parameters }: Pick<ServerRequest, 'parameters'>): string => {
  const name = path.posix.join('/', parameters['path'] ?? '');
  return name.length > 1 ? name.replace(/\/$/, '') : name;
};

const quoted = (name: string): string => JSON.stringify(name);

const json = (value: unknown): Answer => ({
  status: 200,
  headers: { 'Content-Type': 'application/json', 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' },
  body: JSON.stringify(value),
});
