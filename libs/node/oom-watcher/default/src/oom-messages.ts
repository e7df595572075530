import type { OomKill } from '@podwright/oom-watcher-interface';

const firstLine = /invoked oom-killer:/;
// Since Linux 5.0. The kernel names no `oom_memcg` when the system as a whole was short. The name of a process is whatever the
// process likes, commas included, so the numbers count from the end.
const constraintLine = /oom-kill:constraint=.*,oom_memcg=(.*),task_memcg=(.*),task=(.*),pid=(\d+),uid=\d+/;
const legacyContainerLine = /Task in (.*) killed as a result of limit of (.*)/;
const lastLine = /Killed process (\d+) \((.+)\)/;

/**
 * Puts the lines of one kill together. Feed it every message in order; it gives the kill with the line that completes it.
 * Source: cAdvisor utils/oomparser.
 */
export class OomMessages {
  private cgroups: Pick<OomKill, 'containerCgroup' | 'limitCgroup'> | undefined;

  next(message: string): OomKill | undefined {
    if (firstLine.test(message)) {
      this.cgroups = { containerCgroup: '/', limitCgroup: '/' };
      return undefined;
    }
    if (this.cgroups === undefined) return undefined;
    const constraint = constraintLine.exec(message);
    if (constraint !== null) {
      const [, limitCgroup = '/', containerCgroup = '/', processName = '', pid] = constraint;
      return this.complete({ containerCgroup, limitCgroup, processName, pid: Number(pid) });
    }
    const legacy = legacyContainerLine.exec(message);
    if (legacy !== null) {
      const [, containerCgroup = '/', limitCgroup = '/'] = legacy;
      this.cgroups = { containerCgroup, limitCgroup };
    }
    const last = lastLine.exec(message);
    if (last === null) return undefined;
    const [, pid, processName = ''] = last;
    return this.complete({ ...this.cgroups, processName, pid: Number(pid) });
  }

  private complete(kill: OomKill): OomKill {
    this.cgroups = undefined;
    return kill;
  }
}
