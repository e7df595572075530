/**
 * How a strategic merge patch treats one field. A field without an entry is merged when it is an object and replaced
 * when it is a list, as upstream treats fields without a `patchStrategy`.
 */
export interface PatchField {
  /** For a list: the patch merges its items instead of replacing the list. */
  readonly merge?: true;
  /** The field that identifies the items of a merged list; absent for scalars. */
  readonly mergeKey?: string;
  /**
   * Patches of the object, or of the items, list the keys to keep (`$retainKeys`), for unions in which one key is set.
   */
  readonly retainKeys?: true;
  /** The fields of the object, or of the list's items. */
  readonly fields?: PatchSchema;
}

/** How a strategic merge patch treats the fields of an object, by field name. */
export interface PatchSchema {
  readonly [field: string]: PatchField;
}

/** Directives of strategic merge patches. Source: kubernetes v1.36 apimachinery/pkg/util/strategicpatch/patch.go. */
export const patchDirectives = {
  patch: '$patch',
  retainKeys: '$retainKeys',
  /** Followed by `/` and the name of the list. */
  setElementOrder: '$setElementOrder',
  /** Followed by `/` and the name of the list. */
  deleteFromPrimitiveList: '$deleteFromPrimitiveList',
} as const;
