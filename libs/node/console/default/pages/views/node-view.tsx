import type { NodeFacts } from '@podwright/console-interface';
import type { ExplainedPressure, NodeExplanation } from '@podwright/explain-interface';
import type { JSX } from 'preact';
import { Fact } from '../parts/fact.js';
import { Meter } from '../parts/meter.js';
import { Empty, Panel } from '../parts/panel.js';
import { TroubleMark } from '../parts/trouble-mark.js';
import { sortedPods, troubleLevels, troubleOf, troubleWords } from '../pods/trouble.js';
import { explanation, pods } from '../state/node-state.js';
import { podHref } from '../state/route.js';
import { now } from '../state/ticks.js';
import { age, dateAndClock, ofSignal } from '../text/quantities.js';
import { PodName, Text } from '../text/foreign-text.js';
import { NodeCharts } from './node-charts.js';
import { NodeResources } from './node-resources.js';
import { NodeStory } from './node-story.js';

/** The node at a glance. */
export function NodeView({ facts }: { readonly facts: NodeFacts }): JSX.Element {
  const told = explanation.value;
  return (
    <div class="view">
      {told !== undefined && <NodeHead facts={facts} told={told} />}
      <div class="columns">
        <PodsPanel />
        <PressurePanel pressures={told?.pressures ?? []} />
      </div>
      <NodeCharts facts={facts} />
      <NodeResources resources={facts.resources} />
      {told !== undefined && <NodeStory told={told} />}
    </div>
  );
}

function NodeHead({ facts, told }: { readonly facts: NodeFacts; readonly told: NodeExplanation }): JSX.Element {
  const level = !told.ready ? 'trouble' : told.situation === 'ready' ? 'fine' : 'busy';
  return (
    <section class={`head head-${level}`} aria-label="The node">
      <h1>
        <TroubleMark level={level} /> <Text>{told.headline}</Text>
      </h1>
      {told.advice !== '' && (
        <p class="advice">
          <Text>{told.advice}</Text>
        </p>
      )}
      <dl class="facts-line">
        <Fact name="Kubelet" value={facts.kubeletVersion} />
        <Fact name="Runtime" value={facts.runtime === '' ? 'has not answered' : facts.runtime} />
        <Fact name="System" value={facts.osImage} />
        <Fact name="Kernel" value={`${facts.kernelVersion}, cgroup v${facts.cgroupVersion}`} />
        <Since name="Kubelet runs for" sinceMs={facts.startedMs} />
        <Since name="Machine runs for" sinceMs={facts.bootTimeMs} />
        <Fact name="Addresses" value={facts.addresses.map(({ address }) => address).join(', ')} />
      </dl>
    </section>
  );
}

function Since({ name, sinceMs }: { readonly name: string; readonly sinceMs: number }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd title={dateAndClock(sinceMs)}>{age(now.value - sinceMs)}</dd>
    </div>
  );
}

const mostTroubled = 4;

function PodsPanel(): JSX.Element {
  const rows = [...pods.value.values()];
  const levels = rows.map(({ situation }) => troubleOf(situation));
  const troubled = sortedPods(
    rows.filter((_, index) => levels[index] === 'trouble'),
    { sort: 'name', use: new Map() },
  );
  return (
    <Panel title="Pods" aside={<a href="#/pods">all lanes</a>}>
      <ul class="counts">
        {troubleLevels.map((level) => {
          const n = levels.filter((each) => each === level).length;
          return (
            <li key={level} class={n === 0 ? 'none' : ''}>
              <a href={`#/pods?show=${level}`}>
                <b>{n}</b>
                <span>
                  <TroubleMark level={level} /> {troubleWords[level]}
                </span>
              </a>
            </li>
          );
        })}
      </ul>
      <ul class="troubled">
        {troubled.slice(0, mostTroubled).map((row) => (
          <li key={row.uid}>
            <a href={podHref(row)}>
              <PodName namespace={row.namespace} name={row.name} />
            </a>
            <Text class="headline">{row.headline}</Text>
          </li>
        ))}
        {troubled.length > mostTroubled && (
          <li>
            <a href="#/pods?show=trouble">and {troubled.length - mostTroubled} more</a>
          </li>
        )}
      </ul>
    </Panel>
  );
}

function PressurePanel({ pressures }: { readonly pressures: readonly ExplainedPressure[] }): JSX.Element {
  return (
    <Panel title="Pressure" aside={<span class="quiet">room until eviction begins</span>}>
      {pressures.length === 0 && <Empty>The kubelet has not measured yet.</Empty>}
      <ul class="pressures">
        {pressures.map((pressure) => (
          <Pressure key={pressure.signal} {...pressure} />
        ))}
      </ul>
    </Panel>
  );
}

function Pressure({ signal, available, capacity, threshold, distance, met }: ExplainedPressure): JSX.Element {
  const say = (value: number): string => ofSignal(signal, value);
  const used = capacity - available;
  const room =
    distance === undefined ? 'no threshold' : met ? `over by ${say(Math.abs(distance))}` : `${say(distance)} left`;
  return (
    <li>
      <span class="pressure-name">{signal}</span>
      <span class={`pressure-room${met ? ' alarming' : ''}`}>{room}</span>
      <Meter
        label={signal}
        text={`${say(used)} of ${say(capacity)} used, ${room}`}
        parts={[{ share: used / capacity, kind: met ? 'alarm' : 'use' }]}
        lines={threshold === undefined ? [] : [{ at: 1 - threshold / capacity, kind: 'threshold' }]}
      />
    </li>
  );
}
