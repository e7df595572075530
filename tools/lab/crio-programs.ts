import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** The programs of a CRI-O that somebody else built. */
export interface CrioPrograms {
  readonly crio: string;
  readonly conmon: string;
  readonly pinns: string;
}

export const CRIO_VARIABLE = 'PODWRIGHT_CRIO';

/** Whether the user asks for labs with CRI-O instead of containerd. */
export function wantsCrio(env: NodeJS.ProcessEnv = process.env): boolean {
  return (env[CRIO_VARIABLE] ?? '') !== '';
}

/**
 * The CRI-O that `PODWRIGHT_CRIO` names, with conmon and pinns from beside it or from PATH; else one line that says what
 * is missing. Synchronous, for choosing which tests to skip.
 */
export function findCrio(env: NodeJS.ProcessEnv = process.env): CrioPrograms | string {
  const crio = env[CRIO_VARIABLE] ?? '';
  if (crio === '') return `${CRIO_VARIABLE} names no CRI-O`;
  if (!path.isAbsolute(crio)) return `${CRIO_VARIABLE} must be an absolute path, not ${crio}`;
  const fault = reasonNotToRun(crio);
  if (fault !== undefined) return `${CRIO_VARIABLE}: ${fault}`;
  const folders = [path.dirname(crio), ...(env['PATH'] ?? '').split(':'), '/usr/libexec/podman', '/usr/sbin'];
  const find = (name: string): string | { readonly missing: string } => {
    const files = folders.filter((folder) => folder !== '').map((folder) => path.join(folder, name));
    const present = files.filter((file) => existsSync(file));
    // pinns has no option that only prints; it is static.
    const works = present.find((file) => name === 'pinns' || reasonNotToRun(file) === undefined);
    if (works !== undefined) return works;
    const [first] = present;
    const why = first === undefined ? 'there is none' : (reasonNotToRun(first) ?? '');
    return { missing: `CRI-O needs ${name} beside ${crio} or on PATH: ${why}` };
  };
  const conmon = find('conmon');
  const pinns = find('pinns');
  if (typeof conmon !== 'string') return conmon.missing;
  if (typeof pinns !== 'string') return pinns.missing;
  return { crio, conmon, pinns };
}

function reasonNotToRun(file: string): string | undefined {
  try {
    execFileSync(file, ['--version'], { stdio: ['ignore', 'ignore', 'pipe'], timeout: 10_000 });
    return undefined;
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n').slice(-2);
    return `${file} does not run here (${line.trim()})`;
  }
}
