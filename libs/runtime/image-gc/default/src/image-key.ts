/**
 * The parts of the key of an image record. Source: kubernetes v1.36 pkg/kubelet/images/image_gc_manager.go
 * getImageTuple.
 */
export interface ImageKeyParts {
  readonly id: string;
  /** Runtime handler that the image was pulled for; empty for none. */
  readonly runtimeHandler: string;
}

/** The image id; with gate RuntimeClassInImageCriApi and a handler, `<id>,<handler>`. */
export function imageKey({ id, runtimeHandler }: ImageKeyParts, runtimeClassInImageCriApi: boolean): string {
  return runtimeClassInImageCriApi && runtimeHandler !== '' ? `${id},${runtimeHandler}` : id;
}
