/** How sandboxes or containers come, change and go in calls of the CRI. */
export interface RuntimeKind {
  /** The call that makes one, and where its answer has the id. */
  readonly make: string;
  readonly madeId: string;
  /** Calls after whose success a state is reached. */
  readonly reach: Readonly<Record<string, number>>;
  /** The one of these that may be repeated, as {@link remove} may. */
  readonly stop: string;
  readonly remove: string;
  readonly list: string;
  readonly listed: string;
  readonly status: string;
}

export const containers: RuntimeKind = {
  ...{
    make: 'createContainer',
    madeId: 'containerId',
    reach: { startContainer: 1, stopContainer: 2 },
    stop: 'stopContainer',
    remove: 'removeContainer',
  },
  ...{ list: 'listContainers', listed: 'containers', status: 'containerStatus' },
};

const sandboxes: RuntimeKind = {
  ...{ make: 'runPodSandbox', madeId: 'podSandboxId' },
  ...{ reach: { stopPodSandbox: 1 }, stop: 'stopPodSandbox', remove: 'removePodSandbox' },
  ...{ list: 'listPodSandbox', listed: 'items', status: 'podSandboxStatus' },
};

export const runtimeKinds: readonly RuntimeKind[] = [containers, sandboxes];

/** After this call, a sandbox or container is there or in another state. */
export const shapesState = (method: string): boolean =>
  runtimeKinds.some(({ make, reach }) => make === method || Object.hasOwn(reach, method));
