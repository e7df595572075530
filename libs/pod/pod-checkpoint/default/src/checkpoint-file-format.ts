import { crc32 } from 'node:zlib';

/** The content of one file: JSON text by name of the part. */
export interface CheckpointFileContent {
  readonly podUid: string;
  readonly parts: ReadonlyMap<string, string>;
}

const version = 1;

/** Base name of a pod's file. Escapes characters that could leave the directory, because a manifest may set any UID. */
export function checkpointFileName(podUid: string): string {
  return `${encodeURIComponent(podUid).replace(/^\./, '%2E')}.json`;
}

/**
 * One line of a file: an object with the checksum (CRC-32 of the text of `memory`) and what it covers. The first line
 * has all parts, each further line the parts that changed; `undefined` removes a part.
 */
export function encodeCheckpointLine(podUid: string, parts: Iterable<readonly [string, string | undefined]>): string {
  const members: string[] = [];
  const removed: string[] = [];
  for (const [name, json] of parts) {
    if (json === undefined) removed.push(name);
    else members.push(`${JSON.stringify(name)}:${json}`);
  }
  const tail = removed.length === 0 ? '' : `,"removed":${JSON.stringify(removed)}`;
  const body = `{"version":${version},"podUid":${JSON.stringify(podUid)},"parts":{${members.join()}}${tail}}`;
  return `${opening}${crc32(body)}${middle}${body}}\n`;
}

const opening = '{"checksum":';
const middle = ',"memory":';

/**
 * Decodes a file strictly. Throws an error with the problem. Ignores a damaged last line, which was being written when
 * the process died; the lines before it count.
 */
export function decodeCheckpointFile(text: string): CheckpointFileContent {
  const [first = '', ...further] = text.split(/(?<=\n)/);
  const { podUid, parts } = decodeLine(first);
  for (const [index, line] of further.entries()) {
    let change: DecodedLine;
    try {
      change = decodeLine(line);
      if (change.podUid !== podUid) throw new Error(`line ${index + 2} is about pod ${change.podUid}`);
    } catch (error) {
      if (index === further.length - 1 && !line.endsWith('\n')) break;
      throw error;
    }
    for (const [name, json] of change.parts) parts.set(name, json);
    for (const name of change.removed) parts.delete(name);
  }
  return { podUid, parts };
}

interface DecodedLine {
  readonly podUid: string;
  readonly parts: Map<string, string>;
  readonly removed: readonly string[];
}

function decodeLine(line: string): DecodedLine {
  const start = line.indexOf(middle);
  if (!line.startsWith(opening) || start < 0 || !line.endsWith('}\n'))
    throw new Error('it is cut off or no checkpoint');
  const body = line.slice(start + middle.length, -2);
  const found = line.slice(opening.length, start);
  const expected = String(crc32(body));
  if (found !== expected) throw new Error(`checksum is ${found}, expected ${expected}`);
  const value = JSON.parse(body) as {
    version?: unknown;
    podUid?: unknown;
    parts?: unknown;
    removed?: unknown;
  } | null;
  if (value?.version !== version) throw new Error(`version is ${String(value?.version)}, expected ${version}`);
  const { podUid, parts, removed = [] } = value;
  if (typeof podUid !== 'string' || typeof parts !== 'object' || parts === null || !isNames(removed))
    throw new Error('members are missing');
  const texts = Object.entries(parts).map(([name, part]) => [name, JSON.stringify(part)] as const);
  return { podUid, parts: new Map(texts), removed };
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}
