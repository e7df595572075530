/** What a record of an image is kept under. Source: kubernetes v1.36 pkg/kubelet/images/image_gc_manager.go getImageTuple. */
export interface ImageKeyParts {
  readonly id: string;
  /** Handler of the runtime that the image was pulled for; empty for none. */
  readonly runtimeHandler: string;
}

/** The id, and with gate RuntimeClassInImageCriAPI also the handler where there is one: `<id>,<handler>`. */
export function imageKey({ id, runtimeHandler }: ImageKeyParts, runtimeClassInImageCriApi: boolean): string {
  return runtimeClassInImageCriApi && runtimeHandler !== '' ? `${id},${runtimeHandler}` : id;
}
