import { createHash } from 'node:crypto';
import { constants, copyFileSync, createReadStream, mkdirSync } from 'node:fs';
import path from 'node:path';

/** A file that a release hands out. */
export interface Artefact {
  /** Relative to the release, with forward slashes: `packages/podwright-pleg-0.1.0.tgz`. */
  readonly name: string;
  readonly file: string;
  readonly sha256: string;
  readonly sha512: string;
}

export async function readArtefact(name: string, file: string): Promise<Artefact> {
  const [sha256, sha512] = [createHash('sha256'), createHash('sha512')];
  for await (const chunk of createReadStream(file)) {
    sha256.update(chunk as Buffer);
    sha512.update(chunk as Buffer);
  }
  return { name, file, sha256: sha256.digest('hex'), sha512: sha512.digest('hex') };
}

/** Copies `file` into the release, as `name`. */
export function addArtefact(folder: string, name: string, file: string): Promise<Artefact> {
  const copy = path.join(folder, name);
  mkdirSync(path.dirname(copy), { recursive: true });
  if (path.resolve(file) !== copy) copyFileSync(file, copy, constants.COPYFILE_FICLONE);
  return readArtefact(name, copy);
}
