/** What the viewer shows of a file: pictures, PDF, text, sound and film. Nothing of it is executed. */
import { lazy, useState, type ReactNode } from 'react';
import { Icon, type IconName } from '../shell/icon';
import { say } from '../words';
import type { ViewedFile } from './attachments-query';
import { Facts } from './details';
import { downloadAddress, readAddress } from './download';
import { previewOf } from './kinds';
import { PictureView } from './picture-view';
import { MarkdownPreview, TablePreview, TextPreview } from './text-preview';

const PdfPreview = lazy(() => import('./pdf-preview'));

interface Viewed {
  file: ViewedFile;
  /** Asks for new addresses. */
  refresh: () => Promise<unknown>;
}

export function Content(viewed: Viewed) {
  const { file } = viewed;
  const [attempt, setAttempt] = useState(0);
  if (file.status === 'QUARANTINED')
    return (
      <Card icon="stop" title={say('viewer.virus')}>
        <p>{say('viewer.virusWhy')}</p>
        <Facts file={file} />
      </Card>
    );
  if (file.status === 'PREPARED')
    return (
      <Card icon="clock" title={say('files.notYet')}>
        <p>{say('viewer.notYetWhy')}</p>
        <Facts file={file} />
      </Card>
    );
  if (!file.contentAddress)
    return (
      <Card icon="clock" title={say('files.checking')}>
        <p>{say('viewer.checkingWhy')}</p>
        <Facts file={file} />
      </Card>
    );
  if (file.fileSize === 0)
    return (
      <Card icon="file" title={say('viewer.empty')}>
        <Facts file={file} />
      </Card>
    );
  return (
    <Shown
      key={`${file.id} ${file.digest.hash} ${attempt}`}
      {...viewed}
      refresh={async () => {
        await viewed.refresh();
        setAttempt(attempt + 1);
      }}
    />
  );
}

function Shown({ file, refresh }: Viewed) {
  // Each answer has new addresses. A film must not begin anew with each of them.
  const [address] = useState(() => readAddress(file));
  const [pages] = useState(file.preview?.href);
  const [failed, setFailed] = useState(false);
  const fail = (): void => setFailed(true);
  if (failed)
    return (
      <Card icon="warn" title={say('preview.failed')}>
        <div className="row">
          <button type="button" className="button main" onClick={() => void refresh()}>
            {say('preview.again')}
          </button>
        </div>
      </Card>
    );
  const kind = previewOf({ type: file.contentType, bytes: file.fileSize });
  const text = { address, name: file.fileName, fail };
  switch (kind) {
    case 'picture':
      return <PictureView file={file} original={address} fail={fail} />;
    case 'film':
      return <video src={address} controls aria-label={file.fileName} onError={fail} />;
    case 'sound':
      return <audio src={address} controls aria-label={file.fileName} onError={fail} />;
    case 'pdf':
      return <PdfPreview address={address} fail={fail} />;
    case 'table':
      return <TablePreview {...text} />;
    case 'markdown':
      return <MarkdownPreview {...text} />;
    case 'text':
      return <TextPreview {...text} />;
    default:
  }
  // The service has drawn it.
  if (pages) return <PdfPreview address={pages} fail={fail} />;
  if (file.large) return <PictureView file={file} original={file.large.href} fail={fail} />;
  return (
    <Card icon="file" title={say(kind === 'tooLarge' ? 'preview.tooLarge' : 'preview.none')}>
      <Facts file={file} />
      <a className="button main" href={downloadAddress(file)} download={file.fileName}>
        <Icon name="down" />
        {say('files.download')}
      </a>
    </Card>
  );
}

/** A file in words, where nothing of it can be shown. */
export function Card({
  icon,
  title,
  children,
}: {
  icon: IconName;
  title: string;
  children: ReactNode;
}) {
  return (
    <div className="viewer-card" tabIndex={0}>
      <Icon name={icon} />
      <h3>{title}</h3>
      {children}
    </div>
  );
}
