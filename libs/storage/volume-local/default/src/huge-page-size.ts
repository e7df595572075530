import { KubeletError } from '@podwright/errors';
import type { MountEntry } from '@podwright/filesystem';
import { canonicalQuantity, compareQuantities, parseQuantity, visitContainers } from '@podwright/kube-types';
import type { Pod, ResourceRequirements } from '@podwright/kube-types';

const resourcePrefix = 'hugepages-';
const mediumPrefix = 'HugePages-';

/**
 * Page size of a medium, as a quantity such as `2Mi`. Source: kubernetes v1.36 pkg/volume/emptydir,
 * getPageSizeMountOption.
 */
export function hugePageSize(medium: string, pod: Pod): string {
  const requested = requestedSizes(pod);
  if (medium === 'HugePages') {
    const [size, ...others] = requested;
    if (others.length > 0)
      throw invalid(`medium: ${medium} can't be used if container requests multiple huge page sizes`);
    if (size === undefined) throw missing(medium);
    return canonicalQuantity(size);
  }
  const size = sizeOf(medium);
  const found = requested.find((other) => same(other, size));
  if (found === undefined) throw missing(medium);
  return canonicalQuantity(found);
}

function sizeOf(medium: string): string {
  const size = medium.slice(mediumPrefix.length);
  if (medium.startsWith(mediumPrefix) && size !== '') return size;
  throw invalid(`unknown storage medium ${JSON.stringify(medium)}`);
}

/**
 * Throws `failed-precondition` when the mount has pages of another size than the medium names. The kernel shows
 * `pagesize=2M` for 2Mi. Source: kubernetes v1.36 pkg/volume/emptydir, setupHugepages.
 */
export function checkHugePageMount(
  medium: string,
  { mountPoint, superOptions, options }: MountEntry,
  uid: string,
): void {
  if (medium === 'HugePages') return;
  const prefix = 'pagesize=';
  const shown = [...superOptions, ...options].find((option) => option.startsWith(prefix))?.slice(prefix.length);
  if (shown === undefined) throw mismatch(`no pagesize option specified for ${mountPoint} mount`);
  const wanted = sizeOf(medium);
  if (same(`${shown}i`, wanted)) return;
  const [found, asked] = [canonicalQuantity(`${shown}i`), canonicalQuantity(wanted)];
  throw mismatch(
    `pod ${uid}: mounted dir ${mountPoint} pagesize '${found}' and requested medium size '${asked}' differ`,
  );
}

/** Distinct sizes, compared by value. Limits count too: requests of huge pages are the same, where they are written. */
function requestedSizes(pod: Pod): readonly string[] {
  const all: (ResourceRequirements | undefined)[] = [pod.spec.resources];
  for (const { container } of visitContainers(pod.spec)) all.push(container.resources);
  const sizes: string[] = [];
  for (const resources of all) {
    for (const name of Object.keys({ ...resources?.limits, ...resources?.requests })) {
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

function mismatch(message: string): KubeletError {
  return new KubeletError(message, { code: 'failed-precondition' });
}
