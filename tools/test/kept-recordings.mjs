import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const usual = fileURLToPath(new URL('../../node_modules/.cache/podwright/recordings', import.meta.url));

/** Where the recordings of failed cases are kept. */
export const recordingsDir = () => process.env.PODWRIGHT_RECORDINGS ?? usual;

/**
 * Before the first spec: forgets the recordings of the run before. `npm test` runs jest once for each tier and names the
 * run in PODWRIGHT_TEST_RUN. A folder that somebody has named is left as it is.
 */
export default async function forgetRecordings() {
  if (recordingsDir() !== usual) return;
  const [file, run] = [path.join(usual, 'run'), process.env.PODWRIGHT_TEST_RUN ?? `jest ${process.pid}`];
  const before = await readFile(file, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  if (before === run) return;
  await rm(usual, { recursive: true, force: true });
  await mkdir(usual, { recursive: true });
  await writeFile(file, run);
}
