import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { connection } from './state/connection.js';
import { explanation, node } from './state/node-state.js';
import { route, type Route } from './state/route.js';
import { nextTheme, theme } from './state/theme.js';
import { clock } from './text/quantities.js';
import { visible } from './text/visible.js';
import { CgroupsView } from './views/cgroups-view.js';
import { ImagesView } from './views/images-view.js';
import { JournalView } from './views/journal-view.js';
import { NodeView } from './views/node-view.js';
import { PodView } from './views/pod-view.js';
import { PodsView } from './views/pods-view.js';

const tabs = [
  { view: 'node', href: '#/', title: 'Node' },
  { view: 'pods', href: '#/pods', title: 'Pods' },
  { view: 'cgroups', href: '#/cgroups', title: 'Cgroups' },
  { view: 'images', href: '#/images', title: 'Images' },
  { view: 'journal', href: '#/journal', title: 'Journal' },
] as const;

export function App(): JSX.Element {
  const { view } = route.value;
  const main = useRef<HTMLElement>(null);
  const place = JSON.stringify(route.value);
  const firstPlace = useRef(place);
  useEffect(() => {
    document.title = `${titleOf(route.value)} · ${node.value === undefined ? 'Podwright console' : visible(node.value.name)}`;
    // A new view begins at its top, also for those who hear the page.
    if (firstPlace.current !== place) {
      firstPlace.current = '';
      window.scrollTo(0, 0);
      main.current?.focus({ preventScroll: true });
    }
  }, [place, node.value?.name]);
  return (
    <>
      <div class="top">
        <header class="bar">
          <a class="skip" href={location.hash || '#/'} onClick={(event) => skip(event, main.current)}>
            Skip to content
          </a>
          <a class="brand" href="#/">
            <Emblem />
            <bdi>{node.value === undefined ? 'Podwright' : visible(node.value.name)}</bdi>
          </a>
          <nav aria-label="Views">
            {tabs.map((tab) => {
              const current = tab.view === view || (tab.view === 'pods' && view === 'pod');
              return (
                <a key={tab.view} href={tab.href} aria-current={current ? 'page' : undefined}>
                  {tab.title}
                </a>
              );
            })}
          </nav>
          <ConnectionBadge />
          <button type="button" class="theme" onClick={nextTheme} title="Colours: as the system, light, dark">
            Colours: {theme.value}
          </button>
        </header>
        <LostConnection />
      </div>
      <main ref={main} tabIndex={-1}>
        <CurrentView />
      </main>
      <Announcer />
    </>
  );
}

function skip(event: Event, main: HTMLElement | null): void {
  event.preventDefault();
  main?.focus();
}

function CurrentView(): JSX.Element {
  const current = route.value;
  if (current.view === 'pod') {
    return <PodView key={`${current.namespace}/${current.name}/${current.uid ?? ''}`} {...current} />;
  }
  if (node.value === undefined) return <p class="empty waiting">Waiting for the kubelet’s first words …</p>;
  switch (current.view) {
    case 'node':
      return <NodeView facts={node.value} />;
    case 'pods':
      return <PodsView />;
    case 'cgroups':
      return <CgroupsView />;
    case 'images':
      return <ImagesView />;
    case 'journal':
      return <JournalView />;
  }
}

function titleOf(current: Route): string {
  if (current.view === 'pod') return `${visible(current.namespace)}/${visible(current.name)}`;
  return tabs.find(({ view }) => view === current.view)?.title ?? '';
}

function Emblem(): JSX.Element {
  return (
    <svg class="emblem" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M12 1.500l9 5.200v10.600l-9 5.200l-9-5.200V6.700z" class="emblem-shell" />
      <path d="M7 9h10v1.800H7zM7 12.200h6.500V14H7zM7 15.400h8.500v1.800H7z" class="emblem-lanes" />
    </svg>
  );
}

const words = { connecting: 'connecting', live: 'live', resting: 'resting', lost: 'not connected' } as const;

function ConnectionBadge(): JSX.Element {
  const { state } = connection.value;
  return <span class={`connection connection-${state}`}>{words[state]}</span>;
}

function LostConnection(): JSX.Element | null {
  const current = connection.value;
  if (current.state !== 'lost') return null;
  return (
    <p class="lost">
      <b>Not connected since {clock(current.sinceMs)}.</b> {current.reason ?? ''} What you see is from before. Trying
      again …
    </p>
  );
}

/** The few things worth an interruption: the connection, and how the node is. */
function Announcer(): JSX.Element {
  const { state } = connection.value;
  return (
    <p class="unseen" role="status">
      {state === 'lost' ? 'The connection to the kubelet is lost.' : visible(explanation.value?.headline ?? '')}
    </p>
  );
}
