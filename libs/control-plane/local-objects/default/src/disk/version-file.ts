import type { Logger } from '@podwright/logging';
import path from 'node:path';
import type { ObjectDisk } from './object-disk.js';

const format = /^version-(\d{16})$/;
const nameOf = (version: number): string => `version-${String(version).padStart(16, '0')}`;

/** So many versions are reserved at once: a commit in a thousand writes one file more. */
const reservedAtOnce = 1000;
/** A store begins with this version, because 0 has a meaning of its own in the API. */
const firstVersion = 1;

/**
 * The highest version that may have been given, as the name of an empty file. A removal leaves no object that tells its
 * version, so it must be remembered. A name needs no new space when it changes: objects can be removed from a full disk.
 */
export class VersionFile {
  /** What the name says; undefined: there is no file. */
  private named: number | undefined;
  /** What the name says also after a power cut. */
  private durable = 0;

  constructor(
    private readonly disk: ObjectDisk,
    private readonly directory: string,
  ) {}

  /**
   * The version to go on from. `names`: what is in the directory; `highest`: the highest version of an object. Removes
   * all version files but one.
   */
  async read(names: readonly string[], highest: number, logger: Logger): Promise<number> {
    const found = names.filter((name) => format.test(name)).sort();
    const last = found.pop();
    for (const name of found) await this.disk.remove(path.join(this.directory, name));
    if (last !== undefined) {
      this.named = Number(format.exec(last)?.[1]);
      await this.disk.sync(this.directory);
      this.durable = this.named;
      return Math.max(this.named, highest, firstVersion);
    }
    if (highest === 0) return firstVersion;
    logger.error('The version of the local objects is lost; it goes on from the highest one of an object', {
      directory: this.directory,
      highest,
    });
    return highest + reservedAtOnce;
  }

  /** Resolves when this version may be given. */
  async reserve(version: number): Promise<void> {
    if (version <= this.durable) return;
    if (this.named === undefined || this.named < version) {
      const next = (Math.floor(version / reservedAtOnce) + 1) * reservedAtOnce;
      const file = path.join(this.directory, nameOf(next));
      if (this.named === undefined) await this.disk.write(file, '');
      else await this.disk.rename(path.join(this.directory, nameOf(this.named)), file);
      this.named = next;
    }
    await this.disk.sync(this.directory);
    this.durable = this.named;
  }
}
