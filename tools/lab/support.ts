import { readFileSync } from 'node:fs';
import { findCrio, wantsCrio } from './crio-programs.js';

export type LabSupport = { readonly ok: true } | { readonly ok: false; readonly reason: string };

const CAP_SYS_ADMIN = 21;
const CAP_NET_ADMIN = 12;
const CAP_SYS_RESOURCE = 24;

/**
 * Whether a lab can run here; if not, `reason` says why in one line. Cheap and synchronous, for choosing which tests to
 * skip.
 */
export function labSupport(): LabSupport {
  if (process.platform !== 'linux') return no(`containers need Linux, this is ${process.platform}`);
  if (process.getuid?.() !== 0) return no('the lab needs root');
  const capabilities = effectiveCapabilities(readFileSync('/proc/self/status', 'utf8'));
  if (!has(capabilities, CAP_SYS_ADMIN) || !has(capabilities, CAP_NET_ADMIN)) {
    return no('the lab needs the capabilities to mount and to make network devices');
  }
  if (!/\boverlay\b/.test(readFileSync('/proc/filesystems', 'utf8'))) return no('the kernel has no overlayfs');
  if (!/ - cgroup2? /.test(readFileSync('/proc/self/mountinfo', 'utf8'))) return no('no cgroup hierarchy is mounted');
  const crio = wantsCrio() ? findCrio() : undefined;
  if (typeof crio === 'string') return no(crio);
  return { ok: true };
}

/** Whether a lab with CRI-O can run here; it needs `PODWRIGHT_CRIO`. */
export function crioSupport(): LabSupport {
  return wantsCrio() ? labSupport() : no('PODWRIGHT_CRIO does not name the path of a CRI-O');
}

/** Without this capability no process may lower an OOM score, and runc fails when a container asks for it. */
export function mayLowerOomScores(status: string): boolean {
  return has(effectiveCapabilities(status), CAP_SYS_RESOURCE);
}

function effectiveCapabilities(status: string): bigint {
  return BigInt(`0x${/^CapEff:\s*([0-9a-f]+)/m.exec(status)?.[1] ?? '0'}`);
}

function has(capabilities: bigint, bit: number): boolean {
  return ((capabilities >> BigInt(bit)) & 1n) === 1n;
}

function no(reason: string): LabSupport {
  return { ok: false, reason };
}
