import type { ImageFsInfoResponse, StatusResponse, VersionResponse } from '@podwright/cri-client-interface';
import type { ImageStore } from './image-store.js';
import type { NanosecondStamps } from './nanosecond-stamps.js';
import type { ReportedCondition, RuntimeControl } from './runtime-control.js';
import { filesystem } from './usage-stats.js';

/** Calls about the runtime itself. */
export class NodeCalls {
  readonly versionOf: VersionResponse;

  constructor(
    name: string,
    private readonly control: RuntimeControl,
    private readonly store: ImageStore,
    private readonly stamps: NanosecondStamps,
    private readonly supplementalGroupsPolicy: boolean,
  ) {
    this.versionOf = { version: '0.1.0', runtimeName: name, runtimeVersion: '1.0.0', runtimeApiVersion: 'v1' };
  }

  status(): StatusResponse {
    const { runtimeCondition, networkCondition } = this.control;
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
      features: { supplementalGroupsPolicy: this.supplementalGroupsPolicy, userNamespacesHostNetwork: false },
    };
  }

  imageFsInfo(): ImageFsInfoResponse {
    const used = filesystem(this.store.usedBytes(), this.stamps.next());
    return { imageFilesystems: [used], containerFilesystems: [structuredClone(used)] };
  }
}

type Condition = NonNullable<StatusResponse['status']>['conditions'][number];
