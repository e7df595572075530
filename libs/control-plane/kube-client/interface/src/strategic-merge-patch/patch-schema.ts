/**
 * How a strategic merge patch treats one field. A field without an entry is merged when it holds an object and replaced
 * when it holds a list, as upstream treats fields without a `patchStrategy`.
 */
export interface PatchField {
  /** Lists only: items are merged instead of the list being replaced. */
  readonly merge?: true;
  /** Which field of the items tells them apart; absent for a merged list of scalars. */
  readonly mergeKey?: string;
  /** Patches of the object, or of the items, say which keys stay (`$retainKeys`): at most one of them may be set. */
  readonly retainKeys?: true;
  /** Of the object, or of the items of the list. */
  readonly fields?: PatchSchema;
}

/** By field name. */
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
