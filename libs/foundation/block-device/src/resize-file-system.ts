import { KubeletError, messageOf } from '@podwright/errors';
import { type RunProgram, runTool } from '@podwright/program';
import { diskFormat } from './disk-format.js';

/** Source: kubernetes v1.36 mount-utils/resizefs_linux.go Resize. */
export async function resizeFileSystem(
  device: string,
  mountPath: string,
  run: RunProgram,
  signal?: AbortSignal,
): Promise<void> {
  const format = await diskFormat(device, run, signal).catch((error: unknown) => {
    const message = `ResizeFS.Resize - error checking format for device ${device}: ${messageOf(error)}`;
    throw new KubeletError(message, { code: KubeletError.from(error).code, cause: error });
  });
  // Nothing to grow: it gets the device's full size when it is formatted.
  if (format === '') return;
  const command = resizeCommand(format, device, mountPath);
  if (command === undefined) {
    throw new KubeletError(
      `ResizeFS.Resize - resize of format ${format} is not supported for device ${device} mounted at ${mountPath}`,
      { code: 'unimplemented' },
    );
  }
  const [file, ...args] = command;
  const { problem, output } = await runTool(run, file, args, signal);
  if (problem === undefined) return;
  throw new KubeletError(`resize of device ${device} failed: ${problem}. ${file} output: ${output}`, {
    code: 'internal',
  });
}

/** XFS and btrfs are grown by their mount point, the others by their device. */
function resizeCommand(format: string, device: string, mountPath: string): readonly [string, ...string[]] | undefined {
  switch (format) {
    case 'ext3':
    case 'ext4':
      return ['resize2fs', device];
    case 'xfs':
      return ['xfs_growfs', '-d', mountPath];
    case 'btrfs':
      return ['btrfs', 'filesystem', 'resize', 'max', mountPath];
    default:
      return undefined;
  }
}
