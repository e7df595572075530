import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '@podwright/checkpoint';
import { generatePrivateKey, readPrivateKey } from '@podwright/x509';

/** The key of a request that has not been answered, kept so that a killed kubelet can go on with it. */
export class PendingKey {
  private readonly file: string;

  constructor(certDir: string) {
    this.file = path.join(certDir, 'kubelet-client.key.tmp');
  }

  /** PEM; a new one, stored with mode 0600, when there is none that can be read. */
  async load(): Promise<string> {
    try {
      const text = await readFile(this.file, 'utf8');
      readPrivateKey(text);
      return text;
    } catch {
      // Missing at the first start, or half a file: a new key does.
      const key = await generatePrivateKey();
      await writeFileAtomically(this.file, key, { mode: 0o600 });
      return key;
    }
  }

  async remove(): Promise<void> {
    await rm(this.file, { force: true });
  }
}
