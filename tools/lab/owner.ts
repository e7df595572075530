import { readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { unlessMissing } from './commands.js';
import { signal } from './processes.js';

/** Identifies a process even when its pid is reused. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks from boot to the start of the process; empty without /proc. */
  readonly startTicks: string;
}

/** Identity of a process; undefined when it does not exist or is a zombie. */
export function identityOf(pid: number): ProcessIdentity | undefined {
  if (process.platform !== 'linux') return isThere(pid) ? { pid, startTicks: '' } : undefined;
  try {
    // The name in brackets may contain anything, so fields are counted from the last bracket.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return fields[0] === 'Z' ? undefined : { pid, startTicks: fields[19] ?? '' };
  } catch {
    return undefined; // it has exited
  }
}

export function isAlive({ pid, startTicks }: ProcessIdentity): boolean {
  return identityOf(pid)?.startTicks === startTicks;
}

export async function writeIdentity(file: string, pid: number): Promise<void> {
  await writeFile(file, JSON.stringify(identityOf(pid) ?? { pid, startTicks: '' }));
}

/** The process that a file names; undefined when the file is missing or incomplete. */
export async function readIdentity(file: string): Promise<ProcessIdentity | undefined> {
  const text = await unlessMissing(readFile(file, 'utf8'));
  try {
    return text === undefined ? undefined : (JSON.parse(text) as ProcessIdentity);
  } catch {
    return undefined; // the writer was killed during the write
  }
}

export async function forgetIdentity(file: string): Promise<void> {
  await rm(file, { force: true });
}

/** Kills a process unless its pid now belongs to another one. */
export function killIfAlive(identity: ProcessIdentity | undefined): void {
  if (identity !== undefined && isAlive(identity)) signal(identity.pid, 'SIGKILL');
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false; // no such process, or another user's
  }
}
