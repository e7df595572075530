import { open } from 'node:fs/promises';
import type { AssemblyFault } from '@podwright/assembly-interface';
import { messageOf } from '@podwright/errors';
import { formatFault, isSourceObject, readDocuments } from '@podwright/pod-manifest';
import type { SourceDocument, SourceValue } from '@podwright/pod-manifest';
import { decodeAssemblyFile } from './assembly-file.js';
import type { DecodedAssemblyFile } from './assembly-file.js';

// Far above any real file; the bound ends the read of a wrong path, such as a device.
const mostBytes = 1024 * 1024;

/** Reads and decodes an assembly file, YAML or JSON. Never rejects: its faults include read and syntax errors. */
export async function readAssemblyFile(file: string): Promise<DecodedAssemblyFile> {
  try {
    return parseAssemblyFile(await readBounded(file), file);
  } catch (error) {
    return failed(file, `cannot be read: ${messageOf(error)}`);
  }
}

/** Decodes the text of an assembly file, as the kubelet reads manifests: YAML 1.1, with bounds for depth and aliases. */
export function parseAssemblyFile(text: string, file: string): DecodedAssemblyFile {
  let documents: readonly SourceDocument[];
  try {
    documents = readDocuments(text);
  } catch (error) {
    return failed(file, `cannot be parsed: ${messageOf(error)}`);
  }
  const [document] = documents;
  if (document === undefined) return failed(file, 'is empty');
  if (documents.length > 1) return failed(file, `must hold one document, found ${documents.length}`);
  const [duplicate] = document.faults;
  if (duplicate !== undefined) return failed(file, `cannot be parsed: ${formatFault(duplicate)}`);
  return decodeAssemblyFile(file, plainJson(document.value));
}

/** Options are plain objects, and their numbers no bigints. */
function plainJson(value: SourceValue): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(plainJson);
  if (!isSourceObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plainJson(item)]));
}

async function readBounded(file: string): Promise<string> {
  const handle = await open(file, 'r');
  try {
    if (!(await handle.stat()).isFile()) throw new Error('not a regular file');
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(mostBytes + 1), 0, mostBytes + 1, 0);
    if (bytesRead > mostBytes) throw new Error(`larger than ${mostBytes} bytes`);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

function failed(file: string, problem: string): DecodedAssemblyFile {
  const fault: AssemblyFault = { kind: 'bad-file', message: `${file} ${problem}`, field: '' };
  return { changes: [], faults: [fault] };
}
