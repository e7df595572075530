// Asked once, when the program starts.
// oxlint-disable-next-line no-restricted-imports
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Where simulated nodes have their folders, each with some hundreds of files: in memory, where a folder of it is. */
export const simulationsFolder = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
