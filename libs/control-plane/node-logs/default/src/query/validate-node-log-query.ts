import { messageOf } from '@podwright/errors';
import { parseRfc3339 } from '@podwright/time';
import { FieldFaults } from './field-faults.js';
import { goPatternFault } from './go-pattern.js';
import type { NodeLogQuery } from './node-log-query.js';
import { openLogEntry } from '../files/open-log-entry.js';

const mostServices = 4;
const mostTailLines = 100_000;
const longestService = 256;

/**
 * Rejects invalid or dangerous queries. Throws `invalid-argument` (406) with all faults.
 * Source: kubernetes v1.36 pkg/kubelet/kubelet_server_journal.go (validate, safeServiceName).
 */
export async function validateNodeLogQuery({ services, files, options }: NodeLogQuery, root: string): Promise<void> {
  const faults = new FieldFaults();
  for (const service of services) {
    const shown = JSON.stringify(service);
    if (Buffer.byteLength(service) > longestService) {
      faults.invalid('query', shown, `length must be less than ${longestService}`);
    } else if (/[^a-zA-Z\-_.:0-9@]/.test(service)) {
      faults.invalid('query', shown, 'input contains unsupported characters');
    }
  }
  if (services.length > mostServices) faults.tooMany('query', services.length, mostServices);
  await checkFiles(faults, { services, files, options }, root);
  checkOptions(faults, options);
  faults.throwIfAny();
}

async function checkFiles(
  faults: FieldFaults,
  { services, files, options }: NodeLogQuery,
  root: string,
): Promise<void> {
  const [file, ...more] = files;
  const shown = JSON.stringify(files);
  if (file === undefined) {
    if (services.length === 0) faults.required('query', 'cannot be empty with options');
    return;
  }
  if (services.length > 0) {
    const both = JSON.stringify(`[${files.join(' ')}], [${services.join(' ')}]`);
    return faults.invalid('query', both, 'cannot specify a file and service');
  }
  if (more.length > 0) return faults.invalid('query', shown, 'cannot specify more than one file');
  if (Object.keys(options).length > 0) return faults.invalid('query', shown, 'cannot specify file with options');
  try {
    const { handle } = await openLogEntry(root, file, 'contain');
    await handle.close();
  } catch (error) {
    faults.invalid('query', shown, messageOf(error));
  }
}

function checkOptions(faults: FieldFaults, options: NodeLogQuery['options']): void {
  const { sinceTime, untilTime, boot, tailLines, pattern } = options;
  if (sinceTime !== undefined && untilTime !== undefined) {
    const isAfter = (parseRfc3339(sinceTime) ?? 0) > (parseRfc3339(untilTime) ?? 0);
    if (isAfter) faults.invalid('untilTime', JSON.stringify(untilTime), 'must be after `sinceTime`');
  }
  if (boot !== undefined && boot > 0) faults.invalid('boot', String(boot), 'must be less than 1');
  if (tailLines !== undefined && (tailLines < 0 || tailLines > mostTailLines)) {
    faults.invalid('tailLines', String(tailLines), `must be between 0 and ${mostTailLines}, inclusive`);
  }
  const fault = goPatternFault(pattern ?? '');
  if (fault !== undefined) faults.invalid('pattern', JSON.stringify(pattern), fault);
}
