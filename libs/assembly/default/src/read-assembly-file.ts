import { open } from 'node:fs/promises';
import type { AssemblyFault } from '@podwright/assembly-interface';
import { messageOf } from '@podwright/errors';
import { parseAllDocuments } from 'yaml';
import { decodeAssemblyFile } from './assembly-file.js';
import type { DecodedAssemblyFile } from './assembly-file.js';

// Far above any real file; the bound ends the read of a wrong path, such as a device.
const mostBytes = 1024 * 1024;

/** Reads and decodes an assembly file, YAML or JSON. Never rejects: its faults include read and syntax errors. */
export async function readAssemblyFile(file: string): Promise<DecodedAssemblyFile> {
  try {
    const text = await readBounded(file);
    const documents = parseAllDocuments(text);
    const [document] = documents;
    if (!Array.isArray(documents) || document === undefined) return failed(file, 'is empty');
    if (documents.length > 1) return failed(file, `must hold one document, found ${documents.length}`);
    const [problem] = document.errors;
    if (problem !== undefined) return failed(file, `cannot be parsed: ${problem.message}`);
    return decodeAssemblyFile(file, document.toJS());
  } catch (error) {
    return failed(file, `cannot be read: ${messageOf(error)}`);
  }
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
