import { KubeletError, rethrowAsRpc } from '@podwright/errors';
import { PluginConnection, type GrpcMethod } from '@podwright/grpc';
import type { DeepPartial } from '@podwright/protobuf-wire';
import type { Clock } from '@podwright/time';
import {
  NodeServiceCapability_RPC_Type as capabilities,
  type NodeExpandVolumeRequest,
  type NodeGetInfoResponse,
  type NodeGetVolumeStatsRequest,
  type NodeGetVolumeStatsResponse,
  type NodePublishVolumeRequest,
  type NodeStageVolumeRequest,
  type NodeUnpublishVolumeRequest,
  type NodeUnstageVolumeRequest,
} from '@podwright/volume-csi-interface';
import { transientFailure, uncertainProgress } from '@podwright/volume-interface';
import type { DriverStore, RegisteredDriver } from '../drivers/driver-store.js';
import { nodeMethods as methods } from '../generated/client-codecs.js';
import type { ConnectCsiDriver, CsiClient, CsiClients, NodeCapability } from './csi-client.js';
import type { CsiOperation } from './csi-operation.js';
import type { OperationMetrics } from './operation-metrics.js';

export interface CsiClientDeps {
  readonly clock: Clock;
  readonly metrics: OperationMetrics;
}

export class RegisteredCsiClients implements CsiClients {
  constructor(
    private readonly drivers: Pick<DriverStore, 'get'>,
    private readonly connect: ConnectCsiDriver,
  ) {}

  of(driver: string): CsiClient {
    const registered = this.drivers.get(driver);
    if (registered !== undefined) return this.connect(registered);
    const message = `driver name ${driver} not found in the list of registered CSI drivers`;
    throw transientFailure(new KubeletError(message, { code: 'not-found' }));
  }
}

/** Connects to the drivers' sockets by gRPC. */
export const csiDriverConnector =
  (deps: CsiClientDeps): ConnectCsiDriver =>
  (driver) =>
    new GrpcCsiClient(deps, driver);

/** {@link CsiClient} over the driver's unix socket. A driver that restarts may serve on a new one at any time. */
export class GrpcCsiClient implements CsiClient {
  readonly driver: string;

  constructor(
    private readonly deps: CsiClientDeps,
    private readonly registered: Pick<RegisteredDriver, 'name' | 'endpoint'>,
  ) {
    this.driver = registered.name;
  }

  nodeGetInfo(operation: CsiOperation): Promise<NodeGetInfoResponse> {
    return this.call(methods.nodeGetInfo, {}, operation);
  }

  async supports(capability: NodeCapability, operation: CsiOperation): Promise<boolean> {
    const answer = await this.call(methods.nodeGetCapabilities, {}, operation).catch(orUncertain);
    return answer.capabilities.some(({ rpc }) => rpc?.type === capabilities[capability]);
  }

  async nodeStageVolume(request: DeepPartial<NodeStageVolumeRequest>, operation: CsiOperation): Promise<void> {
    requirePresent(request.volumeId, 'missing volume id');
    requirePresent(request.stagingTargetPath, 'missing staging target path');
    await this.call(methods.nodeStageVolume, request, operation).catch(orUncertain);
  }

  async nodeUnstageVolume(request: NodeUnstageVolumeRequest, operation: CsiOperation): Promise<void> {
    requirePresent(request.volumeId, 'missing volume id');
    requirePresent(request.stagingTargetPath, 'missing staging target path');
    await this.call(methods.nodeUnstageVolume, request, operation);
  }

  async nodePublishVolume(request: DeepPartial<NodePublishVolumeRequest>, operation: CsiOperation): Promise<void> {
    requirePresent(request.volumeId, 'missing volume id');
    requirePresent(request.targetPath, 'missing target path');
    await this.call(methods.nodePublishVolume, request, operation).catch(orUncertain);
  }

  async nodeUnpublishVolume(request: NodeUnpublishVolumeRequest, operation: CsiOperation): Promise<void> {
    requirePresent(request.volumeId, 'missing volume id');
    requirePresent(request.targetPath, 'missing target path');
    await this.call(methods.nodeUnpublishVolume, request, operation);
  }

  async nodeExpandVolume(request: DeepPartial<NodeExpandVolumeRequest>, operation: CsiOperation): Promise<bigint> {
    requirePresent(request.volumeId, 'missing volume id');
    requirePresent(request.volumePath, 'missing volume path');
    const { capacityBytes } = await this.call(methods.nodeExpandVolume, request, operation).catch(orUncertain);
    return capacityBytes;
  }

  async nodeGetVolumeStats(
    request: DeepPartial<NodeGetVolumeStatsRequest>,
    operation: CsiOperation,
  ): Promise<NodeGetVolumeStatsResponse> {
    requirePresent(request.volumeId, 'missing volume id');
    requirePresent(request.volumePath, 'missing target path');
    return this.call(methods.nodeGetVolumeStats, request, operation);
  }

  private async call<Request, Answer>(
    method: GrpcMethod<Request, Answer>,
    request: Request,
    { signal, deadlineMs, migrated = false }: CsiOperation,
  ): Promise<Answer> {
    const { clock, metrics } = this.deps;
    const { driver } = this;
    const startedMs = clock.monotonic();
    const observe = (error?: unknown): void =>
      metrics.observe({ driver, method: method.path, migrated, durationMs: clock.monotonic() - startedMs, error });
    const connection = PluginConnection.lazy(this.registered.endpoint, { clock });
    try {
      const answer = await connection.unary(method, request, { timeoutMs: deadlineMs - clock.now(), signal });
      observe();
      return answer;
    } catch (error) {
      observe(error);
      return rethrowAsRpc(error);
    } finally {
      connection.close();
    }
  }
}

const unfinished: readonly string[] = [
  'cancelled',
  'deadline-exceeded',
  'unavailable',
  'resource-exhausted',
  'aborted',
] satisfies readonly KubeletError['code'][];

// Source: kubernetes v1.36 pkg/volume/csi/csi_client.go isFinalError.
function orUncertain(error: KubeletError): never {
  throw unfinished.includes(error.code) ? uncertainProgress(error) : error;
}

function requirePresent(value: string | undefined, problem: string): void {
  if (value === undefined || value === '') throw new KubeletError(problem, { code: 'invalid-argument' });
}
