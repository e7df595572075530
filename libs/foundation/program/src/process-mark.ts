import { listProcessIds, processNamespace, readProcessState, readVariableOfProcess } from './process-table.js';

/**
 * Environment variable of marked programs. Everything that they start inherits it, also in a session of its own. Its
 * value is `<namespace>.<pid>.<start>.<run>`: the first three name the process that started the program.
 */
export const markVariable = 'PODWRIGHT_STARTED_BY';

export interface EndedProcess {
  readonly pid: number;
  readonly name: string;
}

// Who is killed may have started another just before; a process that reads from a disk may hang for a moment.
const mostLooks = 5;

let owner: Promise<string> | undefined;
let runs = 0;

/** The mark of one run. Rejects where there is no /proc. */
export async function nextMark(): Promise<string> {
  owner ??= nameOfThisProcess();
  return `${await owner}.${++runs}`;
}

async function nameOfThisProcess(): Promise<string> {
  const [namespace, state] = await Promise.all([processNamespace(), readProcessState(process.pid)]);
  return `${namespace}.${process.pid}.${state?.startTicks}`;
}

/** Kills all processes of one run. */
export function endProcessesOfRun(mark: string): Promise<readonly EndedProcess[]> {
  return endMarked(async (found) => found === mark);
}

/**
 * Kills the processes of marked programs whose starter in the namespace `here` has ended. Those of a starter in another
 * namespace, such as a kubelet in a container, are left alone: from here nobody can tell whether it lives.
 */
export async function endProcessesOfTheDead(here: string): Promise<readonly EndedProcess[]> {
  return endMarked(async (mark) => {
    const [namespace, pid, startTicks] = mark.split('.');
    if (namespace !== here) return false;
    const starter = await readProcessState(Number(pid));
    return starter === undefined || starter.startTicks !== startTicks || 'ZX'.includes(starter.state);
  });
}

async function endMarked(isMeant: (mark: string) => Promise<boolean>): Promise<readonly EndedProcess[]> {
  const ended = new Map<number, EndedProcess>();
  for (let looks = 0, again = true; again && looks < mostLooks; looks++) {
    again = false;
    for (const pid of await listProcessIds()) {
      const seen = await readProcessState(pid);
      if (pid === process.pid || seen === undefined || 'ZX'.includes(seen.state)) continue;
      if (seen.state === 'D') {
        // Reading its environment could hang as well, and take a thread of this process along.
        again = true;
        continue;
      }
      const mark = await readVariableOfProcess(pid, markVariable);
      if (mark === undefined || !(await isMeant(mark))) continue;
      kill(pid);
      ended.set(pid, { pid, name: seen.name });
      again = true;
    }
  }
  return [...ended.values()];
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ESRCH') throw error;
  }
}
