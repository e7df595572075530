import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

interface VirtualRowsProps<T> {
  readonly items: readonly T[];
  readonly rowHeight: number;
  readonly columns: number;
  readonly row: (item: T, index: number) => ComponentChildren;
}

/** Rows above and below the window, so that a quick scroll shows no hole. */
const margin = 6;

/** The body of a table that has only the rows that can be seen, whatever the number of items. */
export function VirtualRows<T>({ items, rowHeight, columns, row }: VirtualRowsProps<T>): JSX.Element {
  const body = useRef<HTMLTableSectionElement>(null);
  const [first, setFirst] = useState(0);
  const [visible, setVisible] = useState(Math.ceil(window.innerHeight / rowHeight));
  useEffect(() => {
    const look = (): void => {
      const top = body.current?.getBoundingClientRect().top ?? 0;
      setFirst(Math.max(0, Math.floor(-top / rowHeight)));
      setVisible(Math.ceil(window.innerHeight / rowHeight));
    };
    look();
    window.addEventListener('scroll', look, { passive: true });
    window.addEventListener('resize', look);
    return () => {
      window.removeEventListener('scroll', look);
      window.removeEventListener('resize', look);
    };
  }, [rowHeight]);
  const from = Math.max(0, Math.min(first, items.length) - margin);
  const until = Math.min(items.length, first + visible + margin);
  return (
    <tbody ref={body}>
      <Gap rows={from} rowHeight={rowHeight} columns={columns} />
      {items.slice(from, until).map((item, index) => row(item, from + index))}
      <Gap rows={items.length - until} rowHeight={rowHeight} columns={columns} />
    </tbody>
  );
}

function Gap({
  rows,
  rowHeight,
  columns,
}: {
  readonly rows: number;
  readonly rowHeight: number;
  readonly columns: number;
}): JSX.Element | null {
  if (rows <= 0) return null;
  return (
    <tr class="gap" aria-hidden="true">
      <td colSpan={columns} style={{ height: `${rows * rowHeight}px` }} />
    </tr>
  );
}

/** Arrow keys move the focus from row to row: to the next row's element that has `selector`. */
export function moveFocus(event: KeyboardEvent, selector: string): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const current = (event.target as HTMLElement).closest('tr');
  if (step === undefined || current === null) return;
  const next = step === 1 ? current.nextElementSibling : current.previousElementSibling;
  const target = next?.querySelector<HTMLElement>(selector);
  if (target === null || target === undefined) return;
  event.preventDefault();
  target.focus();
}
