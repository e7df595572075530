import { KubeletError } from '@podwright/errors';
import type { MountEntry } from '@podwright/filesystem';
import { parseQuantity, compareQuantities, visitContainers } from '@podwright/kube-types';
import type { Pod, ResourceRequirements } from '@podwright/kube-types';

const resourcePrefix = 'hugepages-';
const mediumPrefix = 'HugePages-';

/** Page size that a medium stands for, as a quantity such as `2Mi`. Source: kubernetes v1.36 pkg/volume/emptydir, getPageSizeMountOption. */
export function hugePageSize(medium: string, pod: Pod): string {
  const requested = requestedSizes(pod);
  if (medium === 'HugePages') {
    const [size, ...others] = requested;
    if (others.length > 0)
      throw invalid(`medium: ${medium} can't be used if container requests multiple huge page sizes`);
    if (size === undefined) throw missing(medium);
    return size;
  }
  const size = medium.slice(mediumPrefix.length);
  if (!medium.startsWith(mediumPrefix) || size === '')
    throw invalid(`unknown storage medium ${JSON.stringify(medium)}`);
  const found = requested.find((other) => same(other, size));
  if (found === undefined) throw missing(medium);
  return found;
}

/** The mount has pages of that size; the kernel shows `pagesize=2M` for 2Mi. */
export function sameHugePageSize(entry: MountEntry, pageSize: string): boolean {
  const shown = [...entry.superOptions, ...entry.options].find((option) => option.startsWith('pagesize='));
  return shown !== undefined && same(`${shown.slice('pagesize='.length)}i`, pageSize);
}

/** Each size once, by value. */
function requestedSizes(pod: Pod): readonly string[] {
  const all: (ResourceRequirements | undefined)[] = [pod.spec.resources];
  for (const { container } of visitContainers(pod.spec)) all.push(container.resources);
  const sizes: string[] = [];
  for (const resources of all) {
    for (const name of Object.keys(resources?.requests ?? resources?.limits ?? {})) {
      const size = name.slice(resourcePrefix.length);
      if (name.startsWith(resourcePrefix) && !sizes.some((other) => same(other, size))) sizes.push(size);
    }
  }
  return sizes;
}

function same(a: string, b: string): boolean {
  return compareQuantities(parseQuantity(a), parseQuantity(b)) === 0;
}

function missing(medium: string): KubeletError {
  return invalid(`medium ${medium}: hugePages storage requested, but there is no resource request for huge pages`);
}

function invalid(message: string): KubeletError {
  return new KubeletError(message, { code: 'invalid-argument' });
}
