import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { writeKernelAttribute } from './index.js';

/** Has nothing to read, as `scan` of a SCSI host and `delete` of its disks. An empty text changes nothing. */
const attribute = '/sys/bus/pci/rescan';

(existsSync(attribute) ? it : it.skip)(
  'writes an attribute of the kernel that nobody may open for reading',
  async () => {
    await expect(writeFile(attribute, '', { flag: 'r+' })).rejects.toMatchObject({ code: 'EACCES' });
    await writeKernelAttribute(attribute, '');
    await expect(writeKernelAttribute('/sys/bus/pci/missing', '')).rejects.toMatchObject({ code: 'ENOENT' });
  },
);
