import type { ParseLine } from './log-record.js';

/**
 * `{"log":"content\n","stream":"stdout","time":"..."}`, the format of Docker's json-file driver.
 * Source: kubernetes v1.36 staging/src/k8s.io/cri-client/pkg/logs/logs.go parseDockerJSONLog.
 */
export const parseDockerLine: ParseLine = (line, start, end, record) => {
  const entry = parsed(Buffer.from(line.buffer, line.byteOffset + start, end - start).toString('utf8'));
  if (typeof entry !== 'object' || entry === null) return false;
  const { log = '', stream, time } = entry as { log?: unknown; stream?: unknown; time?: unknown };
  if (typeof log !== 'string' || typeof time !== 'string' || (stream !== 'stdout' && stream !== 'stderr')) return false;
  const stamp = Buffer.from(time);
  if (!record.stamp.read(stamp, 0, stamp.length)) return false;
  record.isStderr = stream === 'stderr';
  record.bytes = Buffer.from(log);
  record.contentStart = 0;
  record.contentEnd = record.bytes.length;
  return true;
};

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // no JSON: not a line of this format
  }
}
