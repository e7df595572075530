import { readdir, readFile, readlink } from 'node:fs/promises';
import { isMissing } from '@podwright/errors';

/** A process, as /proc/<pid>/stat tells it. */
export interface ProcessState {
  readonly name: string;
  /** One letter, such as `S`; `D` hangs in the kernel, `Z` and `X` have ended. */
  readonly state: string;
  /** Ticks since the machine was booted. With the id it names a process for ever: ids are used again. */
  readonly startTicks: string;
}

/** Inode of the namespace in which this process and all ids of {@link listProcessIds} count. */
export async function processNamespace(): Promise<string> {
  return (await readlink('/proc/self/ns/pid')).replace(/\D/g, '');
}

export async function listProcessIds(): Promise<readonly number[]> {
  return (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
}

/** Undefined when there is no such process. Never waits for the process, whatever it does. */
export async function readProcessState(pid: number): Promise<ProcessState | undefined> {
  const text = await readOfProcess(`/proc/${pid}/stat`);
  // The name may contain spaces and brackets.
  const [start, end] = [text.indexOf('('), text.lastIndexOf(')')];
  const [state = '', ...more] = text.slice(end + 2).split(' ');
  return text === '' ? undefined : { name: text.slice(start + 1, end), state, startTicks: more[18] ?? '' };
}

/**
 * A variable in the environment that a process was started with; undefined also when its owner does not let us see it.
 * May wait for a process that hangs in the kernel.
 */
export async function readVariableOfProcess(pid: number, name: string): Promise<string | undefined> {
  const variables = (await readOfProcess(`/proc/${pid}/environ`)).split('\0');
  return variables.find((variable) => variable.startsWith(`${name}=`))?.slice(name.length + 1);
}

async function readOfProcess(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    // ESRCH: it ended between open and read.
    if (isMissing(error) || ['ESRCH', 'EACCES', 'EPERM'].includes((error as { code?: string }).code ?? '')) return '';
    throw error;
  }
}
