import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { appendWhole } from '@podwright/checkpoint';
import { isMissing } from '@podwright/errors';
import { makeDirectory } from '@podwright/filesystem';

// As for the journal: nobody but root needs them.
const directoryMode = 0o700;
const namePattern = /^(\d{10})\.jsonl\.gz$/;

interface StoredRecording {
  readonly file: string;
  readonly index: number;
  readonly bytes: number;
}

/** The recordings in a directory, one for each process, numbered from the oldest. */
export class RecordingFiles {
  constructor(readonly directory: string) {}

  /** Removes the oldest recordings until at most `maxBytes` are left, and returns the name of a new one. */
  async begin(maxBytes: number): Promise<string> {
    const stored = await this.list();
    let bytes = stored.reduce((sum, each) => sum + each.bytes, 0);
    for (const oldest of stored) {
      if (bytes <= maxBytes) break;
      await rm(oldest.file, { force: true });
      bytes -= oldest.bytes;
    }
    await makeDirectory(this.directory, directoryMode);
    const index = (stored.at(-1)?.index ?? 0) + 1;
    return path.join(this.directory, `${String(index).padStart(10, '0')}.jsonl.gz`);
  }

  /** Appends all of the bytes or none. */
  async append(file: string, bytes: Uint8Array): Promise<void> {
    await appendWhole(file, bytes);
  }

  /** Undefined: there is none. */
  async newest(): Promise<string | undefined> {
    return (await this.list()).at(-1)?.file;
  }

  private async list(): Promise<readonly StoredRecording[]> {
    const names = await readdir(this.directory).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    const found = await Promise.all(
      names.map(async (name): Promise<StoredRecording | undefined> => {
        const digits = namePattern.exec(name)?.[1];
        if (digits === undefined) return undefined;
        const file = path.join(this.directory, name);
        return { file, index: Number(digits), bytes: (await stat(file)).size };
      }),
    );
    return found.filter((each) => each !== undefined).sort((left, right) => left.index - right.index);
  }
}
