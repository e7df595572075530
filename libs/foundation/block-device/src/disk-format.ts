import { KubeletError } from '@podwright/errors';
import { type RunProgram, runTool } from '@podwright/program';

/** What {@link diskFormat} gives for a disk with a partition table: no name of a file system, and not empty. */
export const unknownData = 'unknown data, probably partitions';

const nothingFound = 2;

/**
 * The file system on a device, such as `ext4`: empty when blkid finds nothing at all on it. Rejects when that cannot be
 * determined. Source: kubernetes v1.36 mount-utils/mount_linux.go getDiskFormat.
 */
export async function diskFormat(device: string, run: RunProgram, signal?: AbortSignal): Promise<string> {
  const args = ['-p', '-s', 'TYPE', '-s', 'PTTYPE', '-o', 'export', device];
  const { end, problem, output } = await runTool(run, 'blkid', args, signal);
  if (end.how === 'exited' && end.code === nothingFound && output.trim() === '') {
    await requireReadable(device, run, signal);
    return '';
  }
  if (problem !== undefined) {
    const complaint = output.trim() === '' ? '' : `: ${output.trim()}`;
    throw new KubeletError(`${problem}${complaint}`, { code: 'internal' });
  }
  const found = new Map<string, string>();
  for (const line of output.split('\n').filter((text) => text !== '')) {
    const [key, value, ...more] = line.split('=');
    if (key === undefined || value === undefined || more.length > 0) {
      throw new KubeletError(`blkid returns invalid output: ${output}`, { code: 'internal' });
    }
    found.set(key, value);
  }
  if ((found.get('PTTYPE') ?? '') !== '') return unknownData;
  return found.get('TYPE') ?? '';
}

/**
 * blkid has the same answer for a device that it cannot open. Such a disk may be there a moment later, with data, and
 * must not be formatted.
 */
async function requireReadable(device: string, run: RunProgram, signal: AbortSignal | undefined): Promise<void> {
  const args = [`if=${device}`, 'of=/dev/null', 'bs=4096', 'count=1'];
  const { problem, output } = await runTool(run, 'dd', args, signal);
  if (problem !== undefined) throw new KubeletError(`${problem}: ${output.trim()}`, { code: 'internal' });
}
