import type { ApiObject } from '@podwright/api-machinery';
import { deepEqual, podQosClass, type Container, type EphemeralContainer, type Pod } from '@podwright/kube-types';
import { FieldErrors } from '@podwright/pod-manifest';
import { withGeneration } from './generic-strategies.js';
import type { UpdateStrategy } from './resource-strategy.js';

function specOf(object: ApiObject): Pod['spec'] {
  return object.spec as Pod['spec'];
}

/**
 * A resize: changes only resources and resize policies, and no QoS class. Source: kubernetes v1.36
 * pkg/registry/core/pod/strategy.go, pkg/apis/core/validation/validation.go ValidatePodResize.
 */
export const resizeUpdate: UpdateStrategy = {
  prepare: (next, old) => {
    const spec = specOf(old);
    const { resources } = specOf(next);
    return withGeneration(
      {
        ...old,
        metadata: next.metadata,
        spec: {
          ...spec,
          containers: resized(spec.containers, specOf(next).containers),
          ...(spec.initContainers && {
            initContainers: resized(spec.initContainers, specOf(next).initContainers ?? []),
          }),
          ...(resources && { resources }),
        },
      },
      old,
    );
  },
  validate: (next, old) => {
    const errors = new FieldErrors();
    // The status has the class that the pod began with.
    const before = podQosClass(old as Pod);
    const after = podQosClass({ metadata: {}, spec: specOf(next) });
    if (before !== after) errors.invalid('spec', before, 'Pod QOS Class may not change as a result of resizing');
    return errors.list;
  },
};

function resized(old: readonly Container[], next: readonly Container[]): readonly Container[] {
  return old.map((container) => {
    const { resources, resizePolicy } = next.find(({ name }) => name === container.name) ?? {};
    return { ...container, ...(resources && { resources }), ...(resizePolicy && { resizePolicy }) };
  });
}

/** Adds ephemeral containers; existing ones may not change. */
export const ephemeralContainersUpdate: UpdateStrategy = {
  prepare: (next, old) =>
    withGeneration(
      {
        ...old,
        metadata: next.metadata,
        spec: { ...specOf(old), ephemeralContainers: specOf(next).ephemeralContainers ?? [] },
      },
      old,
    ),
  validate: (next, old) => {
    const errors = new FieldErrors();
    const containers = specOf(next).ephemeralContainers ?? [];
    const byName = new Map(containers.map((container) => [container.name, container]));
    const taken = new Set([...specOf(old).containers, ...(specOf(old).initContainers ?? [])].map(({ name }) => name));
    containers.forEach((container, index) => checkNew(container, index, taken, errors));
    for (const container of specOf(old).ephemeralContainers ?? []) {
      const field = 'spec.ephemeralContainers';
      const now = byName.get(container.name);
      if (now === undefined)
        errors.forbidden(field, `existing ephemeral containers "${container.name}" may not be removed\n`);
      else if (!deepEqual(now, container)) {
        errors.forbidden(field, `existing ephemeral containers "${container.name}" may not be changed\n`);
      }
    }
    return errors.list;
  },
};

function checkNew(
  { name, image, targetContainerName }: EphemeralContainer,
  index: number,
  taken: ReadonlySet<string>,
  errors: FieldErrors,
): void {
  const field = `spec.ephemeralContainers[${index}]`;
  if (!name) errors.required(`${field}.name`);
  else if (taken.has(name)) errors.duplicate(`${field}.name`, name);
  if (!image) errors.required(`${field}.image`);
  if (targetContainerName && !taken.has(targetContainerName)) {
    errors.notFound(`${field}.targetContainerName`, targetContainerName);
  }
}
