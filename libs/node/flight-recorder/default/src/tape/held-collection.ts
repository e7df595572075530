import { isJsonObject, parseJsonObject } from '@podwright/kube-types';

type Json = Readonly<Record<string, unknown>>;

const initialEventsEnd = 'k8s.io/initial-events-end';

/** The objects that a watch of the API server has told of, as its last events. */
export class HeldCollection {
  /** The events' texts by namespace and name. */
  private readonly events = new Map<string, string>();
  private resourceVersion = '';
  private heldBytes = 0;
  /** The watch has told of all objects. */
  private complete = false;

  get bytes(): number {
    return this.heldBytes;
  }

  has({ namespace, name }: ObjectName): boolean {
    return this.events.has(keyOf(namespace, name));
  }

  /** Takes the text of one or more events. Returns the objects that are gone. */
  take(text: string): readonly ObjectName[] {
    return text.split('\n').flatMap((line) => {
      const event = parseJsonObject(line);
      const object = event?.['object'];
      if (event === undefined || !isJsonObject(object)) return [];
      return this.happened(String(event['type']), object, line);
    });
  }

  /** Takes the answer to a list, which a watch without initial events continues. */
  takeList(text: string): void {
    const list = parseJsonObject(text);
    if (!Array.isArray(list?.['items'])) return;
    for (const object of list['items'] as readonly unknown[])
      if (isJsonObject(object)) this.happened('ADDED', object, JSON.stringify({ type: 'ADDED', object }));
    this.resourceVersion = versionOf(list) ?? this.resourceVersion;
    this.complete = true;
  }

  /** The events of a watch that begins now with all objects; the last event says so once they are complete. */
  initialEvents(): string {
    const metadata = { resourceVersion: this.resourceVersion, annotations: { [initialEventsEnd]: 'true' } };
    const bookmark = JSON.stringify({ type: 'BOOKMARK', object: { metadata } });
    return [...this.events.values(), ...(this.complete ? [bookmark] : [])].map((line) => `${line}\n`).join('');
  }

  /** The list that a kubelet gets which asks for one now. */
  list(): string {
    const items = [...this.events.values()].map((line) => (JSON.parse(line) as Json)['object']);
    return `${JSON.stringify({ metadata: { resourceVersion: this.resourceVersion }, items })}\n`;
  }

  private happened(type: string, object: Json, line: string): readonly ObjectName[] {
    if (type === 'ERROR') return [];
    this.resourceVersion = versionOf(object) ?? this.resourceVersion;
    const metadata = (object['metadata'] ?? {}) as Partial<ObjectName> & { readonly annotations?: Json };
    if (type === 'BOOKMARK') {
      if (metadata.annotations?.[initialEventsEnd] === 'true') this.complete = true;
      return [];
    }
    const { namespace, name } = metadata;
    if (name === undefined) return [];
    const key = keyOf(namespace, name);
    this.heldBytes -= this.events.get(key)?.length ?? 0;
    this.events.delete(key);
    if (type === 'DELETED') return [{ namespace, name }];
    this.events.set(key, line);
    this.heldBytes += line.length;
    return [];
  }
}

export interface ObjectName {
  readonly namespace: string | undefined;
  readonly name: string;
}

const keyOf = (namespace: string | undefined, name: string): string => `${namespace ?? ''}/${name}`;

function versionOf({ metadata }: Json): string | undefined {
  const version = isJsonObject(metadata) ? metadata['resourceVersion'] : undefined;
  return typeof version === 'string' && version !== '' ? version : undefined;
}
