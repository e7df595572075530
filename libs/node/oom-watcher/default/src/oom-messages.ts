import type { OomKill } from '@podwright/oom-watcher-interface';

const firstLine = /invoked oom-killer:/;
// In kilobytes. A second line of this form is about memory and swap together.
const usageLine = /^memory: usage (\d+)kB, limit (\d+)kB/;
const constraintStart = 'oom-kill:constraint=';
const victimNumbers = /^,pid=(\d+),uid=\d+/;
const legacyContainerLine = /Task in (.*) killed as a result of limit of (.*)/;
const lastLine = /Killed process (\d+) \((.+)\)/;

/**
 * Assembles the lines of one OOM kill. Call it with every message in order; it returns the kill with the line that
 * completes it.
 * Source: cAdvisor utils/oomparser.
 */
export class OomMessages {
  private cgroups: Pick<OomKill, 'containerCgroup' | 'limitCgroup'> | undefined;
  private numbers: Pick<OomKill, 'usageBytes' | 'limitBytes'> = {};

  next(message: string): OomKill | undefined {
    if (firstLine.test(message)) {
      this.cgroups = { containerCgroup: '/', limitCgroup: '/' };
      this.numbers = {};
      return undefined;
    }
    if (this.cgroups === undefined) return undefined;
    const limited = parseConstraint(message);
    if (limited !== undefined) return this.complete(limited);
    const used = usageLine.exec(message);
    if (used !== null) this.numbers = { usageBytes: 1024 * Number(used[1]), limitBytes: 1024 * Number(used[2]) };
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
    return { ...kill, ...this.numbers };
  }
}

/**
 * Parses the line of Linux 5.0 and later; without `oom_memcg` the system as a whole was out of memory. Names of cgroups
 * and processes may contain commas, so it searches for fields from the end, one by one: an expression with several
 * wildcards takes minutes for a long line that repeats them.
 */
function parseConstraint(message: string): OomKill | undefined {
  const start = message.indexOf(constraintStart);
  if (start < 0) return undefined;
  const end = message.lastIndexOf(',pid=');
  const numbers = end < start ? null : victimNumbers.exec(message.slice(end));
  if (numbers === null) return undefined;
  let from = end;
  const field = (name: string): string | undefined => {
    const at = message.lastIndexOf(`,${name}=`, from - 1);
    if (at < start) return undefined;
    const value = message.slice(at + name.length + 2, from);
    from = at;
    return value;
  };
  const processName = field('task');
  const containerCgroup = processName === undefined ? undefined : field('task_memcg');
  const limitCgroup = containerCgroup === undefined ? undefined : field('oom_memcg');
  if (processName === undefined || containerCgroup === undefined || limitCgroup === undefined) return undefined;
  return { containerCgroup, limitCgroup, processName, pid: Number(numbers[1]) };
}
