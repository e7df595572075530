import { needs, optional, type Needs } from '@podwright/assembly-interface';
import { hugePageSizes } from '@podwright/cgroup-files';
import type { CriResources, LinuxResources } from '@podwright/container-runtime-interface';
import { EXCLUSIVE_CPUS } from '@podwright/cpu-manager-interface';
import type { Container, Pod } from '@podwright/kube-types';
import { containerResources, overheadResources, sandboxResources, type ResourceSettings } from './linux-resources.js';

export const linuxResourcesNeeds = needs({
  /** Knows the containers that run without a CPU quota; absent when CPUs are not assigned exclusively. */
  exclusiveCpus: optional(EXCLUSIVE_CPUS),
});

/** {@link LinuxResources} from the node's settings and the huge pages of its kernel. */
export class SettingsLinuxResources implements LinuxResources {
  private sizes: Promise<readonly string[]> | undefined;

  constructor(
    private readonly deps: Needs<typeof linuxResourcesNeeds>,
    private readonly settings: ResourceSettings & { readonly hugePagesDir: string },
  ) {}

  async ofContainer(pod: Pod, container: Container): Promise<CriResources> {
    return containerResources(pod, container, this.settings, await this.hugePageSizes(), this.deps.exclusiveCpus);
  }

  ofSandbox(pod: Pod): CriResources {
    return sandboxResources(pod, this.settings, this.deps.exclusiveCpus);
  }

  overheadOf(pod: Pod): CriResources {
    return overheadResources(pod, this.settings);
  }

  // Cached, because they do not change while the node runs. A kernel without huge pages has no such folder.
  private hugePageSizes(): Promise<readonly string[]> {
    this.sizes ??= hugePageSizes(this.settings.hugePagesDir).then(
      (sizes) => sizes.map(({ name }) => name),
      () => [],
    );
    return this.sizes;
  }
}
