import type { LogRecord, ParseLine } from './log-record.js';

const space = 0x20;
const lineFeed = 0x0a;
const colon = 0x3a;
const letterP = 0x50;
const stdout = Buffer.from('stdout');
const stderr = Buffer.from('stderr');

/**
 * `<RFC 3339 time> <stdout|stderr> <tags> <content>`. In a partial line, the container did not write the line feed.
 * Source: kubernetes v1.36 staging/src/k8s.io/cri-client/pkg/logs/logs.go parseCRILog.
 */
export const parseCriLine: ParseLine = (line, start, end, record) => {
  const stampEnd = indexOfSpace(line, start, end);
  if (stampEnd < 0 || !record.stamp.read(line, start, stampEnd)) return false;
  const streamEnd = indexOfSpace(line, stampEnd + 1, end);
  if (streamEnd < 0 || !readStream(line, stampEnd + 1, streamEnd, record)) return false;
  const tagStart = streamEnd + 1;
  const tagEnd = indexOfSpace(line, tagStart, end);
  if (tagEnd < 0) return false;
  const afterP = line[tagStart + 1];
  const isPartial = line[tagStart] === letterP && (afterP === colon || afterP === space);
  record.bytes = line;
  record.contentStart = tagEnd + 1;
  record.contentEnd = isPartial && line[end - 1] === lineFeed ? end - 1 : end;
  return true;
};

function readStream(line: Uint8Array, start: number, end: number, record: LogRecord): boolean {
  record.isStderr = equals(line, start, end, stderr);
  return record.isStderr || equals(line, start, end, stdout);
}

function equals(line: Uint8Array, start: number, end: number, word: Uint8Array): boolean {
  if (end - start !== word.length) return false;
  return word.every((byte, index) => line[start + index] === byte);
}

function indexOfSpace(line: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) if (line[at] === space) return at;
  return -1;
}
