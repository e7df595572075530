import type { TopologyHint } from '@podwright/topology-manager-interface';

interface Owner {
  readonly podUid: string;
  readonly container: string;
}

/** The decision for each container, kept as long as one of its container ids exists. */
export class ContainerDecisions {
  private readonly hints = new Map<string, Map<string, TopologyHint>>();
  private readonly owners = new Map<string, Owner>();

  of(podUid: string, container: string): TopologyHint | undefined {
    return this.hints.get(podUid)?.get(container);
  }

  set(podUid: string, container: string, hint: TopologyHint): void {
    let ofPod = this.hints.get(podUid);
    if (ofPod === undefined) this.hints.set(podUid, (ofPod = new Map()));
    ofPod.set(container, hint);
  }

  addContainer(containerId: string, owner: Owner): void {
    this.owners.set(containerId, owner);
  }

  /** A restarted container already has another id, so its decision stays. */
  removeContainer(containerId: string): void {
    const owner = this.owners.get(containerId);
    if (owner === undefined) return;
    this.owners.delete(containerId);
    for (const other of this.owners.values())
      if (other.podUid === owner.podUid && other.container === owner.container) return;
    const ofPod = this.hints.get(owner.podUid);
    ofPod?.delete(owner.container);
    if (ofPod?.size === 0) this.hints.delete(owner.podUid);
  }
}
