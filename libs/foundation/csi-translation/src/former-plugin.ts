import type { PersistentVolume, Volume } from '@podwright/kube-types';

export type PersistentVolumeSpec = NonNullable<PersistentVolume['spec']>;
export type CsiSource = NonNullable<PersistentVolumeSpec['csi']>;
type SourceKey = keyof Volume & keyof PersistentVolumeSpec;

/** What becomes of a volume that stands in a pod's spec itself. */
export interface TranslatedInline {
  /** Name of the PersistentVolume; must be unique per disk, because the staging path has it. */
  readonly name: string;
  readonly accessMode: 'ReadWriteOnce' | 'ReadOnlyMany' | 'ReadWriteMany';
  readonly csi: CsiSource;
}

/** What becomes of the spec of a PersistentVolume; what is absent stays. */
export interface TranslatedSpec extends Pick<PersistentVolumeSpec, 'nodeAffinity' | 'accessModes'> {
  readonly csi: CsiSource;
}

/** A former in-tree plugin; both functions answer undefined for volumes of other plugins. */
export interface FormerPlugin {
  readonly field: SourceKey;
  inline(volume: Volume, podNamespace: string): TranslatedInline | undefined;
  spec(volume: PersistentVolume): TranslatedSpec | undefined;
}

/** Where the source was found. */
export interface InlineOrigin {
  readonly volumeName: string;
  readonly podNamespace: string;
}

export function formerPlugin<Field extends SourceKey>(
  field: Field,
  inline: (source: NonNullable<Volume[Field]>, origin: InlineOrigin) => TranslatedInline,
  spec: (source: NonNullable<PersistentVolumeSpec[Field]>, volume: PersistentVolume) => TranslatedSpec,
): FormerPlugin {
  return {
    field,
    inline: (volume, podNamespace) => {
      const source: Volume[Field] = volume[field];
      return source ? inline(source, { volumeName: volume.name, podNamespace }) : undefined;
    },
    spec: (volume) => {
      const source: PersistentVolumeSpec[Field] | undefined = volume.spec?.[field];
      return source ? spec(source, volume) : undefined;
    },
  };
}

/** The two fields that most sources share, without those that are absent. */
export function copiedFields(source: { readonly fsType?: string; readonly readOnly?: boolean }): {
  readonly fsType?: string;
  readonly readOnly?: boolean;
} {
  const { fsType, readOnly } = source;
  return { ...(fsType !== undefined && { fsType }), ...(readOnly !== undefined && { readOnly }) };
}
