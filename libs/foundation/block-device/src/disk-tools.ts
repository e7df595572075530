import { isMissing, messageOf } from '@podwright/errors';
import type { MountRequest, MountTools } from '@podwright/filesystem';
import type { Logger } from '@podwright/logging';
import { runProgram, type RunProgram, runTool } from '@podwright/program';
import { diskError } from './disk-error.js';
import { diskFormat } from './disk-format.js';
import { resizeFileSystem } from './resize-file-system.js';

/** Works on disks and the file systems on them. Each call runs programs of the node until the signal aborts. */
export interface DiskTools {
  /** The file system on a device, `unknown data, probably partitions`, or empty for an unformatted one. */
  format(device: string, signal?: AbortSignal): Promise<string>;
  /**
   * Formats `source` as `fsType` (default ext4) if there is nothing on it, else checks its file system, and mounts it.
   * Never formats a disk that has anything on it, or one that is to be mounted read-only. Rejections have a
   * {@link DiskFailure} as reason.
   */
  formatAndMount(request: MountRequest): Promise<void>;
  /**
   * Grows the file system on a device, which is mounted at `mountPath`, to the size of the device. Does nothing on an
   * unformatted device. Rejects with `unimplemented` for a file system that it does not know.
   */
  resize(device: string, mountPath: string, signal?: AbortSignal): Promise<void>;
}

export interface DiskToolsDeps {
  readonly mounts: MountTools;
  readonly logger: Logger;
  /** Default: programs of the node. */
  readonly run?: RunProgram;
}

/** Makes {@link DiskTools} that run blkid, mkfs, fsck and the resize program of each file system. */
export function createDiskTools({ mounts, logger, run = runProgram }: DiskToolsDeps): DiskTools {
  return {
    format: (device, signal) => diskFormat(device, run, signal),
    formatAndMount: (request) => formatAndMount(request, { mounts, logger, run }),
    resize: (device, mountPath, signal) => resizeFileSystem(device, mountPath, run, signal),
  };
}

/** Source: kubernetes v1.36 mount-utils/mount_linux.go formatAndMountSensitive. */
async function formatAndMount(request: MountRequest, deps: Required<DiskToolsDeps>): Promise<void> {
  const { source, options = [], sensitiveOptions = [], signal } = request;
  const fsType = request.fsType === undefined || request.fsType === '' ? 'ext4' : request.fsType;
  const wanted: MountRequest = { ...request, fsType, ownScope: true, options: [...options, 'defaults'] };
  const readOnly = [...options, ...sensitiveOptions].includes('ro');
  const existing = await diskFormat(source, deps.run, signal).catch((error: unknown) => {
    throw diskError('GetDiskFormatFailed', `failed to get disk format of disk ${source}: ${messageOf(error)}`, error);
  });
  if (existing === '') {
    if (readOnly) {
      const problem = `cannot mount unformatted disk ${source} as we are manipulating it in read-only mode`;
      throw diskError('UnformattedReadOnly', problem);
    }
    await makeFileSystem(wanted, deps);
  } else {
    if (existing !== fsType) {
      deps.logger.warn(
        `Configured to mount disk ${source} as ${fsType} but current format is ${existing}, things might break`,
      );
    }
    if (!readOnly) await checkAndRepair(source, deps, signal);
  }
  await deps.mounts.mount(wanted).catch((error: unknown) => {
    const failure = existing === '' || existing === fsType ? 'UnknownMountError' : 'FilesystemMismatch';
    throw diskError(failure, messageOf(error), error);
  });
}

async function makeFileSystem(request: MountRequest, { logger, run }: Required<DiskToolsDeps>): Promise<void> {
  const { source, target, fsType = '', options = [], sensitiveOptions = [], signal } = request;
  const force: Readonly<Record<string, readonly string[]>> = { ext3: ['-F', '-m0'], ext4: ['-F', '-m0'], xfs: ['-f'] };
  const args = [...(force[fsType] ?? []), source];
  logger.info(`Disk ${JSON.stringify(source)} appears to be unformatted, attempting to format as type: ${fsType}`);
  const { problem, output } = await runTool(run, `mkfs.${fsType}`, args, signal);
  if (problem === undefined) return;
  const shown = [...options, ...sensitiveOptions.map(() => '<masked>')].join(',');
  const about = `type:(${JSON.stringify(fsType)}) target:(${JSON.stringify(target)}) options:(${JSON.stringify(shown)})`;
  const message = `format of disk ${JSON.stringify(source)} failed: ${about} errcode:(${problem}) output:(${output}) `;
  throw diskError('FormatFailed', message);
}

const errorsCorrected = 1;
const errorsLeft = 4;

async function checkAndRepair(
  device: string,
  { logger, run }: Required<DiskToolsDeps>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { end, problem, output } = await runTool(run, 'fsck', ['-a', device], signal);
  if (problem === undefined) return;
  if (end.how === 'not-started' && isMissing(end.error)) {
    logger.warn("'fsck' not found on system; continuing mount without running 'fsck'.");
  } else if (end.how === 'exited' && end.code === errorsCorrected) {
    logger.info(`Device ${device} has errors which were corrected by fsck.`);
  } else if (end.how === 'exited' && end.code === errorsLeft) {
    const message = `'fsck' found errors on device ${device} but could not correct them: ${output}`;
    throw diskError('HasFilesystemErrors', message);
  } else {
    logger.warn(`fsck on device ${device} failed with error ${problem}, output: ${output}`);
  }
}
