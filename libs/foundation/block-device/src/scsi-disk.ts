import { join } from 'node:path';
import { isMissing } from '@podwright/errors';
import { writeKernelAttribute } from './kernel-attribute.js';

/** Makes the kernel forget a disk such as `sdb`; one that is gone is no error. Source: kubernetes v1.36 iscsi_util.go. */
export async function deleteScsiDisk(name: string, sysBlock = '/sys/block'): Promise<void> {
  // Not created when it is missing: sysfs has the file only for SCSI disks.
  await writeKernelAttribute(join(sysBlock, name, 'device/delete'), '1').catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
}
