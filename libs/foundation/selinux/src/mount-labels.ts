import type { MountEntry } from '@podwright/filesystem';
import { goQuote } from '@podwright/kube-types';

const contextOption = 'context=';

/**
 * Whether files of the mount have labels of their own that can be changed. Source: kubernetes v1.36
 * pkg/volume/util/hostutil GetSELinux.
 */
export function supportsSeLinuxLabels({ options, superOptions }: MountEntry): boolean {
  return options.includes('seclabel') || superOptions.includes('seclabel');
}

/**
 * The one label that all files of the mount have; undefined when it was mounted without. Source: kubernetes v1.36
 * pkg/volume/util/hostutil GetSELinuxMountContext.
 */
export function seLinuxContextOf({ superOptions }: MountEntry): string | undefined {
  const found = superOptions.find((option) => option.startsWith(contextOption));
  return found?.slice(contextOption.length).replace(/^"(.*)"$/, '$1');
}

/** The mount option that gives all files one label. It is quoted because categories have commas between them. */
export function seLinuxMountOption(label: string): string {
  return contextOption + goQuote(label);
}
