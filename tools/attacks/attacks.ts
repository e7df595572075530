import type { Attack } from './attack.js';
import { confusedPaths, openPorts, readersThatRun, withoutCredentials } from './cases/credential-cases.js';
import { driverAnswers, driverNames, publishedLink } from './cases/csi-cases.js';
import { containerLog, etcHosts, terminationLog } from './cases/disk-cases.js';
import { draAnswers } from './cases/dra-cases.js';
import { logQuery, logTraversal } from './cases/file-request-cases.js';
import { bodyFlood, connectionFlood, headerFlood, labelFlood, tokenFlood } from './cases/flood-cases.js';
import { blowUps, emptySecurity, hostileNames, manifestBombs, staticReferences } from './cases/manifest-cases.js';
import { assemblyFiles, gitRepository, prototypes } from './cases/object-cases.js';
import { hostilePlugin, hostileRegistryTexts } from './cases/outsider-cases.js';
import { forkBomb, movingProcesses } from './cases/process-cases.js';
import { hostileProvider } from './cases/provider-cases.js';
import { answerFlood, ghostRecords, streamRedirect, wrongNumbers, wrongVersion } from './cases/runtime-answer-cases.js';
import { idsWithPaths, strayLogPaths, strayMessages } from './cases/runtime-path-cases.js';
import { escapeSequences, nonRoot, readableFiles, tokensInLogs } from './cases/secret-cases.js';
import { mountInVolume, removalRace, subPathLinks, subPathRace } from './cases/volume-cases.js';

/** All attacks, in the order of the table; floods last, as they may end a kubelet. */
export const attacks: readonly Attack[] = [
  ...[withoutCredentials, readersThatRun, confusedPaths, openPorts],
  ...[logTraversal, logQuery],
  ...[subPathLinks, subPathRace, removalRace, mountInVolume],
  ...[etcHosts, terminationLog, containerLog],
  ...[tokensInLogs, readableFiles, escapeSequences, nonRoot],
  ...[hostileNames, emptySecurity, staticReferences, prototypes, gitRepository, assemblyFiles],
  ...[hostileRegistryTexts, hostilePlugin],
  ...[strayLogPaths, strayMessages, idsWithPaths, streamRedirect, ghostRecords, wrongNumbers, wrongVersion],
  ...[publishedLink, driverAnswers, driverNames, draAnswers, hostileProvider, forkBomb, movingProcesses],
  ...[blowUps, manifestBombs],
  ...[headerFlood, bodyFlood, connectionFlood, labelFlood, tokenFlood, answerFlood],
];
