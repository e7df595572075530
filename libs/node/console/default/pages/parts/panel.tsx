import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';

interface PanelProps {
  readonly title: string;
  /** Beside the title. */
  readonly aside?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A part of a page with a heading, which is also the name of its landmark. */
export function Panel({ title, aside, class: name = '', children }: PanelProps): JSX.Element {
  const id = useId();
  return (
    <section class={`panel ${name}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** A table that scrolls sideways by itself when it is too wide, also by keyboard. */
export function Scrolling({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div class="scrolling" tabIndex={0} role="region" aria-label={label}>
      {children}
    </div>
  );
}

export function Empty({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return <p class="empty">{children}</p>;
}

export function Fault({ children }: { readonly children: string }): JSX.Element {
  return (
    <p class="fault" role="alert">
      {children}
    </p>
  );
}
