import { LOGGER, decodeOptions } from '@podwright/assembly-interface';
import type { Logger } from '@podwright/logging';
import type { PodMemory, PodMemoryPart } from '@podwright/pod-memory-interface';
import path from 'node:path';
import { inject, injectable } from 'tsyringe';
import { FILE_POD_MEMORY_CONFIG, filePodMemoryConfigSchema } from './file-pod-memory-config.js';
import type { FilePodMemoryConfig } from './file-pod-memory-config.js';
import { readMemoryDirectory } from './memory-directory.js';
import { memoryFileName } from './memory-file-format.js';
import { MemoryFile } from './memory-file.js';

/**
 * {@link PodMemory} in one file per pod below the state directory: changes are appended, now and then it is written anew. Nothing is
 * synced to the disk: after a kill -9 the page cache has it, and after a power cut the containers are gone too.
 */
@injectable()
export class FilePodMemory implements PodMemory {
  private readonly files = new Map<string, MemoryFile>();
  private readonly directory: string;
  private refusing = false;

  constructor(
    @inject(LOGGER) private readonly logger: Logger,
    @inject(FILE_POD_MEMORY_CONFIG) private readonly config: FilePodMemoryConfig,
  ) {
    this.directory = path.join(config.rootDir, 'pod_memory');
  }

  async start(): Promise<void> {
    for (const { podUid, parts } of await readMemoryDirectory(this.directory, this.logger)) {
      this.files.set(podUid, this.createFile(podUid, parts));
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.files.values()].map((file) => file.idle()));
  }

  recall<T>(podUid: string, part: PodMemoryPart<T>): T | undefined {
    const json = this.files.get(podUid)?.get(part.name);
    if (json === undefined) return undefined;
    try {
      return part.decode(JSON.parse(json));
    } catch (error) {
      this.logger.warn('A part of the memory of a pod cannot be used', { podUid, part: part.name, error });
      return undefined;
    }
  }

  async keep<T>(podUid: string, part: PodMemoryPart<T>, value: T | undefined): Promise<void> {
    const json = value === undefined ? undefined : JSON.stringify(value);
    const known = this.files.get(podUid);
    if (known === undefined && json === undefined) return;
    const file = known ?? this.createFile(podUid);
    this.files.set(podUid, file);
    await file.set(part.name, json);
    this.dropEmpty(podUid, file);
  }

  async forget(podUid: string): Promise<void> {
    const file = this.files.get(podUid);
    if (file === undefined) return;
    await file.clear();
    this.dropEmpty(podUid, file);
  }

  podUids(): readonly string[] {
    return [...this.files].flatMap(([uid, file]) => (file.empty ? [] : [uid]));
  }

  // Only when nothing waits to be written: a new object for the same file could overtake this one.
  private dropEmpty(podUid: string, file: MemoryFile): void {
    if (file.empty && file.settled && this.files.get(podUid) === file) this.files.delete(podUid);
  }

  private createFile(podUid: string, parts?: ReadonlyMap<string, string>): MemoryFile {
    return new MemoryFile(
      {
        podUid,
        file: path.join(this.directory, memoryFileName(podUid)),
        maxBytes: this.config.maxBytesPerPod,
        onWritten: (error) => this.report(podUid, error),
        onTooLarge: (names) =>
          this.logger.error('The memory of a pod is too large for its file; a restart of the kubelet loses a part', {
            podUid,
            parts: names,
            maxBytes: this.config.maxBytesPerPod,
          }),
      },
      parts,
    );
  }

  // Once when it begins and once when it is over: every change of every pod would say the same.
  private report(podUid: string, error: unknown): void {
    const { directory } = this;
    if (error !== undefined && !this.refusing)
      this.logger.error('The memory of a pod cannot be written, trying again with the next change', {
        podUid,
        directory,
        error,
      });
    else if (error === undefined && this.refusing) this.logger.info('Pod memory can be written again', { directory });
    this.refusing = error !== undefined;
  }
}

export interface FilePodMemoryDeps {
  readonly logger: Logger;
}

/** Makes one without a container. Throws `invalid-argument` for options out of range. */
export function createFilePodMemory(
  deps: FilePodMemoryDeps,
  options: Partial<FilePodMemoryConfig> = {},
): FilePodMemory {
  const config = decodeOptions('pod-memory', filePodMemoryConfigSchema, options);
  return new FilePodMemory(deps.logger, config);
}
