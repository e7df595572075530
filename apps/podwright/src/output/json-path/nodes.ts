/** A step of an expression; a list of steps is applied one after the other. */
export type PathNode =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'value'; readonly value: number | boolean }
  | { readonly type: 'field'; readonly name: string }
  | { readonly type: 'wildcard' | 'recursive' | 'range' | 'end' }
  | { readonly type: 'slice'; readonly slice: Slice }
  | { readonly type: 'union'; readonly branches: readonly (readonly PathNode[])[] }
  | {
      readonly type: 'filter';
      readonly left: readonly PathNode[];
      readonly operator: string;
      readonly right: readonly PathNode[];
    };

export interface Slice {
  readonly start: number | undefined;
  /** `single` for an index: the end follows from the start. */
  readonly end: number | 'single' | undefined;
  readonly step: number | undefined;
}

/** A template is text and actions in braces. */
export type Template = readonly (readonly PathNode[])[];
