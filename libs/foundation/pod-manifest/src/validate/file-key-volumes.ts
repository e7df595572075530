import { visitContainers, type PodSpec } from '@podwright/kube-types';
import type { FieldErrors } from './field-errors.js';

/** Rejects a variable from a file of a volume that is no emptyDir: the kubelet reads files of the pod's own alone. */
export function validateFileKeyVolumes(spec: PodSpec, errors: FieldErrors): void {
  const volumes = new Map((spec.volumes ?? []).map((volume) => [volume.name, volume]));
  for (const { container, path } of visitContainers(spec)) {
    for (const [index, { valueFrom }] of (container.env ?? []).entries()) {
      const name = valueFrom?.fileKeyRef?.volumeName;
      const volume = name === undefined ? undefined : volumes.get(name);
      if (volume === undefined || volume.emptyDir !== undefined) continue;
      const field = `${path}.env[${index}].valueFrom.fileKeyRef.volumeName`;
      errors.invalid(field, name, 'referenced volume must be of type emptyDir');
    }
  }
}
