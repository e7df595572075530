import { open, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { KubeletError } from '@podwright/errors';
import { exists, makeDirectory } from '@podwright/filesystem';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import { finishSwitch, switchLink, type CurrentLink } from './current-link.js';
import { readPair, type StoredPair } from './stored-pair.js';

export interface FileCertificateStoreOptions {
  /** `kubelet-client` or `kubelet-server`. */
  readonly prefix: string;
  /** Absolute path. Created with mode 0755 at the first save. */
  readonly directory: string;
  /** Certificate to use while nothing is stored; empty for none. */
  readonly certFile?: string;
  readonly keyFile?: string;
}

const datedName = /^-\d{4}(-\d\d){5}\.pem$/;

/**
 * Stores certificates in files `<prefix>-<local time>.pem`, with the link `<prefix>-current.pem` to the one in use.
 * Source: kubernetes v1.36 staging/src/k8s.io/client-go/util/certificate/certificate_store.go.
 */
export class FileCertificateStore {
  private readonly link: CurrentLink;

  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    private readonly logger: Logger,
    private readonly options: FileCertificateStoreOptions,
  ) {
    this.link = { current: this.file('current'), updated: this.file('updated') };
  }

  /** Path of the link, which may not exist yet. */
  get currentPath(): string {
    return this.link.current;
  }

  /** Call it once before {@link load}: completes an interrupted switch and removes half-written files of a crash. */
  async recover(): Promise<void> {
    await finishSwitch(this.link);
    const { prefix, directory } = this.options;
    if (!(await exists(directory))) return;
    for (const name of await readdir(directory)) {
      const file = path.join(directory, name);
      const dated = name.startsWith(`${prefix}-`) && datedName.test(name.slice(prefix.length));
      if (!dated || (await readable(file))) continue;
      this.logger.info('Removing a certificate file that was not written to its end', { file });
      await rm(file, { force: true });
    }
  }

  /**
   * The pair in use; undefined when there is none. A link to an unusable file counts as none, so that a new certificate
   * can be requested.
   */
  async load(): Promise<StoredPair | undefined> {
    const { certFile = '', keyFile = '', directory, prefix } = this.options;
    const places: readonly (readonly [string, string])[] = [
      [this.link.current, this.link.current],
      [certFile, keyFile],
      [path.join(directory, `${prefix}.crt`), path.join(directory, `${prefix}.key`)],
    ];
    for (const [cert, key] of places) {
      if (cert === '' || key === '' || !(await exists(cert)) || !(await exists(key))) continue;
      try {
        const pair = readPair(await readFile(cert, 'utf8'), await readFile(key, 'utf8'));
        this.logger.info('Loading cert/key pair', { certFile: cert, keyFile: key });
        return pair;
      } catch (error) {
        this.logger.error('A certificate on the disk cannot be used', { certFile: cert, keyFile: key, error });
      }
    }
    return undefined;
  }

  /** Stores a pair and makes it the one in use. When it rejects, the old pair stays. */
  async save(certificate: string, privateKey: string): Promise<StoredPair> {
    const checked = readPair(certificate, privateKey);
    const file = this.file(localTime(this.clock.now()));
    await makeDirectory(this.options.directory, 0o755);
    try {
      await writeSynced(file, checked.certificate + checked.privateKey);
      const text = await readFile(file, 'utf8');
      const stored = readPair(text, text);
      await switchLink(this.link, file);
      return stored;
    } catch (error) {
      await rm(file, { force: true });
      throw new KubeletError(`cannot store the certificate in ${file}`, {
        code: KubeletError.from(error).code,
        cause: error,
      });
    }
  }

  private file(qualifier: string): string {
    return path.join(this.options.directory, `${this.options.prefix}-${qualifier}.pem`);
  }
}

async function readable(file: string): Promise<boolean> {
  try {
    const text = await readFile(file, 'utf8');
    readPair(text, text);
    return true;
  } catch {
    // Any error makes the file unusable.
    return false;
  }
}

async function writeSynced(file: string, content: string): Promise<void> {
  const handle = await open(file, 'w', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

// Go's layout 2006-01-02-15-04-05 in the machine's time zone, as upstream.
function localTime(nowMs: number): string {
  const at = new Date(nowMs);
  const parts = [at.getFullYear(), at.getMonth() + 1, at.getDate(), at.getHours(), at.getMinutes(), at.getSeconds()];
  return parts.map((part, index) => String(part).padStart(index === 0 ? 4 : 2, '0')).join('-');
}
