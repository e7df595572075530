import { apiMessages } from './api-messages.js';

export interface MessageField {
  readonly number: number;
  readonly name: string;
  /** `^`: in JSON its fields are those of the parent. */
  readonly container: '' | '^' | '[]' | '{}';
  /** A scalar, or the name of a message. */
  readonly type: string;
}

export interface MessageFields {
  readonly byNumber: ReadonlyMap<number, MessageField>;
  readonly all: readonly MessageField[];
}

const parsed = new Map<string, MessageFields>();

/**
 * The fields of a message; undefined for one that is not in the table. The table's notation is `number:name:type`;
 * before the type `[]` marks a list, `{}` a map, and `^` a message that JSON merges into its parent.
 */
export function messageFields(message: string): MessageFields | undefined {
  const known = parsed.get(message);
  const text = apiMessages[message];
  if (known !== undefined || text === undefined) return known;
  const all = text.split(' ').flatMap((word): readonly MessageField[] => {
    const match = /^(\d+):(\w+):(\[\]|\{\}|\^)?(.+)$/.exec(word);
    if (match === null) return [];
    const [, number, name = '', container = '', type = ''] = match;
    return [{ number: Number(number), name, container: container as MessageField['container'], type }];
  });
  const fields: MessageFields = { all, byNumber: new Map(all.map((field) => [field.number, field])) };
  parsed.set(message, fields);
  return fields;
}
