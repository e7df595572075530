import { podUid, type Pod, type PodCertificateProjection } from '@podwright/kube-types';

/** One `podCertificate` source of a projected volume of a pod. */
export interface CertificateSource {
  readonly pod: Pod;
  readonly volumeName: string;
  /** Its place among the sources of the volume. */
  readonly sourceIndex: number;
  readonly projection: PodCertificateProjection;
}

export function certificateSources(pod: Pod): readonly CertificateSource[] {
  return (pod.spec.volumes ?? []).flatMap(({ name: volumeName, projected }) =>
    (projected?.sources ?? []).flatMap(({ podCertificate: projection }, sourceIndex) =>
      projection === undefined ? [] : [{ pod, volumeName, sourceIndex, projection }],
    ),
  );
}

/** Names a source in messages and maps, in upstream's format, which prints Go values. */
export function sourceKey({ pod, volumeName, sourceIndex }: Omit<CertificateSource, 'projection'>): string {
  const { namespace = '', name = '' } = pod.metadata;
  return `{${namespace} ${name} ${podUid(pod)} ${volumeName} ${sourceIndex}}`;
}
