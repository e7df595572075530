import type { ImageRow } from '@podwright/console-interface';
import type { JSX } from 'preact';
import { Meter } from '../parts/meter.js';
import { memo } from '../parts/memo.js';
import { Empty, Panel, Scrolling } from '../parts/panel.js';
import { images } from '../state/node-state.js';
import { podHref } from '../state/route.js';
import { now } from '../state/ticks.js';
import { age, bytes, count, percent } from '../text/quantities.js';
import { PodName, Text } from '../text/foreign-text.js';

/** The images on the node, and those that are on their way. */
export function ImagesView(): JSX.Element {
  const view = images.value;
  const list = view?.images ?? [];
  const unused = list.filter(({ users, pinned }) => users.length === 0 && !pinned);
  const total = (rows: readonly ImageRow[]): string => bytes(rows.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
  return (
    <div class="view">
      <div class="view-title">
        <h1>Images</h1>
        <p class="quiet">
          {count(list.length, 'image')}, {total(list)}; without a user {count(unused.length, 'image')}, {total(unused)}
        </p>
      </div>
      {view?.imageFsUsedBytes !== undefined && view.imageFsCapacityBytes !== undefined && (
        <div class="resource">
          <span>File system of images</span>
          <Meter
            label="File system of images"
            text={`${bytes(view.imageFsUsedBytes)} of ${bytes(view.imageFsCapacityBytes)} used`}
            parts={[{ share: view.imageFsUsedBytes / view.imageFsCapacityBytes, kind: 'use' }]}
          />
          <span class="quiet">
            {bytes(view.imageFsUsedBytes)} of {bytes(view.imageFsCapacityBytes)},{' '}
            {percent(view.imageFsUsedBytes, view.imageFsCapacityBytes)}
          </span>
        </div>
      )}
      {view !== undefined && view.pulls.length > 0 && (
        <Panel title="Pulls in progress">
          <ul class="story">
            {view.pulls.map(({ image, pod, sinceMs, state }) => (
              <li key={`${image} ${pod}`}>
                <Text class="words">{image}</Text> for <Text>{pod}</Text>{' '}
                <span class="quiet">
                  {state} for {age(now.value - sinceMs)}
                </span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <Panel title="On the node">
        {list.length === 0 ? (
          <Empty>No image, or the runtime has not answered yet.</Empty>
        ) : (
          <Scrolling label="Images on the node">
            <table>
              <thead>
                <tr>
                  <th scope="col" class="wide">
                    Image
                  </th>
                  <th scope="col" class="number">
                    Size
                  </th>
                  <th scope="col">Used by</th>
                </tr>
              </thead>
              <tbody>
                {list.map((row) => (
                  <Image key={row.id} row={row} />
                ))}
              </tbody>
            </table>
          </Scrolling>
        )}
      </Panel>
    </div>
  );
}

const mostUsers = 4;

const Image = memo(({ row }: { readonly row: ImageRow }): JSX.Element => {
  const { id, names, sizeBytes, pinned, users } = row;
  return (
    <tr>
      <th scope="row" class="image-names">
        {(names.length === 0 ? [id] : names).map((name) => (
          <Text key={name} class="words">
            {name}
          </Text>
        ))}
      </th>
      <td class="number">{bytes(sizeBytes)}</td>
      <td>
        {pinned && <span class="tag">pinned</span>}
        {users.length === 0 && !pinned && <span class="quiet">nobody</span>}
        <ul class="users">
          {users.slice(0, mostUsers).map(({ namespace, pod, container }) => (
            <li key={`${namespace}/${pod}/${container}`}>
              <a href={podHref({ namespace, name: pod })}>
                <PodName namespace={namespace} name={pod} />
              </a>{' '}
              <span class="quiet">
                <Text>{container}</Text>
              </span>
            </li>
          ))}
          {users.length > mostUsers && <li class="quiet">and {users.length - mostUsers} more</li>}
        </ul>
      </td>
    </tr>
  );
});
