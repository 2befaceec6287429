/** One line that says how files are added. With a finger, it has buttons for files and the camera. */
import { Icon } from '../shell/icon';
import { say } from '../words';
import { size } from '../words/formats';
import { ChooseFiles } from './choose-files';
import { withTime } from './dropped';
import type { useAdding } from './use-adding';

export function DropArea({
  adding,
  administrator,
}: {
  adding: ReturnType<typeof useAdding>;
  administrator: boolean;
}) {
  if (!adding.may) return <p className="note">{say('files.mayNotAdd')}</p>;
  const largest = adding.limits?.maximumAttachmentFileSize;
  return (
    <div className="free">
      <div className="by-hand">
        <ChooseFiles className="button" onFiles={adding.add}>
          <Icon name="plus" />
          {say('files.add')}
        </ChooseFiles>
        <ChooseFiles
          className="button"
          camera
          onFiles={(files) =>
            adding.add(files.map((file, number) => withTime(file, say('files.photo'), number)))
          }
        >
          <Icon name="camera" />
          {say('files.takePhoto')}
        </ChooseFiles>
      </div>
      <div className="by-mouse">
        <Icon name="drop" />
        <span>
          {say('files.drop')}{' '}
          <ChooseFiles className="link-button" onFiles={adding.add}>
            {say('files.choose')}
          </ChooseFiles>{' '}
          {say('files.or')}{' '}
          <ChooseFiles className="link-button" folder onFiles={adding.add}>
            {say('files.chooseFolder')}
          </ChooseFiles>
        </span>
      </div>
      {largest && (
        <span className="limit">
          {say('files.limit', { size: size(largest, { down: true }) })}
          {administrator && <> {say('files.limitSetting', { setting: 'ATTACHMENT_MAX_SIZE' })}</>}
        </span>
      )}
    </div>
  );
}
