import type { JSX } from 'preact';
import { Text } from '../text/foreign-text.js';

/** One entry of a list of facts (`dl`). The value is text that others may have chosen. */
export function Fact({ name, value }: { readonly name: string; readonly value: string }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Text>{value}</Text>
      </dd>
    </div>
  );
}
