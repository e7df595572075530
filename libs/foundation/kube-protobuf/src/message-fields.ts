import { apiMessages } from './api-messages.js';

export interface MessageField {
  readonly number: number;
  readonly name: string;
  /** `^`: in JSON its fields are those of the parent. */
  readonly container: '' | '^' | '[]' | '{}';
  /** A scalar, or the name of a message. */
  readonly type: string;
  /** JSON leaves the field out when it is empty, zero or false, which protobuf writes. */
  readonly omitsZero: boolean;
}

const parsed = new Map<string, readonly MessageField[]>();

/**
 * The fields of a message; undefined for one that is not in the table. The table's notation is `number:name:type`;
 * before the type `[]` marks a list, `{}` a map, and `^` a message that JSON merges into its parent; after it, `?` marks
 * a scalar that JSON leaves out when it is zero.
 */
export function messageFields(message: string): readonly MessageField[] | undefined {
  const known = parsed.get(message);
  const text = apiMessages[message];
  if (known !== undefined || text === undefined) return known;
  const fields = text.split(' ').flatMap((word): readonly MessageField[] => {
    const match = /^(\d+):(\w+):(\[\]|\{\}|\^)?([^?]+)(\?)?$/.exec(word);
    if (match === null) return [];
    const [, number, name = '', container = '', type = '', omitsZero] = match;
    const shape = { container: container as MessageField['container'], omitsZero: omitsZero !== undefined };
    return [{ number: Number(number), name, type, ...shape }];
  });
  parsed.set(message, fields);
  return fields;
}
