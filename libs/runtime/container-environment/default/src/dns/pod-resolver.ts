import { open } from 'node:fs/promises';
import type { DeepPartial, DNSConfig } from '@podwright/cri-client-interface';
import { errnoWords, hasCode, KubeletError, messageOf } from '@podwright/errors';
import type { EventRecorder } from '@podwright/events-interface';
import type { Pod } from '@podwright/kube-types';
import { checkNodeFile, fitToLimits } from './dns-limits.js';
import { podDns } from './pod-dns.js';
import type { ClusterDns } from './pod-dns.js';
import { maxResolvConfBytes, parseResolvConf } from './resolv-conf.js';
import type { ResolverSettings } from './resolv-conf.js';

export interface PodResolverOptions extends ClusterDns {
  /** Path of the node's resolver file; empty when there is none. */
  readonly resolvConf: string;
}

/** Makes the resolver settings of sandboxes and reports faults in them as events. */
export class PodResolver {
  constructor(
    private readonly events: EventRecorder,
    private readonly options: PodResolverOptions,
  ) {}

  /**
   * Records an event on the node when its resolver file cannot be read or has more than pods can use. Never rejects for
   * the file.
   */
  async checkNodeFile(): Promise<void> {
    const { resolvConf, clusterDomain } = this.options;
    if (resolvConf === '') return;
    const settings = await readNodeFile(resolvConf).catch((error: unknown) => messageOf(error));
    const warnings =
      typeof settings === 'string' ? [settings] : checkNodeFile(resolvConf, settings, clusterDomain !== '');
    for (const warning of warnings) {
      this.events.event({ kind: 'Node' }, 'Warning', 'CheckLimitsForResolvConf', warning);
    }
  }

  async forPod(pod: Pod): Promise<DeepPartial<DNSConfig>> {
    const { resolvConf } = this.options;
    // Read for each sandbox: the file changes with the node's network, and new sandboxes are rare.
    const node = resolvConf === '' ? undefined : await readNodeFile(resolvConf).catch(whileParsing);
    const { settings, missingClusterDns } = podDns(pod, node, this.options);
    if (missingClusterDns !== undefined) {
      this.events.event({ kind: 'Node' }, 'Warning', 'MissingClusterDNS', missingClusterDns.node);
      this.events.event({ kind: 'Pod', pod }, 'Warning', 'MissingClusterDNS', missingClusterDns.pod);
    }
    const { settings: fitted, warnings } = fitToLimits(settings);
    for (const warning of warnings) this.events.event({ kind: 'Pod', pod }, 'Warning', 'DNSConfigForming', warning);
    return fitted;
  }
}

/** Rejects with upstream's text, `not-found` when the file cannot be opened. */
async function readNodeFile(path: string): Promise<ResolverSettings> {
  const text = await readBounded(path).catch((error: unknown) => {
    if (!(error instanceof Error && 'errno' in error)) throw error;
    const { syscall = 'open' } = error as NodeJS.ErrnoException;
    const code = syscall === 'open' ? 'not-found' : 'invalid-argument';
    throw new KubeletError(`${syscall} ${path}: ${errnoWords(error)}`, { code, cause: error });
  });
  return parseResolvConf(text);
}

/** Upstream's events of pods have these words, its event of the node has not. */
function whileParsing(error: unknown): never {
  if (hasCode(error, 'not-found')) throw error;
  const message = `Encountered error while parsing resolv conf file. Error: ${messageOf(error)}`;
  throw new KubeletError(message, { code: 'invalid-argument', cause: error });
}

/** Fits nearly every file. */
const usualBytes = 8 * 1024;

async function readBounded(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const buffer = Buffer.allocUnsafe(usualBytes);
    const { bytesRead } = await file.read(buffer, 0, usualBytes, 0);
    if (bytesRead < usualBytes) return buffer.toString('utf8', 0, bytesRead);
    const { size } = await file.stat();
    if (size > maxResolvConfBytes) throw new KubeletError('the read limit is reached', { code: 'resource-exhausted' });
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}
