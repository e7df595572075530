import type { PodPage } from '@podwright/console-interface';
import type { JSX } from 'preact';
import { Fact } from '../parts/fact.js';
import { JournalEntries } from '../parts/journal-entries.js';
import { LaneKey, LaneScale, LaneTrack } from '../parts/lane-track.js';
import { Empty, Fault, Panel, Scrolling } from '../parts/panel.js';
import { TroubleMark } from '../parts/trouble-mark.js';
import { troubleOf, troubleWords } from '../pods/trouble.js';
import { usePolled } from '../state/ask.js';
import { lanes, podUse } from '../state/node-state.js';
import { now } from '../state/ticks.js';
import { bytes, clock, count, dateAndClock, percent } from '../text/quantities.js';
import { PodName, Text } from '../text/foreign-text.js';
import { ExplainChain } from './explain-chain.js';
import { PodCharts } from './pod-charts.js';
import { PodContainers } from './pod-containers.js';
import { PodLogs } from './pod-logs.js';

interface PodViewProps {
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string;
}

/** All about one pod. */
export function PodView({ namespace, name, uid }: PodViewProps): JSX.Element {
  const path = `data/pods/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}`;
  const { data, error } = usePolled<PodPage>(uid === undefined ? path : `${path}?uid=${encodeURIComponent(uid)}`, 3000);
  return (
    <div class="view">
      <nav aria-label="Way back" class="way-back">
        <a href="#/pods">Pods</a> <span aria-hidden="true">›</span> <Text>{namespace}</Text>
      </nav>
      {error !== undefined && <Fault>{error}</Fault>}
      {data === undefined ? (
        error === undefined && <Empty>Asking the kubelet …</Empty>
      ) : (
        <PodContent page={data} logsOf={`${path}/containers`} />
      )}
    </div>
  );
}

function PodContent({ page, logsOf }: { readonly page: PodPage; readonly logsOf: string }): JSX.Element {
  const { explanation, row, containers, volumes, events, decisions } = page;
  const uid = explanation.pod.uid;
  const lane = (uid === undefined ? undefined : lanes.value.get(uid)) ?? page.lane;
  return (
    <>
      <PodHead page={page} />
      {lane !== undefined && (
        <Panel title="The last ten minutes" class="pod-lane">
          <LaneScale />
          <LaneTrack lane={lane} nowMs={now.value} />
          <details>
            <summary>Key</summary>
            <LaneKey />
          </details>
        </Panel>
      )}
      <PodCharts uid={uid} row={row} />
      <div class="columns columns-chain">
        <Panel title="The way of the pod">
          {explanation.steps.length === 0 ? (
            <Empty>The kubelet knows nothing of this pod.</Empty>
          ) : (
            <ExplainChain steps={explanation.steps} />
          )}
        </Panel>
        <PodContainers containers={containers} explained={explanation.containers} />
      </div>
      {containers.length > 0 && <PodLogs containers={containers} logsOf={logsOf} />}
      {events.length > 0 && (
        <Panel title="Events">
          <Scrolling label="Events of the pod">
            <table>
              <thead>
                <tr>
                  <th scope="col">Last</th>
                  <th scope="col">Type</th>
                  <th scope="col">Reason</th>
                  <th scope="col">Message</th>
                  <th scope="col" class="number">
                    Times
                  </th>
                </tr>
              </thead>
              <tbody>
                {events.map(({ atMs, type, reason, message, count: times }, index) => (
                  <tr key={`${atMs} ${reason} ${index}`}>
                    <td>{clock(atMs)}</td>
                    <td class={type === 'Warning' ? 'alarming' : ''}>{type}</td>
                    <td>
                      <Text>{reason}</Text>
                    </td>
                    <td class="wide">
                      <Text>{message}</Text>
                    </td>
                    <td class="number">{times}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scrolling>
        </Panel>
      )}
      <div class="columns">
        {volumes.length > 0 && <Volumes volumes={volumes} />}
        <Pairs title="Labels" pairs={page.labels} />
        <Pairs title="Annotations" pairs={page.annotations} />
      </div>
      <Panel
        title="Decisions"
        aside={<span class="quiet">newest first{row === undefined ? '' : `, ${row.source}`}</span>}
      >
        {decisions.length === 0 ? (
          <Empty>The journal has nothing about this pod.</Empty>
        ) : (
          <JournalEntries entries={decisions} withPod={false} label="Decisions about this pod" />
        )}
      </Panel>
    </>
  );
}

function PodHead({ page: { explanation, row } }: { readonly page: PodPage }): JSX.Element {
  const { pod, headline, advice, waitsFor, lastFailure, retryAtMs, notes, near, known, situation, atMs } = explanation;
  const level = troubleOf(situation);
  return (
    <section class={`head head-${level}`} aria-label="What is the matter">
      <h1>
        <TroubleMark level={level} />
        <span class="unseen">{troubleWords[level]}: </span> <PodName namespace={pod.namespace} name={pod.name} />
      </h1>
      <p class="pod-headline">
        <Text>{headline}</Text>
      </p>
      {advice !== '' && (
        <p class="advice">
          <Text>{advice}</Text>
        </p>
      )}
      <ul class="story">
        {waitsFor !== undefined && (
          <li>
            Waits for <Text>{waitsFor.what}</Text>
            {waitsFor.sinceMs === undefined ? '' : ` since ${clock(waitsFor.sinceMs)}`}.
          </li>
        )}
        {lastFailure !== undefined && (
          <li>
            Last failure at {clock(lastFailure.atMs)}
            {(lastFailure.times ?? 1) > 1 ? `, ${String(lastFailure.times)} in a row` : ''}:{' '}
            <Text class="words">{lastFailure.error}</Text>
          </li>
        )}
        {retryAtMs !== undefined && (
          <li>{retryAtMs > atMs ? `The kubelet tries again at ${clock(retryAtMs)}.` : 'The next try is due now.'}</li>
        )}
        {notes.map((note) => (
          <li key={note}>
            <Text>{note}</Text>
          </li>
        ))}
        {near !== undefined && near.length > 0 && (
          <li>
            Similar names: <Text>{near.join(', ')}</Text>
          </li>
        )}
      </ul>
      <dl class="facts-line">
        {known === 'gone' && <Fact name="Seen" value="only the journal knows it" />}
        {explanation.phase !== undefined && <Fact name="Phase" value={explanation.phase} />}
        {row !== undefined && (
          <>
            <Fact name="Ready" value={`${row.readyContainers} of ${count(row.containers, 'container')}`} />
            <Fact name="Restarts" value={String(row.restarts)} />
            <Fact name="QoS" value={row.qosClass} />
            {row.podIp !== undefined && <Fact name="IP" value={row.podIp} />}
            {row.startedAtMs !== undefined && <Fact name="Started" value={dateAndClock(row.startedAtMs)} />}
            {row.deletedAtMs !== undefined && <Fact name="Deleted" value={dateAndClock(row.deletedAtMs)} />}
          </>
        )}
        <PodUseNow uid={pod.uid} />
        {explanation.source !== undefined && <Fact name="Source" value={explanation.source} />}
        {pod.uid !== undefined && <Fact name="UID" value={pod.uid} />}
      </dl>
    </section>
  );
}

function PodUseNow({ uid }: { readonly uid: string | undefined }): JSX.Element | null {
  const use = uid === undefined ? undefined : podUse.value.get(uid);
  if (use?.memoryWorkingSetBytes === undefined) return null;
  return <Fact name="Memory" value={bytes(use.memoryWorkingSetBytes)} />;
}

function Volumes({ volumes }: Pick<PodPage, 'volumes'>): JSX.Element {
  return (
    <Panel title="Volumes">
      <Scrolling label="Volumes of the pod">
        <table>
          <thead>
            <tr>
              <th scope="col">Volume</th>
              <th scope="col">Kind</th>
              <th scope="col">Mounted</th>
              <th scope="col" class="number">
                Used
              </th>
            </tr>
          </thead>
          <tbody>
            {volumes.map(({ name, kind, mounted, usedBytes, capacityBytes }) => (
              <tr key={name}>
                <th scope="row">
                  <Text>{name}</Text>
                </th>
                <td>
                  <Text>{kind}</Text>
                </td>
                <td class={mounted ? '' : 'alarming'}>{mounted ? 'yes' : 'no'}</td>
                <td class="number">
                  {usedBytes === undefined ? '–' : bytes(usedBytes)}
                  {usedBytes !== undefined && capacityBytes !== undefined && (
                    <span class="quiet"> {percent(usedBytes, capacityBytes)}</span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolling>
    </Panel>
  );
}

function Pairs({
  title,
  pairs,
}: {
  readonly title: string;
  readonly pairs: Readonly<Record<string, string>>;
}): JSX.Element | null {
  const entries = Object.entries(pairs);
  if (entries.length === 0) return null;
  return (
    <Panel title={title}>
      <dl class="pairs">
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>
              <Text>{name}</Text>
            </dt>
            <dd>
              <Text>{value}</Text>
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
