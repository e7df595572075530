import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { DeepPartial } from '@podwright/protobuf-wire';
import type * as cri from './generated/runtime.js';

export interface CallOptions {
  /** Cancels the call; the promise rejects with `cancelled`, or the signal's own KubeletError. */
  readonly signal?: AbortSignal;
  /** Deadline of the call in milliseconds; 0 means none. Absent: {@link defaultDeadlineMs}. */
  readonly timeoutMs?: number;
}

/** One unary RPC. Rejects with a KubeletError whose code is that of the gRPC status and whose message is its detail. */
type Rpc<Request, Response> = (request: DeepPartial<Request>, options?: CallOptions) => Promise<Response>;
/** One server stream. Ends with the stream, throws a KubeletError when it breaks. Leaving the loop cancels it. */
type StreamRpc<Request, Response> = (request: DeepPartial<Request>, options?: CallOptions) => AsyncIterable<Response>;

/**
 * runtime.v1.RuntimeService. A client validates answers as upstream's does (a sandbox without an id is an error) and
 * never retries: its callers do. int64 values are bigint, enums numbers, absent messages undefined. Default deadlines:
 * the runtime request timeout T; RunPodSandbox 2 T; StopContainer T + its timeout; ExecSync T + its timeout, none when
 * that is 0; GetContainerEvents none.
 */
export interface RuntimeService {
  version: Rpc<cri.VersionRequest, cri.VersionResponse>;
  runPodSandbox: Rpc<cri.RunPodSandboxRequest, cri.RunPodSandboxResponse>;
  stopPodSandbox: Rpc<cri.StopPodSandboxRequest, cri.StopPodSandboxResponse>;
  removePodSandbox: Rpc<cri.RemovePodSandboxRequest, cri.RemovePodSandboxResponse>;
  podSandboxStatus: Rpc<cri.PodSandboxStatusRequest, cri.PodSandboxStatusResponse>;
  listPodSandbox: Rpc<cri.ListPodSandboxRequest, cri.ListPodSandboxResponse>;
  streamPodSandboxes: StreamRpc<cri.StreamPodSandboxesRequest, cri.StreamPodSandboxesResponse>;
  createContainer: Rpc<cri.CreateContainerRequest, cri.CreateContainerResponse>;
  startContainer: Rpc<cri.StartContainerRequest, cri.StartContainerResponse>;
  stopContainer: Rpc<cri.StopContainerRequest, cri.StopContainerResponse>;
  removeContainer: Rpc<cri.RemoveContainerRequest, cri.RemoveContainerResponse>;
  listContainers: Rpc<cri.ListContainersRequest, cri.ListContainersResponse>;
  streamContainers: StreamRpc<cri.StreamContainersRequest, cri.StreamContainersResponse>;
  containerStatus: Rpc<cri.ContainerStatusRequest, cri.ContainerStatusResponse>;
  updateContainerResources: Rpc<cri.UpdateContainerResourcesRequest, cri.UpdateContainerResourcesResponse>;
  reopenContainerLog: Rpc<cri.ReopenContainerLogRequest, cri.ReopenContainerLogResponse>;
  execSync: Rpc<cri.ExecSyncRequest, cri.ExecSyncResponse>;
  exec: Rpc<cri.ExecRequest, cri.ExecResponse>;
  attach: Rpc<cri.AttachRequest, cri.AttachResponse>;
  portForward: Rpc<cri.PortForwardRequest, cri.PortForwardResponse>;
  containerStats: Rpc<cri.ContainerStatsRequest, cri.ContainerStatsResponse>;
  listContainerStats: Rpc<cri.ListContainerStatsRequest, cri.ListContainerStatsResponse>;
  streamContainerStats: StreamRpc<cri.StreamContainerStatsRequest, cri.StreamContainerStatsResponse>;
  podSandboxStats: Rpc<cri.PodSandboxStatsRequest, cri.PodSandboxStatsResponse>;
  listPodSandboxStats: Rpc<cri.ListPodSandboxStatsRequest, cri.ListPodSandboxStatsResponse>;
  streamPodSandboxStats: StreamRpc<cri.StreamPodSandboxStatsRequest, cri.StreamPodSandboxStatsResponse>;
  updateRuntimeConfig: Rpc<cri.UpdateRuntimeConfigRequest, cri.UpdateRuntimeConfigResponse>;
  status: Rpc<cri.StatusRequest, cri.StatusResponse>;
  checkpointContainer: Rpc<cri.CheckpointContainerRequest, cri.CheckpointContainerResponse>;
  getContainerEvents: StreamRpc<cri.GetEventsRequest, cri.ContainerEventResponse>;
  listMetricDescriptors: Rpc<cri.ListMetricDescriptorsRequest, cri.ListMetricDescriptorsResponse>;
  listPodSandboxMetrics: Rpc<cri.ListPodSandboxMetricsRequest, cri.ListPodSandboxMetricsResponse>;
  streamPodSandboxMetrics: StreamRpc<cri.StreamPodSandboxMetricsRequest, cri.StreamPodSandboxMetricsResponse>;
  runtimeConfig: Rpc<cri.RuntimeConfigRequest, cri.RuntimeConfigResponse>;
  updatePodSandboxResources: Rpc<cri.UpdatePodSandboxResourcesRequest, cri.UpdatePodSandboxResourcesResponse>;
}

/**
 * runtime.v1.ImageService. PullImage has no default deadline. ImageStatus without `image`: the image is not present.
 */
export interface ImageService {
  listImages: Rpc<cri.ListImagesRequest, cri.ListImagesResponse>;
  streamImages: StreamRpc<cri.StreamImagesRequest, cri.StreamImagesResponse>;
  imageStatus: Rpc<cri.ImageStatusRequest, cri.ImageStatusResponse>;
  pullImage: Rpc<cri.PullImageRequest, cri.PullImageResponse>;
  removeImage: Rpc<cri.RemoveImageRequest, cri.RemoveImageResponse>;
  imageFsInfo: Rpc<cri.ImageFsInfoRequest, cri.ImageFsInfoResponse>;
}

/**
 * The connections of both services. `start()` validates the runtime as upstream does: Version and ImageFsInfo answer,
 * and the API version is known. It rejects with a message that names the endpoint and what to check. A connection lost
 * later is re-established.
 */
export interface RuntimeConnection extends Lifecycle {
  /** The runtime's own name, such as `containerd`: the prefix of container ids in the API. Set after `start()`. */
  readonly runtimeName: string;
  readonly runtimeVersion: string;
  readonly runtimeApiVersion: string;
}

export const RUNTIME_SERVICE = createToken<RuntimeService>('kubelet.cri.runtime-service/v1');
export const IMAGE_SERVICE = createToken<ImageService>('kubelet.cri.image-service/v1');
export const RUNTIME_CONNECTION = createToken<RuntimeConnection>('kubelet.cri.connection/v1');
