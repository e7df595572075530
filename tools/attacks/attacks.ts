import type { Attack } from './attack.js';
import { confusedPaths, openPorts, readersThatRun, withoutCredentials } from './cases/credential-cases.js';
import { containerLog, etcHosts, terminationLog } from './cases/disk-cases.js';
import { logQuery, logTraversal } from './cases/file-request-cases.js';
import { mountInVolume, removalRace, subPathLinks, subPathRace } from './cases/volume-cases.js';

/** All attacks, in the order of the table. */
export const attacks: readonly Attack[] = [
  ...[withoutCredentials, readersThatRun, confusedPaths, openPorts],
  ...[logTraversal, logQuery],
  ...[subPathLinks, subPathRace, removalRace, mountInVolume],
  ...[etcHosts, terminationLog, containerLog],
];
