import { crc32 } from 'node:zlib';

/** What one file holds: the JSON text of each part by the part's name. */
export interface MemoryFileContent {
  readonly podUid: string;
  readonly parts: ReadonlyMap<string, string>;
}

const version = 1;

/** Base name of a pod's file. A UID given in a manifest may be any text, so what could leave the directory is escaped. */
export function memoryFileName(podUid: string): string {
  return `${encodeURIComponent(podUid).replace(/^\./, '%2E')}.json`;
}

/** The text of a file: an object with a checksum (CRC-32 of the text of `memory`) and what it covers. */
export function encodeMemoryFile({ podUid, parts }: MemoryFileContent): string {
  const members = [...parts].map(([name, json]) => `${JSON.stringify(name)}:${json}`);
  const memory = `{"version":${version},"podUid":${JSON.stringify(podUid)},"parts":{${members.join()}}}`;
  return `${opening}${crc32(memory)}${middle}${memory}}\n`;
}

const opening = '{"checksum":';
const middle = ',"memory":';

/** Reads a file's text strictly. Throws an error that says what is wrong with it. */
export function decodeMemoryFile(text: string): MemoryFileContent {
  const start = text.indexOf(middle);
  if (!text.startsWith(opening) || start < 0 || !text.endsWith('}\n')) throw new Error('it is cut off or no memory');
  const memory = text.slice(start + middle.length, -2);
  const found = text.slice(opening.length, start);
  const expected = String(crc32(memory));
  if (found !== expected) throw new Error(`checksum is ${found}, expected ${expected}`);
  const value = JSON.parse(memory) as { version?: unknown; podUid?: unknown; parts?: unknown } | null;
  if (value?.version !== version) throw new Error(`version is ${String(value?.version)}, expected ${version}`);
  const { podUid, parts } = value;
  if (typeof podUid !== 'string' || typeof parts !== 'object' || parts === null) throw new Error('members are missing');
  return { podUid, parts: new Map(Object.entries(parts).map(([name, part]) => [name, JSON.stringify(part)])) };
}
