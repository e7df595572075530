import type { LabSupport } from '../support.js';

/** Whether a virtual machine can run here; if not, `reason` says why in one line. */
export function nodeVmSupport(platform = process.platform, arch = process.arch, uid = process.getuid?.()): LabSupport {
  if (platform !== 'linux') return { ok: false, reason: `the virtual machine is made on Linux, this is ${platform}` };
  if (arch !== 'x64')
    return { ok: false, reason: `the virtual machine runs this machine's Node and is x64, this is ${arch}` };
  if (uid !== 0) return { ok: false, reason: 'the disk of the virtual machine is made by root' };
  return { ok: true };
}
