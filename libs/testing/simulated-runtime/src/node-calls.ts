import type { ImageFsInfoResponse, StatusResponse, VersionResponse } from '@podwright/cri-client-interface';
import type { ImageStore } from './image-store.js';
import type { NanosecondStamps } from './nanosecond-stamps.js';
import type { ReportedCondition, RuntimeControl } from './runtime-control.js';
import { filesystem } from './usage-stats.js';

export interface NodeCallsParts {
  /** The runtime's name. */
  readonly name: string;
  readonly control: RuntimeControl;
  readonly store: ImageStore;
  readonly stamps: NanosecondStamps;
  /** Of the file system of the runtime. */
  readonly mountpoint: string;
  readonly supplementalGroupsPolicy: boolean;
}

/** The CRI calls about the runtime itself. */
export class NodeCalls {
  readonly versionOf: VersionResponse;

  constructor(private readonly parts: NodeCallsParts) {
    this.versionOf = { version: '0.1.0', runtimeName: parts.name, runtimeVersion: '1.0.0', runtimeApiVersion: 'v1' };
  }

  status(): StatusResponse {
    const { runtimeCondition, networkCondition } = this.parts.control;
    const condition = (type: string, { ready, reason, message }: ReportedCondition): Condition => {
      return { type, status: ready, reason, message };
    };
    const features = { recursiveReadOnlyMounts: true, userNamespaces: false };
    return {
      status: {
        conditions: [condition('RuntimeReady', runtimeCondition), condition('NetworkReady', networkCondition)],
      },
      info: {},
      runtimeHandlers: ['', 'runc'].map((name) => ({ name, features: { ...features } })),
      features: { supplementalGroupsPolicy: this.parts.supplementalGroupsPolicy, userNamespacesHostNetwork: false },
    };
  }

  imageFsInfo(): ImageFsInfoResponse {
    const { store, stamps, mountpoint } = this.parts;
    const used = filesystem(store.usedBytes(), { now: stamps.next(), mountpoint });
    return { imageFilesystems: [used], containerFilesystems: [structuredClone(used)] };
  }
}

type Condition = NonNullable<StatusResponse['status']>['conditions'][number];
