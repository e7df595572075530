import type { ContainerPage, ProbePage } from '@podwright/console-interface';
import type { ExplainedContainer, ExplainedExit } from '@podwright/explain-interface';
import type { JSX } from 'preact';
import { Meter } from '../parts/meter.js';
import { Empty, Panel } from '../parts/panel.js';
import { bytes, clock, cores, count, duration } from '../text/quantities.js';
import { Text } from '../text/foreign-text.js';
import { visible } from '../text/visible.js';

interface PodContainersProps {
  readonly containers: readonly ContainerPage[];
  readonly explained: readonly ExplainedContainer[];
}

export function PodContainers({ containers, explained }: PodContainersProps): JSX.Element {
  return (
    <Panel title="Containers">
      {containers.length === 0 && <Empty>Not known any more.</Empty>}
      {containers.map((container) => (
        <Container
          key={container.name}
          container={container}
          told={explained.find(({ name }) => name === container.name)}
        />
      ))}
    </Panel>
  );
}

interface ContainerProps {
  readonly container: ContainerPage;
  readonly told: ExplainedContainer | undefined;
}

function Container({ container, told }: ContainerProps): JSX.Element {
  const { name, type, image, state, mounts, ports, probes } = container;
  return (
    <article class="container" aria-label={`Container ${visible(name)}`}>
      <h3>
        <Text>{name}</Text> {type !== 'regular' && <span class="tag">{type}</span>}{' '}
        <span class={`tag state-${told?.state ?? ''}`}>
          <Text>{state}</Text>
        </span>{' '}
        {told !== undefined && told.restarts > 0 && <span class="tag alarming">{count(told.restarts, 'restart')}</span>}
      </h3>
      <p class="quiet words">
        <Text>{image}</Text>
      </p>
      {told?.message !== undefined && (
        <p class="words">
          <Text>{told.message}</Text>
        </p>
      )}
      {told?.backOffUntilMs !== undefined && <p>Its back-off is over at {clock(told.backOffUntilMs)}.</p>}
      <Resources {...container} />
      {told?.exits.map((exit, index) => (
        <Exit key={index} {...exit} />
      ))}
      {probes.map((probe) => (
        <Probe key={probe.probe} {...probe} />
      ))}
      {ports.length > 0 && (
        <p>
          <span class="quiet">Ports</span>{' '}
          <Text>
            {ports
              .map(({ name: of, port, protocol }) => `${of === undefined ? '' : `${of} `}${port}/${protocol}`)
              .join(', ')}
          </Text>
        </p>
      )}
      {mounts.length > 0 && (
        <details>
          <summary>{count(mounts.length, 'mount')}</summary>
          <ul class="story">
            {mounts.map(({ volume, path, readOnly }) => (
              <li key={path}>
                <Text class="words">{path}</Text>{' '}
                <span class="quiet">
                  from <Text>{volume}</Text>
                  {readOnly ? ', read-only' : ''}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </article>
  );
}

function Resources(container: ContainerPage): JSX.Element | null {
  const { cpuNanoCores, cpuRequestMillis, cpuLimitMillis } = container;
  const { memoryWorkingSetBytes, memoryRequestBytes, memoryLimitBytes } = container;
  // Of a container that has ended there is nothing to compare.
  if ([cpuNanoCores, memoryWorkingSetBytes, cpuRequestMillis, memoryRequestBytes].every((each) => each === undefined)) {
    return null;
  }
  return (
    <div class="resources">
      <Resource
        name="CPU"
        say={cores}
        use={cpuNanoCores === undefined ? undefined : cpuNanoCores / 1e6}
        request={cpuRequestMillis}
        limit={cpuLimitMillis}
      />
      <Resource
        name="Memory"
        say={bytes}
        use={memoryWorkingSetBytes}
        request={memoryRequestBytes}
        limit={memoryLimitBytes}
      />
    </div>
  );
}

interface ResourceProps {
  readonly name: string;
  readonly say: (value: number) => string;
  readonly use: number | undefined;
  readonly request: number | undefined;
  readonly limit: number | undefined;
}

function Resource({ name, say, use, request, limit }: ResourceProps): JSX.Element {
  // Without a limit the bar ends somewhat above what is used and requested; without both there is nothing to compare.
  const whole = limit ?? (request === undefined ? 0 : Math.max(use ?? 0, request) * 1.25);
  const text = [
    use === undefined ? 'use not known' : `${say(use)} used`,
    request === undefined ? 'no request' : `${say(request)} requested`,
    limit === undefined ? 'no limit' : `limit ${say(limit)}`,
  ].join(', ');
  return (
    <div class="resource">
      <span>{name}</span>
      {whole > 0 ? (
        <Meter
          label={name}
          text={text}
          parts={[
            { share: (use ?? 0) / whole, kind: limit !== undefined && (use ?? 0) > limit * 0.9 ? 'alarm' : 'use' },
          ]}
          lines={request === undefined ? [] : [{ at: request / whole, kind: 'request' }]}
        />
      ) : (
        <span />
      )}
      <span class="quiet">{text}</span>
    </div>
  );
}

function Exit({ exitCode, signal, reason, message, finishedAtMs, oom, killedFor }: ExplainedExit): JSX.Element {
  return (
    <p class="exit">
      <b class={exitCode === 0 ? '' : 'alarming'}>
        <Text>{reason}</Text>, exit code {exitCode}
        {signal === undefined ? '' : ` (${signal})`}
      </b>{' '}
      {finishedAtMs !== undefined && <span class="quiet">at {clock(finishedAtMs)}</span>}{' '}
      {killedFor !== undefined && <Text>{killedFor}</Text>}{' '}
      {oom !== undefined && (
        <span>
          The kernel killed <Text>{oom.process}</Text>: limit of the {oom.limitOf}
          {oom.usageBytes === undefined || oom.limitBytes === undefined
            ? ''
            : `, ${bytes(oom.usageBytes)} of ${bytes(oom.limitBytes)}`}
          .{' '}
        </span>
      )}
      {message !== undefined && <Text class="words">{message}</Text>}
    </p>
  );
}

const outcomeForms = { success: '●', failure: '▼', error: '✕' } as const;
const mostAnswers = 40;

function Probe({ probe, how, periodMs, timeoutMs, failureThreshold, history }: ProbePage): JSX.Element {
  const shown = history.slice(-mostAnswers);
  const last = shown.at(-1);
  return (
    <div class="probe">
      <p>
        <b>{probe}</b> <Text class="words">{how}</Text>{' '}
        <span class="quiet">
          every {duration(periodMs)}, timeout {duration(timeoutMs)}, {count(failureThreshold, 'failure')} in a row count
        </span>
      </p>
      {shown.length > 0 && (
        <ol class="answers" aria-label={`Answers of the ${probe} probe, oldest first`}>
          {shown.map(({ atMs, outcome, output }, index) => (
            <li key={`${atMs} ${index}`} class={`answer answer-${outcome}`} title={`${clock(atMs)} ${visible(output)}`}>
              <span aria-hidden="true">{outcomeForms[outcome]}</span>
              <span class="unseen">
                {outcome} at {clock(atMs)}
              </span>
            </li>
          ))}
        </ol>
      )}
      {last !== undefined && (
        <p class="quiet">
          Last reported at {clock(last.atMs)}:{' '}
          <Text class="words">{last.output === '' ? last.outcome : last.output}</Text>
        </p>
      )}
    </div>
  );
}
