import { readFile, stat } from 'node:fs/promises';
import { constants, gunzip } from 'node:zlib';
import { promisify } from 'node:util';
import { isMissing, KubeletError, messageOf } from '@podwright/errors';
import { recordingVersion, type RecordingHeader, type RecordingLine } from '@podwright/flight-recorder-interface';
import { isJsonObject } from '@podwright/kube-types';
import { RecordingFiles } from '../disk/recording-files.js';

const decompress = promisify(gunzip);
// Zip bombs end here; a recording of 32 MiB is rarely longer than 600 MiB.
const mostBytes = 2 ** 31;

export interface Recording {
  readonly header: RecordingHeader;
  readonly lines: readonly RecordingLine[];
  /** The last line was torn or is no JSON: the process was killed while it wrote, or the file was cut. */
  readonly torn: boolean;
}

/** Reads a recording, of a directory the newest. Rejects with a sentence that names the file and what is wrong with it. */
export async function readRecording(place: string): Promise<Recording> {
  const file = await fileOf(place);
  const refuse = (problem: string, cause?: unknown): KubeletError =>
    new KubeletError(`${file}: ${problem}`, { code: 'invalid-argument', ...(cause !== undefined && { cause }) });
  const bytes = await readFile(file).catch((error: unknown) => {
    throw refuse(isMissing(error) ? 'there is no such file' : messageOf(error), error);
  });
  if (bytes.length === 0) throw refuse('the file is empty');
  return parseRecording(await textOf(bytes, refuse), refuse);
}

async function fileOf(place: string): Promise<string> {
  const found = await stat(place).catch((error: unknown) => {
    if (isMissing(error)) return undefined; // The reader says so.
    throw error;
  });
  if (found?.isDirectory() !== true) return place;
  const newest = await new RecordingFiles(place).newest();
  if (newest === undefined)
    throw new KubeletError(`${place}: there is no recording in this directory; it takes ROOT-DIR/flight-recorder`, {
      code: 'not-found',
    });
  return newest;
}

async function textOf(bytes: Buffer, refuse: (problem: string, cause?: unknown) => KubeletError): Promise<string> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) {
    // Unpacked by hand, or written by a failed test.
    if (bytes[0] === 0x7b) return bytes.toString('utf8');
    throw refuse('is no recording: it is neither gzip nor JSON lines');
  }
  try {
    // The end of a killed process's file may be missing.
    return (await decompress(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: mostBytes })).toString(
      'utf8',
    );
  } catch (error) {
    throw refuse(`cannot be unpacked: ${messageOf(error)}`, error);
  }
}

/** Parses the lines of a recording; `refuse` makes the error. */
export function parseRecording(text: string, refuse: (problem: string) => Error): Recording {
  const texts = text.split('\n').filter((line) => line !== '');
  const header = parseLine(texts[0] ?? '');
  if (header?.['t'] !== 'recording' || typeof header['version'] !== 'number') {
    throw refuse('is no recording: its first line is no header of one');
  }
  if (header['version'] > recordingVersion) {
    throw refuse(
      `has version ${header['version']} of the format, this program reads up to ${recordingVersion}: replay it with the kubelet that wrote it`,
    );
  }
  if (typeof header['startedAtMs'] !== 'number') throw refuse('its first line has no startedAtMs');
  const lines: RecordingLine[] = [];
  let torn = !text.endsWith('\n');
  for (const line of texts.slice(1)) {
    const parsed = parseLine(line);
    // What follows a broken line may be whole, but nobody knows what is missing in between.
    if (parsed === undefined || typeof parsed['t'] !== 'string') {
      torn = true;
      break;
    }
    lines.push(parsed as unknown as RecordingLine);
  }
  return { header: header as unknown as RecordingHeader, lines, torn };
}

function parseLine(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
