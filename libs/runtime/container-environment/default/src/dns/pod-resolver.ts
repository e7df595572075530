import { open } from 'node:fs/promises';
import type { DeepPartial, DNSConfig } from '@podwright/cri-client-interface';
import { KubeletError, messageOf } from '@podwright/errors';
import type { EventRecorder } from '@podwright/events-interface';
import type { Pod } from '@podwright/kube-types';
import { checkNodeFile, fitToLimits } from './dns-limits.js';
import { podDns } from './pod-dns.js';
import type { ClusterDns } from './pod-dns.js';
import { maxResolvConfBytes, parseResolvConf } from './resolv-conf.js';
import type { ResolverSettings } from './resolv-conf.js';

export interface PodResolverOptions extends ClusterDns {
  /** Empty: none. */
  readonly resolvConf: string;
}

/** Makes the resolver settings of sandboxes and tells what is wrong with them as events. */
export class PodResolver {
  private nodeFileChecked = false;

  constructor(
    private readonly events: EventRecorder,
    private readonly options: PodResolverOptions,
  ) {}

  async forPod(pod: Pod): Promise<DeepPartial<DNSConfig>> {
    // Read for each sandbox: the file changes with the node's network, and a sandbox is rare.
    const node = this.options.resolvConf === '' ? undefined : await this.readNodeFile(this.options.resolvConf);
    const { settings, missingClusterDns } = podDns(pod, node, this.options);
    if (missingClusterDns !== undefined) {
      this.events.event({ kind: 'Node' }, 'Warning', 'MissingClusterDNS', missingClusterDns.node);
      this.events.event({ kind: 'Pod', pod }, 'Warning', 'MissingClusterDNS', missingClusterDns.pod);
    }
    const { settings: fitted, warnings } = fitToLimits(settings);
    for (const warning of warnings) this.events.event({ kind: 'Pod', pod }, 'Warning', 'DNSConfigForming', warning);
    return fitted;
  }

  private async readNodeFile(path: string): Promise<ResolverSettings> {
    let settings: ResolverSettings;
    try {
      settings = parseResolvConf(await readBounded(path));
    } catch (error) {
      if (error instanceof Error && 'errno' in error)
        throw new KubeletError(error.message, { code: 'not-found', cause: error });
      const message = `Encountered error while parsing resolv conf file. Error: ${messageOf(error)}`;
      throw new KubeletError(message, { code: 'invalid-argument', cause: error });
    }
    if (!this.nodeFileChecked) {
      this.nodeFileChecked = true;
      for (const warning of checkNodeFile(path, settings, this.options.clusterDomain !== '')) {
        this.events.event({ kind: 'Node' }, 'Warning', 'CheckLimitsForResolvConf', warning);
      }
    }
    return settings;
  }
}

async function readBounded(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    if (size > maxResolvConfBytes) throw new KubeletError('the read limit is reached', { code: 'resource-exhausted' });
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}
