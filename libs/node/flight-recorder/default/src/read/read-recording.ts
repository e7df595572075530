import { readFile, stat } from 'node:fs/promises';
import { constants, gunzip } from 'node:zlib';
import { promisify } from 'node:util';
import { isMissing, KubeletError, messageOf } from '@podwright/errors';
import { recordingVersion, type RecordingHeader, type RecordingLine } from '@podwright/flight-recorder-interface';
import { isJsonObject } from '@podwright/kube-types';
import { RecordingFiles } from '../disk/recording-files.js';
import { joinSegments, type Segment } from './join-segments.js';

const decompress = promisify(gunzip);
// Zip bombs end here; a recording of 64 MiB is rarely longer than 1200 MiB.
const mostBytes = 2 ** 31;

export interface Recording {
  readonly header: RecordingHeader;
  /** Times count from the header, so those of a snapshot are before 0. */
  readonly lines: readonly RecordingLine[];
  /** The last line was torn or is no JSON: the process was killed while it wrote, or the file was cut. */
  readonly torn: boolean;
}

type Refuse = (problem: string, cause?: unknown) => KubeletError;

/**
 * Reads a recording, of a directory that of the newest process. Rejects with a sentence that names the file and what is
 * wrong with it.
 */
export async function readRecording(place: string): Promise<Recording> {
  const segments: Segment[] = [];
  for (const file of await filesOf(place)) {
    const refuse: Refuse = (problem, cause) =>
      new KubeletError(`${file}: ${problem}`, { code: 'invalid-argument', ...(cause !== undefined && { cause }) });
    const bytes = await readFile(file).catch((error: unknown) => {
      throw refuse(isMissing(error) ? 'there is no such file' : messageOf(error), error);
    });
    if (bytes.length === 0) throw refuse('the file is empty');
    segments.push(...parseSegments(await unpacked(bytes, refuse), refuse));
  }
  return joinSegments(segments as [Segment, ...Segment[]]);
}

async function filesOf(place: string): Promise<readonly string[]> {
  const found = await stat(place).catch((error: unknown) => {
    if (isMissing(error)) return undefined; // The reader says so.
    throw error;
  });
  if (found?.isDirectory() !== true) return [place];
  const newest = await new RecordingFiles(place).newest();
  if (newest.length === 0)
    throw new KubeletError(`${place}: there is no recording in this directory; it takes ROOT-DIR/flight-recorder`, {
      code: 'not-found',
    });
  return newest;
}

async function unpacked(bytes: Buffer, refuse: Refuse): Promise<Buffer> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) {
    // Unpacked by hand, or written by a failed test.
    if (bytes[0] === 0x7b) return bytes;
    throw refuse('is no recording: it is neither gzip nor JSON lines');
  }
  try {
    // The end of a killed process's file may be missing.
    return await decompress(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: mostBytes });
  } catch (error) {
    throw refuse(`cannot be unpacked: ${messageOf(error)}`, error);
  }
}

/** Parses a recording, of one or more segments; `refuse` makes the error. */
export function parseRecording(text: string, refuse: (problem: string) => Error): Recording {
  return joinSegments(parseSegments(Buffer.from(text), refuse));
}

function parseSegments(bytes: Buffer, refuse: (problem: string) => Error): [Segment, ...Segment[]] {
  const segments: { header: RecordingHeader; lines: RecordingLine[]; torn: boolean }[] = [];
  for (const { text, torn } of linesOf(bytes)) {
    const parsed = parseLine(text);
    const last = segments.at(-1);
    if (parsed?.['t'] === 'recording' || last === undefined)
      segments.push({ header: headerOf(parsed, refuse), lines: [], torn: false });
    else if (last.torn) continue;
    // What follows a broken line may be whole, but nobody knows what is missing in between.
    else if (parsed === undefined || typeof parsed['t'] !== 'string') last.torn = true;
    else last.lines.push(parsed as unknown as RecordingLine);
    const current = segments.at(-1);
    if (torn && current !== undefined) current.torn = true;
  }
  const [first, ...later] = segments;
  if (first === undefined) throw refuse('is no recording: its first line is no header of one');
  return [first, ...later];
}

/** A line at a time, because all may be more than a text can hold. */
function* linesOf(bytes: Buffer): Generator<{ readonly text: string; readonly torn: boolean }> {
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf(0x0a, from);
    const to = end === -1 ? bytes.length : end;
    if (to > from) yield { text: bytes.toString('utf8', from, to), torn: end === -1 };
    from = to + 1;
  }
}

function headerOf(header: ReturnType<typeof parseLine>, refuse: (problem: string) => Error): RecordingHeader {
  if (header?.['t'] !== 'recording' || typeof header['version'] !== 'number') {
    throw refuse('is no recording: its first line is no header of one');
  }
  if (header['version'] > recordingVersion) {
    throw refuse(
      `has version ${header['version']} of the format, this program reads up to ${recordingVersion}: replay it with the kubelet that wrote it`,
    );
  }
  if (typeof header['startedAtMs'] !== 'number') throw refuse('its first line has no startedAtMs');
  return header as unknown as RecordingHeader;
}

function parseLine(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
