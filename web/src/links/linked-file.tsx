import { UnlinkDocument, type LinkedFileFragment } from '../generated/documents';
import { iconOf, kindOf } from '../files/kinds';
import { moorage } from '../service';
import { reasonOf } from '../shell/failure';
import { Icon } from '../shell/icon';
import { Menu } from '../shell/menu';
import { tell } from '../shell/messages';
import { Name } from '../shell/name';
import { exactly, size, when } from '../words/formats';
import { say } from '../words';

export function LinkedFile({
  link,
  asked,
  refresh,
}: {
  link: LinkedFileFragment;
  /** Whether the storage was asked. Without a connection the heading says what to do. */
  asked: boolean;
  refresh: () => void;
}) {
  const { originData: file, status } = link;
  const kind = kindOf({ name: file.name, type: file.mimeType });
  const usable = status === 'VIEW_ALLOWED';
  // The service asks the storage for the address when it is opened, not for every row.
  const address = `/api/v3/file_links/${link.databaseId}`;

  async function unlink(): Promise<void> {
    try {
      await moorage.mutate(UnlinkDocument, { id: link.id });
      tell(say('links.unlinked', { name: file.name }));
      // The row goes, and the focus must not go with it.
      document.getElementById('links')?.focus();
    } catch (error) {
      tell(reasonOf(error));
    }
    refresh();
  }

  return (
    <li className={`linked ${usable ? '' : 'out'}`} data-status={status}>
      <span className={`kind kind-${kind}`}>
        <Icon name={iconOf(kind)} />
      </span>
      <div>
        {usable ? (
          <a href={`${address}/open`} target="_blank" rel="noreferrer">
            <Name>{file.name}</Name>
          </a>
        ) : (
          <Name>{file.name}</Name>
        )}
        <div className="meta">
          {asked && <LinkState status={status} />}
          {file.lastModifiedAt && (
            <time dateTime={file.lastModifiedAt} title={exactly(file.lastModifiedAt)}>
              {file.lastModifiedByName
                ? say('links.changedBy', {
                    name: file.lastModifiedByName,
                    when: when(file.lastModifiedAt),
                  })
                : say('links.changed', { when: when(file.lastModifiedAt) })}
            </time>
          )}
          {kind !== 'folder' && file.size !== null && <span>{size(file.size)}</span>}
        </div>
      </div>
      <Menu label={say('links.actions', { name: file.name })} face={<Icon name="more" />}>
        {usable && (
          <>
            <ExternalLink address={`${address}/open`} label={say('links.open')} />
            <ExternalLink
              address={`${address}/open?location=true`}
              label={say('links.showFolder')}
            />
            {kind !== 'folder' && (
              <ExternalLink address={`${address}/download`} label={say('links.download')} />
            )}
          </>
        )}
        {link.viewerCanDelete && (
          <button type="button" onClick={() => void unlink()}>
            {say('links.unlink')}
          </button>
        )}
      </Menu>
    </li>
  );
}

function ExternalLink({ address, label }: { address: string; label: string }) {
  return (
    <a href={address} target="_blank" rel="noreferrer">
      {label}
    </a>
  );
}

function LinkState({ status }: { status: LinkedFileFragment['status'] }) {
  switch (status) {
    case 'VIEW_NOT_ALLOWED':
      return (
        <span className="state bad">
          <Icon name="lock" />
          {say('links.notAllowed')}
        </span>
      );
    case 'NOT_FOUND':
      return (
        <span className="state bad">
          <Icon name="stop" />
          {say('links.gone')}
        </span>
      );
    case 'ERROR':
      return (
        <span className="state wait">
          <Icon name="warn" />
          {say('links.error')}
        </span>
      );
    default:
      return null;
  }
}
