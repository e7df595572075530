import type { ApiObject } from '@podwright/api-machinery';
import type { LocalObject, LocalObjectChange, LocalObjectKind, LocalObjects } from '@podwright/local-objects-interface';
import type { ChangeSource } from '../watch/watch-objects.js';
import type { ObjectChange } from '../watch/visibility.js';

/** The changes of a kind as the store has them. */
export function storedChanges(
  objects: Pick<LocalObjects, 'list' | 'since' | 'watch'>,
  kind: LocalObjectKind,
): ChangeSource {
  return {
    current: () => objects.list(kind).items.map(asObject),
    since: (resourceVersion) => objects.since(kind, resourceVersion)?.map(asChange),
    watch: (listener) =>
      objects.watch((change) => {
        if (change.kind === kind) listener(asChange(change));
      }),
  };
}

const asChange = ({ type, object, previous }: LocalObjectChange): ObjectChange => ({
  ...{ type, object: asObject(object) },
  previous: previous && asObject(previous),
});

const asObject = (object: LocalObject): ApiObject => object as unknown as ApiObject;
