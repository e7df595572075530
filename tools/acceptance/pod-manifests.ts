import type { Container, PodSpec } from '@podwright/kube-types';
import { labImages } from '@podwright/lab';

/** A manifest as an operator writes it. */
export interface PodManifest {
  readonly apiVersion: 'v1';
  readonly kind: 'Pod';
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: PodSpec;
}

/** A shell that exits at once on SIGTERM, so that a test measures the kubelet and not a grace period. */
export const untilTerm: readonly string[] = ['sh', '-c', 'trap "exit 0" TERM; sleep 1000000 & wait'];

/** Runs a script. */
export const script = (text: string): readonly string[] => ['sh', '-c', text];

/** The single container of most pods, named `main`. */
export const main = (fields: Partial<Container> = {}): Container => ({
  name: 'main',
  image: labImages.busybox,
  imagePullPolicy: 'IfNotPresent',
  command: [...untilTerm],
  ...fields,
});

/** A pod with one container that runs until SIGTERM, unless the spec says otherwise. */
export function podManifest(
  name: string,
  spec: Partial<PodSpec> = {},
  metadata: Omit<PodManifest['metadata'], 'name'> = {},
): PodManifest {
  const { containers = [main()], ...rest } = spec;
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, ...metadata }, spec: { containers, ...rest } };
}
