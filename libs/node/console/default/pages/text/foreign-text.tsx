import type { JSX } from 'preact';
import { visible } from './visible.js';

/** Text that came from a pod, an image or a program: isolated, so that its direction does not reach its surroundings. */
export function Text({ children, class: name }: { readonly children: string; readonly class?: string }): JSX.Element {
  return <bdi class={name}>{visible(children)}</bdi>;
}

/** A pod's name behind its namespace. */
export function PodName({ namespace, name }: { readonly namespace: string; readonly name: string }): JSX.Element {
  return (
    <span class="pod-name">
      <span class="quiet">
        <Text>{namespace}</Text>/
      </span>
      <Text>{name}</Text>
    </span>
  );
}
