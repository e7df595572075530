import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Files of the repository as seeds. */
export const seedFiles =
  (...files: readonly string[]) =>
  (): readonly Buffer[] =>
    files.map((file) => readFileSync(path.resolve(file)));
