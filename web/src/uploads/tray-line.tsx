import type { AnyUpload } from 'moorage-client';
import { ChooseFiles } from '../files/choose-files';
import { pathOfUpload } from '../files/dropped';
import { iconOf, kindOf } from '../files/kinds';
import { reasonOf } from '../shell/failure';
import { Icon } from '../shell/icon';
import { tell } from '../shell/messages';
import { Name } from '../shell/name';
import { say } from '../words';
import { duration, size } from '../words/formats';
import { isOver, stateOf } from './list';
import { Reason, reasonOfUpload } from './reason';

const moving = new Set(['preparing', 'sending', 'finalising', 'scanning']);

export function TrayLine({ upload }: { upload: AnyUpload }) {
  const { fileName: name, state } = upload;
  const kind = kindOf({ name, type: undefined });
  const failed = state === 'failed' || state === 'expired';
  return (
    <li className={`tray-line ${failed ? 'failed' : ''}`} data-state={state}>
      <span className={`kind kind-${kind}`}>
        <Icon name={iconOf(kind)} />
      </span>
      <Name>{pathOfUpload(upload)}</Name>
      <div className="acts">
        {(state === 'queued' || moving.has(state)) && state !== 'finalising' && (
          <Act icon="pause" label={say('tray.pause', { name })} run={() => upload.pause()} />
        )}
        {state === 'paused' && (
          <Act icon="play" label={say('tray.resume', { name })} run={() => upload.resume()} />
        )}
        {state === 'failed' && (
          <button type="button" className="button" onClick={() => upload.retry()}>
            <Icon name="again" />
            {say('tray.retry')}
          </button>
        )}
        {upload.needsFile && (
          <ChooseFiles
            className="button"
            onFiles={([file]) => {
              if (file) void giveAgain(upload, file);
            }}
          >
            {say('tray.pick')}
          </ChooseFiles>
        )}
        {state !== 'done' && state !== 'cancelled' && (
          <Act
            icon="close"
            label={say('tray.cancel', { name })}
            run={() => void upload.cancel().catch((error: unknown) => tell(reasonOf(error)))}
          />
        )}
      </div>
      {!isOver(upload) && (
        <progress max={Math.max(1, upload.size)} value={upload.sent} aria-label={name} />
      )}
      <div className="how">
        <span>{stateOf(upload)}</span>
        {state === 'sending' && <Progress upload={upload} />}
        {state === 'failed' && upload.error && <Reason error={upload.error} />}
      </div>
    </li>
  );
}

async function giveAgain(upload: AnyUpload, file: File): Promise<void> {
  try {
    await upload.giveFile(file);
  } catch (error) {
    tell(reasonOfUpload(error));
  }
}

function Act({
  icon,
  label,
  run,
}: {
  icon: 'pause' | 'play' | 'close';
  label: string;
  run: () => void;
}) {
  return (
    <button type="button" className="round" aria-label={label} onClick={run}>
      <Icon name={icon} />
    </button>
  );
}

function Progress({ upload }: { upload: AnyUpload }) {
  const { sent, size: total, bytesPerSecond, secondsLeft } = upload;
  return (
    <>
      <span>{say('tray.of', { sent: size(sent), total: size(total) })}</span>
      {bytesPerSecond > 0 && <span>{say('tray.speed', { speed: size(bytesPerSecond) })}</span>}
      {secondsLeft !== undefined && (
        <span>{say('tray.left', { time: duration(secondsLeft) })}</span>
      )}
    </>
  );
}
