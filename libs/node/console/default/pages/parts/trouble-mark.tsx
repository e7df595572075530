import type { JSX } from 'preact';
import type { TroubleLevel } from '../pods/trouble.js';

/** Forms differ as well as colours. In a box of 12 by 12. */
const forms: Readonly<Record<TroubleLevel, string>> = {
  trouble: 'M6 0.500L12 11.500H0zM5.300 4v3.800h1.400V4zM5.300 8.700V10.100h1.400V8.700z',
  busy: 'M6 0.500a5.500 5.500 0 1 0 0 11a5.500 5.500 0 1 0 0-11zM6 2v4h4a4 4 0 1 1-4-4z',
  fine: 'M6 0.500a5.500 5.500 0 1 0 0 11a5.500 5.500 0 1 0 0-11zM2.900 6l1-1l1.400 1.400l2.900-2.900l1 1l-3.900 3.900z',
  over: 'M6 0.500a5.500 5.500 0 1 0 0 11a5.500 5.500 0 1 0 0-11zM6 2a4 4 0 1 1 0 8a4 4 0 1 1 0-8z',
};

/** Words stand beside it. */
export function TroubleMark({ level }: { readonly level: TroubleLevel }): JSX.Element {
  return (
    <svg class={`trouble-mark level-${level}`} viewBox="0 0 12 12" aria-hidden="true">
      <path fill-rule="evenodd" d={forms[level]} />
    </svg>
  );
}
