import { KubeletError } from '@podwright/errors';
import type { ConfigMap, Secret } from '@podwright/kube-types';
import { localObjectPlurals } from '@podwright/local-objects-interface';
import type {
  LocalObject,
  LocalObjectChange,
  LocalObjectKind,
  LocalOperation,
  LocalTransaction,
} from '@podwright/local-objects-interface';
import type { Logger } from '@podwright/logging';
import { validateDataUpdate } from '@podwright/pod-manifest';
import { keyOf, keyOfObject, keyOfOperation } from '../object-key.js';
import type { FolderObject } from './manifest-objects.js';

type Get = (kind: LocalObjectKind, namespace: string, name: string) => LocalObject | undefined;

/** Which of the objects come from manifests, and how they get among those that were put: those go before them. */
export class FolderObjects {
  /** Shown to readers, by key. */
  private shown = new Map<string, FolderObject>();
  /** Keys of those that were put, too. */
  private hidden = new Set<string>();

  constructor(private readonly logger: Logger) {}

  originOf(kind: LocalObjectKind, namespace: string, name: string): string | undefined {
    return this.shown.get(keyOf(kind, namespace, name))?.origin;
  }

  /** @throws KubeletError `failed-precondition` when an operation is about an object of a manifest. */
  refuse(transaction: LocalTransaction): void {
    for (const operation of transaction) {
      const found = this.shown.get(keyOfOperation(operation));
      if (found === undefined) continue;
      throw new KubeletError(`${nameOf(found)} is read-only, because it comes from ${found.origin}`, {
        code: 'failed-precondition',
        reason: 'Conflict',
      });
    }
  }

  /** Whether these changes make room for an object of a manifest. */
  isHiding(changes: readonly LocalObjectChange[]): boolean {
    return changes.some(({ type, kind, object }) => type === 'DELETED' && this.hidden.has(keyOfObject(kind, object)));
  }

  /**
   * The transaction that shows these objects instead of the last ones. `accept` is called when it has been done. Says in
   * the log what is not shown, and why.
   */
  take(objects: readonly FolderObject[], get: Get): { transaction: LocalTransaction; accept: () => void } {
    const shown = new Map<string, FolderObject>();
    const hidden = new Set<string>();
    for (const found of objects) {
      const key = keyOfObject(found.kind, found.object);
      const { metadata: { namespace = '', name = '' } = {} } = found.object;
      const stored = get(found.kind, namespace, name);
      const before = this.shown.get(key);
      const first = shown.get(key);
      if (first !== undefined) this.complain(found, `it is in ${first.origin}, too`);
      else if (stored !== undefined && before === undefined) {
        this.complain(found, 'one of this name was put into the store');
        hidden.add(key);
      } else shown.set(key, stored === undefined || before === undefined ? found : this.update(found, before, stored));
    }
    const gone = [...this.shown].filter(([key]) => !shown.has(key));
    const removals = gone.map(
      ([
        ,
        {
          kind,
          object: { metadata: { namespace = '', name = '' } = {} },
        },
      ]) => ({
        kind,
        remove: { namespace, name },
      }),
    );
    const puts = [...shown.values()].map(({ kind, object }) => ({ kind, put: object }) as LocalOperation);
    return { transaction: [...removals, ...puts], accept: () => void ([this.shown, this.hidden] = [shown, hidden]) };
  }

  private update(found: FolderObject, before: FolderObject, stored: LocalObject): FolderObject {
    const faults = validateDataUpdate<ConfigMap | Secret>(found.object, stored as ConfigMap | Secret);
    if (faults.length === 0) return found;
    this.complain(found, faults.map(({ message }) => message).join('; '));
    return before;
  }

  private complain(found: FolderObject, problem: string): void {
    this.logger.error(`${nameOf(found)} of ${found.origin} is not used: ${problem}`);
  }
}

function nameOf({ kind, object }: FolderObject): string {
  return `${localObjectPlurals[kind]} ${JSON.stringify(object.metadata?.name)}`;
}
