import { KubeletError } from '@podwright/errors';
import type * as cri from '@podwright/cri-client-interface';
import type { DeepPartial } from '@podwright/cri-client-interface';

// What upstream's client rejects in an answer, with its error texts. Source: kubernetes v1.36
// staging/src/k8s.io/cri-client/pkg/remote_runtime.go, remote_image.go, utils.go.

function refuse(message: string): never {
  throw new KubeletError(message, { code: 'internal' });
}

export function checkVersion(answer: cri.VersionResponse): void {
  const missing = Object.entries({
    version: answer.version,
    runtime_name: answer.runtimeName,
    runtime_version: answer.runtimeVersion,
    runtime_api_version: answer.runtimeApiVersion,
  }).flatMap(([name, value]) => (value === '' ? [name] : []));
  if (missing.length > 0) refuse(`not all fields are set in VersionResponse (missing ${missing.join(', ')})`);
}

export function checkRunPodSandbox(
  answer: cri.RunPodSandboxResponse,
  request: DeepPartial<cri.RunPodSandboxRequest>,
): void {
  if (answer.podSandboxId === '')
    refuse(`podSandboxId is not set for sandbox "${request.config?.metadata?.name ?? ''}"`);
}

export function checkPodSandboxStatus({ status }: cri.PodSandboxStatusResponse): void {
  if (status === undefined) return;
  if (status.id === '') refuse('status.Id is not set');
  if (status.metadata === undefined) refuse('status.Metadata is not set');
  const { name, namespace, uid } = status.metadata;
  if (name === '' || namespace === '' || uid === '') {
    refuse(`metadata.Name, metadata.Namespace or metadata.Uid is not in metadata "${namespace}/${name} ${uid}"`);
  }
  if (status.createdAt === 0n) refuse('status.CreatedAt is not set');
}

export function checkCreateContainer(
  answer: cri.CreateContainerResponse,
  request: DeepPartial<cri.CreateContainerRequest>,
): void {
  if (answer.containerId === '')
    refuse(`ContainerId is not set for container "${request.config?.metadata?.name ?? ''}"`);
}

export function checkContainerStatus({ status }: cri.ContainerStatusResponse): void {
  if (status === undefined) return;
  if (status.id === '') refuse('status.Id is not set');
  if (status.metadata === undefined) refuse('status.Metadata is not set');
  if (status.metadata.name === '') refuse('metadata.Name is not in metadata');
  if (status.createdAt === 0n) refuse('status.CreatedAt is not set');
  if (status.image === undefined || status.image.image === '') refuse('status.Image is not set');
  if (status.imageRef === '') refuse('status.ImageRef is not set');
}

export function checkUrl({ url }: { readonly url: string }): void {
  if (url === '') refuse('URL is not set');
}

export function checkStatus({ status }: cri.StatusResponse): void {
  if (status === undefined || status.conditions.length < 2)
    refuse('RuntimeReady or NetworkReady condition are not set');
}

/** A missing status is valid: the image is not on the node. */
export function checkImageStatus(
  { image }: cri.ImageStatusResponse,
  request: DeepPartial<cri.ImageStatusRequest>,
): void {
  if (image !== undefined && (image.id === '' || image.size === 0n)) {
    refuse(`Id or size of image "${request.image?.image ?? ''}" is not set`);
  }
}

export function checkPullImage(answer: cri.PullImageResponse, request: DeepPartial<cri.PullImageRequest>): void {
  if (answer.imageRef === '') refuse(`imageRef of image "${request.image?.image ?? ''}" is not set`);
}
