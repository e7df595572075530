import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '@podwright/checkpoint';
import { generatePrivateKey, readPrivateKey } from '@podwright/x509';

/** The key of an unanswered request, kept on disk so that a restarted kubelet can resume the request. */
export class PendingKey {
  readonly file: string;

  constructor(certDir: string) {
    this.file = path.join(certDir, 'kubelet-client.key.tmp');
  }

  /** PEM. When no key can be read, creates one and stores it with mode 0600. */
  async load(): Promise<string> {
    try {
      const text = await readFile(this.file, 'utf8');
      readPrivateKey(text);
      return text;
    } catch {
      // The file is missing at the first start, or incomplete: create a new key.
      const key = await generatePrivateKey();
      await writeFileAtomically(this.file, key, { mode: 0o600 });
      return key;
    }
  }

  async remove(): Promise<void> {
    await rm(this.file, { force: true });
  }
}
