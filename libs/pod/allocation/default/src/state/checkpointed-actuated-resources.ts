import type { ActuatedResources } from '@podwright/allocation-interface';
import type { ResourceRequirements } from '@podwright/kube-types';
import type { AllocationStateConfig } from './allocation-state-config.js';
import { CheckpointedRecords } from './checkpointed-records.js';

/** {@link ActuatedResources} in `actuated_pods_state`. */
export class CheckpointedActuatedResources extends CheckpointedRecords implements ActuatedResources {
  constructor({ rootDir }: AllocationStateConfig) {
    super(rootDir, 'actuated_pods_state');
  }

  async setContainer(podUid: string, containerName: string, resources: ResourceRequirements): Promise<void> {
    const before = this.of(podUid);
    this.entries.set(podUid, { ...before, containers: { ...before?.containers, [containerName]: resources } });
    await this.flush();
  }

  async setPod(podUid: string, resources: ResourceRequirements): Promise<void> {
    this.entries.set(podUid, { containers: this.of(podUid)?.containers ?? {}, pod: resources });
    await this.flush();
  }
}
